package dev.rechunker.io.tiff;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * What pages must have in common to be parts of one array: how their elements are stored.
 *
 * @param width the columns of the page
 * @param height the rows of the page
 * @param samples the numbers of each pixel
 * @param bits the bits of each number
 * @param format how the bits are a number: 1 unsigned, 2 signed, 3 float, 5 complex integers, 6 complex
 * @param isPlanar whether the numbers of a pixel are in different chunks
 * @param isTiled whether chunks are tiles, which are complete at the edges; otherwise they are strips
 * @param chunkWidth the columns of a chunk
 * @param chunkHeight the rows of a chunk
 * @param compression the number of the compression
 * @param predictor 1 for none; 2 for differences, 3 for differences of bytes of floats
 * @param isReversed whether the lowest bit of each byte comes first
 * @param photometric the number that says which colors the samples are
 * @param byteOrder the byte order
 * @param tables the tables of JPEG as ISO 8859-1; empty if there are none
 */
record PageLayout(
        long width,
        long height,
        int samples,
        int bits,
        int format,
        boolean isPlanar,
        boolean isTiled,
        int chunkWidth,
        int chunkHeight,
        int compression,
        int predictor,
        boolean isReversed,
        int photometric,
        ByteOrder byteOrder,
        String tables) {
    private static final int MOST_SAMPLES = 1 << 16;
    private static final int UNSIGNED = 1;
    private static final int SIGNED = 2;
    private static final int FLOAT = 3;
    private static final int UNDEFINED = 4;
    private static final int COMPLEX = 6;
    private static final int YCBCR = 6;
    /** Larger numbers of bits and formats are not told apart. */
    private static final int LARGEST_NUMBER = 1 << 10;

    private static final long MOST_BYTES = Integer.MAX_VALUE - 8;

    /** {@return the layout of a page} */
    static PageLayout of(Directory page) throws IOException {
        long width = extent(page, Tags.WIDTH);
        long height = extent(page, Tags.HEIGHT);
        long samples = page.integer(Tags.SAMPLES, 1);
        if (samples < 1 || samples > MOST_SAMPLES) {
            throw new StoreException(page.name(Tags.SAMPLES) + " says that pixels have " + samples
                    + " samples, but 1 to " + MOST_SAMPLES + " are supported");
        }
        boolean isTiled = page.has(Tags.TILE_WIDTH) || page.has(Tags.TILE_OFFSETS);
        long chunkWidth = isTiled ? extent(page, Tags.TILE_WIDTH) : width;
        long rows = page.has(Tags.ROWS_PER_STRIP) ? extent(page, Tags.ROWS_PER_STRIP) : height;
        long chunkHeight = isTiled ? extent(page, Tags.TILE_HEIGHT) : Math.min(rows, height);
        if (page.integer(Tags.IMAGE_DEPTH, 1) != 1) {
            throw new StoreException(page.name(Tags.IMAGE_DEPTH) + " says that it is a volume, which is not supported");
        }
        byte[] tables = page.bytes(Tags.JPEG_TABLES);
        return new PageLayout(
                width,
                height,
                (int) samples,
                same(page, Tags.BITS, (int) samples, 1),
                same(page, Tags.SAMPLE_FORMAT, (int) samples, UNSIGNED),
                samples > 1 && page.integer(Tags.PLANAR, 1) == 2,
                isTiled,
                (int) chunkWidth,
                (int) chunkHeight,
                number(page, Tags.COMPRESSION, 1),
                number(page, Tags.PREDICTOR, 1),
                page.integer(Tags.FILL_ORDER, 1) == 2,
                number(page, Tags.PHOTOMETRIC, 1),
                page.file().byteOrder(),
                new String(tables, StandardCharsets.ISO_8859_1));
    }

    private static long extent(Directory page, int tag) throws IOException {
        long extent = page.integer(tag, 0);
        boolean unlimited = tag == Tags.ROWS_PER_STRIP && extent == 0xFFFFFFFFL;
        if (!unlimited && (extent < 1 || extent > Integer.MAX_VALUE)) {
            throw new StoreException(page.name(tag) + " is " + extent + ", but must be 1 to " + Integer.MAX_VALUE);
        }
        return extent;
    }

    private static int number(Directory page, int tag, int otherwise) throws IOException {
        return (int) Math.min(Integer.MAX_VALUE, page.integer(tag, otherwise));
    }

    /** {@return the value that a tag has for all samples} */
    private static int same(Directory page, int tag, int samples, int otherwise) throws IOException {
        if (!page.has(tag)) {
            return otherwise;
        }
        long[] values = page.integers(tag, 0, (int) Math.min(samples, page.count(tag)));
        if (values.length == 0 || Arrays.stream(values).anyMatch(value -> value != values[0])) {
            throw new StoreException(page.name(tag) + " is " + Arrays.toString(values)
                    + ": samples of different types are not supported");
        }
        return (int) Math.min(LARGEST_NUMBER, values[0]);
    }

    /**
     * {@return the type of elements}
     *
     * @throws StoreException if it is not supported
     */
    DataType dataType() throws StoreException {
        return found().orElseThrow(() -> new StoreException("its samples have " + bits + " bits and sample format "
                + format + ", which are not supported; convert it to a type with whole bytes, for example with"
                + " tifffile or gdal_translate"));
    }

    private Optional<DataType> found() {
        return Optional.ofNullable(
                switch (format) {
                    case UNSIGNED, UNDEFINED ->
                        switch (bits) {
                            case 8 -> DataType.UINT8;
                            case 16 -> DataType.UINT16;
                            case 32 -> DataType.UINT32;
                            case 64 -> DataType.UINT64;
                            default -> !isPacked() ? null : bits < 8 ? DataType.UINT8 : DataType.UINT16;
                        };
                    case SIGNED ->
                        switch (bits) {
                            case 8 -> DataType.INT8;
                            case 16 -> DataType.INT16;
                            case 32 -> DataType.INT32;
                            case 64 -> DataType.INT64;
                            default -> null;
                        };
                    case FLOAT ->
                        switch (bits) {
                            case 16 -> DataType.FLOAT16;
                            case 32 -> DataType.FLOAT32;
                            case 64 -> DataType.FLOAT64;
                            default -> null;
                        };
                    case COMPLEX -> bits == 64 ? DataType.COMPLEX64 : bits == 128 ? DataType.COMPLEX128 : null;
                    default -> null;
                });
    }

    /** {@return the same layout, with one strip for each page} */
    PageLayout asOneStrip() {
        return new PageLayout(
                width,
                height,
                samples,
                bits,
                format,
                isPlanar,
                isTiled,
                chunkWidth,
                (int) height,
                compression,
                predictor,
                isReversed,
                photometric,
                byteOrder,
                tables);
    }

    /** {@return whether several numbers share a byte} */
    boolean isPacked() {
        return bits > 0 && bits < 16 && bits != 8;
    }

    /** {@return the samples of each pixel in one chunk} */
    int samplesInChunk() {
        return isPlanar ? 1 : samples;
    }

    /** {@return the bytes of a row of a chunk, as stored when decompressed} */
    long rowBytes() {
        return ((long) chunkWidth * samplesInChunk() * bits + 7) / 8;
    }

    /** {@return the bytes of a chunk, as stored when decompressed; the largest long if they are too many} */
    long chunkBytes() {
        return rowBytes() > MOST_BYTES ? Long.MAX_VALUE : rowBytes() * chunkHeight;
    }

    /**
     * Refuses chunks that are too large for a buffer, unless any part of them can be read.
     *
     * @throws StoreException if they are too large
     */
    void requireReadable() throws StoreException {
        boolean isPiecewise = compression == Decoders.NONE && !isTiled;
        long elements = (long) chunkWidth * (isPiecewise ? 1 : chunkHeight);
        long most = MOST_BYTES / ((long) samplesInChunk() * dataType().itemSize());
        if (elements > most || rowBytes() > MOST_BYTES || (!isPiecewise && chunkBytes() > MOST_BYTES)) {
            throw new StoreException("it is stored in pieces of " + chunkWidth + " x " + chunkHeight
                    + " pixels, which have more than 2 GB and are not supported");
        }
    }

    /** {@return the chunks of a page} */
    long chunks() {
        return (long) across() * down() * (isPlanar ? samples : 1);
    }

    /** {@return the chunks next to each other} */
    int across() {
        return (int) ((width + chunkWidth - 1) / chunkWidth);
    }

    /** {@return the chunks below each other} */
    int down() {
        return (int) ((height + chunkHeight - 1) / chunkHeight);
    }

    /** {@return whether elements are stored as they are delivered, so that any part of a page can be read} */
    boolean isPlain() {
        return compression == Decoders.NONE && predictor == 1 && samplesInChunk() == 1 && !isPacked() && !isReversed;
    }

    /**
     * Refuses colors that are not numbers of each pixel.
     *
     * @throws StoreException if the samples of pixels are shared, as in YCbCr
     */
    void requireSamplesOfPixels() throws StoreException {
        if (photometric == YCBCR) {
            throw new StoreException("its colors are YCbCr, which is not supported; convert it to RGB, for example with"
                    + " tiff2rgba, gdal_translate or tifffile");
        }
    }
}
