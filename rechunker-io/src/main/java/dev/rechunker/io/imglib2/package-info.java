/**
 * ImgLib2: images as sources and targets, and stored arrays as lazily loaded images.
 *
 * <p>Open {@link dev.rechunker.io.imglib2.ImgArrays} first. ImgLib2 counts axes the other way round, x first and
 * fastest: its axis {@code d} is axis {@code n - 1 - d} here. Elements lie in the same order either way, so none has to
 * move for it. This is the only room that turns axes round: shapes, chunks and specs behind the door are in C order,
 * positions and sizes of images are x first. An image may start anywhere; as an array it starts at zero.
 *
 * <p>The memory of images is their owner's and not counted. What is counted are the arrays in which pixels pass, of
 * both this room's and ImgLib2's making: a transfer goes through blocks of a fixed number of pixels, so that it is the
 * same for all reads. Imports the core and ImgLib2, and Guava's cache.
 */
@NullMarked
package dev.rechunker.io.imglib2;

import org.jspecify.annotations.NullMarked;
