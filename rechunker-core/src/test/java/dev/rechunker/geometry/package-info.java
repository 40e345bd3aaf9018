/** Comparison of geometry with brute force. */
@NullMarked
package dev.rechunker.geometry;

import org.jspecify.annotations.NullMarked;
