/**
 * Single elements: half-precision numbers, which Java 17 does not have, the units of time that elements count, and the
 * times and calendars of the CF conventions.
 *
 * <p>Imports no other package of this project. Part of the engine.
 */
@NullMarked
package dev.rechunker.element;

import org.jspecify.annotations.NullMarked;
