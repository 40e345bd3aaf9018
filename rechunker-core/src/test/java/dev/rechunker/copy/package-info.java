/** Comparison of the copy loops with loops over elements. */
@NullMarked
package dev.rechunker.copy;

import org.jspecify.annotations.NullMarked;
