/** Tests of reductions. */
@NullMarked
package dev.rechunker.reduce;

import org.jspecify.annotations.NullMarked;
