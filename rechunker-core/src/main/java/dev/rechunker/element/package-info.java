/**
 * Single elements: half-precision numbers, which Java 17 does not have, and the units of time that elements count.
 *
 * <p>Imports no other package of this project. Part of the engine.
 */
@NullMarked
package dev.rechunker.element;

import org.jspecify.annotations.NullMarked;
