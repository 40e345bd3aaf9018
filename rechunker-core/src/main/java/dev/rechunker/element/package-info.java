/**
 * Single elements: types of numbers and conversions between them, the units of time that elements count, and the times
 * and calendars of the CF conventions. Open {@link dev.rechunker.element.ValueCast} first.
 *
 * <p>Imports no other package of this project. Part of the engine.
 */
@NullMarked
package dev.rechunker.element;

import org.jspecify.annotations.NullMarked;
