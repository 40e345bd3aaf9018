/** Tests of the store interfaces and the memory store. */
@NullMarked
package dev.rechunker.store;

import org.jspecify.annotations.NullMarked;
