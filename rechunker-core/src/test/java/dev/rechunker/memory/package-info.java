/** Tests of the bound. */
@NullMarked
package dev.rechunker.memory;

import org.jspecify.annotations.NullMarked;
