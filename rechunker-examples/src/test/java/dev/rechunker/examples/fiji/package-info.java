/** The examples for Fiji, without a screen, and the samples of their guide. */
@NullMarked
package dev.rechunker.examples.fiji;

import org.jspecify.annotations.NullMarked;
