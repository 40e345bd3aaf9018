/** Tests of numbers and units in elements. */
@NullMarked
package dev.rechunker.element;

import org.jspecify.annotations.NullMarked;
