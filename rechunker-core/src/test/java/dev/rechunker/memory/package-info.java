/** Tests of the accounting of memory. */
@NullMarked
package dev.rechunker.memory;

import org.jspecify.annotations.NullMarked;
