/** The examples, run. */
@NullMarked
package dev.rechunker.examples;

import org.jspecify.annotations.NullMarked;
