/** Tests of comparisons of arrays. */
@NullMarked
package dev.rechunker.verify;

import org.jspecify.annotations.NullMarked;
