/**
 * What a plan may use: amounts of memory, working memory of one thread, and what storage can do.
 *
 * <p>Part of the API, below everything else: imports nothing of this project.
 */
@NullMarked
package dev.rechunker.resource;

import org.jspecify.annotations.NullMarked;
