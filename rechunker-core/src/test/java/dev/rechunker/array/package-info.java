/** Tests of descriptions of arrays. */
@NullMarked
package dev.rechunker.array;

import org.jspecify.annotations.NullMarked;
