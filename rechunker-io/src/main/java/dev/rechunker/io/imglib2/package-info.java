/**
 * Images of ImgLib2 as sources and targets, and stored arrays as images that are loaded on demand. Open
 * {@link dev.rechunker.io.imglib2.ImgArrays} first.
 *
 * <p>ImgLib2 counts axes in the opposite order, x first: its axis {@code d} is axis {@code n - 1 - d} here. The order
 * of elements in memory is the same. In this package, shapes, chunks and specs are in C order; positions and sizes of
 * images are x first. An image may have any position; as an array it starts at zero.
 *
 * <p>The memory of images is their owner's and not counted. The arrays by way of which pixels are copied are counted,
 * those of this package and those of ImgLib2: a transfer copies blocks of a fixed number of pixels, so the arrays have
 * the same size for all reads.
 *
 * <p>This package imports the core, ImgLib2 and Guava's cache.
 */
@NullMarked
package dev.rechunker.io.imglib2;

import org.jspecify.annotations.NullMarked;
