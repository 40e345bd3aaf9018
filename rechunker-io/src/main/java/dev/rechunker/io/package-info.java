/**
 * Opens and creates stores of every format. Open {@link dev.rechunker.io.Stores} first: it finds the format of a path
 * or URI.
 *
 * <p>The formats are rows of {@code FormatTable}. This package imports the packages of the formats, and none of them
 * imports this package.
 */
@NullMarked
package dev.rechunker.io;

import org.jspecify.annotations.NullMarked;
