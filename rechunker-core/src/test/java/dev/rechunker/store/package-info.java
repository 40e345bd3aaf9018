/** Tests of what stores and those who use them share. */
@NullMarked
package dev.rechunker.store;

import org.jspecify.annotations.NullMarked;
