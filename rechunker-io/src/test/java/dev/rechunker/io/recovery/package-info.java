/** Runs that are killed, that fail, that lack space, and that meet one another. */
@NullMarked
package dev.rechunker.io.recovery;

import org.jspecify.annotations.NullMarked;
