/**
 * What a plan may use: sizes of memory, working memory of one thread, and cost models of storage.
 *
 * <p>Part of the API. Imports no other package of this project.
 */
@NullMarked
package dev.rechunker.resource;

import org.jspecify.annotations.NullMarked;
