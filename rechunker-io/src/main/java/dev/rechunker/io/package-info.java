/**
 * The formats' common door: {@link dev.rechunker.io.Stores} tells which one a path is of. Imports the doors of the
 * format rooms, and is imported by none of them.
 */
@NullMarked
package dev.rechunker.io;

import org.jspecify.annotations.NullMarked;
