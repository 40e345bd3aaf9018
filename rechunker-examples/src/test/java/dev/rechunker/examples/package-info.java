/** Tests of the examples. */
@NullMarked
package dev.rechunker.examples;

import org.jspecify.annotations.NullMarked;
