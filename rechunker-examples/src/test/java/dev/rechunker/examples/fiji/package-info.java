/** Tests of the examples for Fiji, without a screen, and of the samples in their guide. */
@NullMarked
package dev.rechunker.examples.fiji;

import org.jspecify.annotations.NullMarked;
