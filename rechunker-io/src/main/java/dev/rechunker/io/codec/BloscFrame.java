package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * The header of a Blosc 1 frame: 16 little-endian bytes. Unless the frame is a plain copy, the positions of blocks in
 * the frame follow, with 4 bytes each.
 *
 * <p>The bytes are: version of the frame (2), version of the compressed format, flags, type size; and with 4 bytes
 * each: decoded size, block size, frame size.
 *
 * @param flags bit 0: bytes are shuffled; bit 1: plain copy; bit 2: bits are shuffled; bit 4: blocks are not split into
 *     one stream per byte of an element; bits 5 to 7: {@link BloscFormat}
 */
record BloscFrame(int flags, int typeSize, int decodedSize, int blockSize, int frameSize) {
    static final int HEADER = 16;
    static final int SHUFFLED = 1;
    static final int COPIED = 2;
    static final int BIT_SHUFFLED = 4;
    static final int NOT_SPLIT = 16;

    /** The smallest size of a compressed chunk, and of a stream of a split block. */
    static final int MIN_BYTES = 128;

    /** The largest number of streams; blocks of larger elements are not split. */
    static final int MAX_STREAMS = 16;

    private static final int VERSION = 2;
    private static final int FUTURE = 8;

    /**
     * Reads the header at position 0, and checks it as far as possible without the blocks.
     *
     * @param frame a little-endian buffer with at least the header, if the frame has a complete one
     * @param available the size of the frame in bytes
     * @param limit the largest allowed decoded size, in bytes
     */
    static BloscFrame read(ByteBuffer frame, long available, int limit) throws CodecException {
        if (available < HEADER) {
            throw new CodecException("blosc: a frame of " + available + " bytes is cut off");
        }
        if (frame.get(0) != VERSION) {
            throw new CodecException("blosc: frames of version " + frame.get(0) + " are not supported");
        }
        BloscFrame header = new BloscFrame(
                frame.get(2) & 255, frame.get(3) & 255, frame.getInt(4), frame.getInt(8), frame.getInt(12));
        if (header.frameSize != available) {
            throw new CodecException("blosc: the frame has " + available + " bytes instead of " + header.frameSize
                    + " as in its header");
        }
        if ((header.flags & FUTURE) != 0) {
            throw new CodecException("blosc: flags " + header.flags + " are not supported");
        }
        if (header.decodedSize < 0 || header.decodedSize > limit) {
            throw new CodecException(
                    "blosc: the frame has a header for " + header.decodedSize + " decoded bytes instead of " + limit);
        }
        boolean empty = header.decodedSize == 0;
        if (header.isCopy()) {
            if (header.frameSize - HEADER != header.decodedSize) {
                throw new CodecException(
                        "blosc: a plain copy of " + header.decodedSize + " bytes has " + header.frameSize + " bytes");
            }
        } else if (!empty
                && (header.blockSize <= 0
                        || header.blockSize > header.decodedSize
                        || header.typeSize == 0
                        || header.blocks() > (available - HEADER) / Integer.BYTES)) {
            throw new CodecException("blosc: blocks of " + header.blockSize + " bytes with elements of "
                    + header.typeSize + " bytes are not valid for " + header.decodedSize
                    + " decoded bytes in a frame of "
                    + available + " bytes");
        }
        return header;
    }

    /** {@return the size of the header and the positions of {@code blocks} blocks, in bytes} */
    static int headSize(int blocks) {
        return HEADER + Integer.BYTES * blocks;
    }

    void write(ByteBuffer frame) {
        frame.put(0, (byte) VERSION).put(1, (byte) 1).put(2, (byte) flags).put(3, (byte) typeSize);
        frame.putInt(4, decodedSize).putInt(8, blockSize).putInt(12, frameSize);
    }

    boolean isCopy() {
        return (flags & COPIED) != 0;
    }

    boolean isShuffled() {
        return (flags & SHUFFLED) != 0 && typeSize > 1;
    }

    boolean isBitShuffled() {
        return !isShuffled() && (flags & BIT_SHUFFLED) != 0;
    }

    int blocks() {
        return Math.toIntExact(((long) decodedSize + blockSize - 1) / blockSize);
    }

    /** {@return the decoded size of a block in bytes; the last block can be smaller} */
    int size(int block) {
        return (int) Math.min(blockSize, decodedSize - (long) block * blockSize);
    }

    /** {@return the number of streams of a block of {@code size} bytes} */
    int streams(int size) {
        boolean split = (flags & NOT_SPLIT) == 0 && size == blockSize && isSplit(typeSize, blockSize);
        return split ? typeSize : 1;
    }

    static boolean isSplit(int typeSize, int blockSize) {
        return typeSize <= MAX_STREAMS && blockSize / typeSize >= MIN_BYTES;
    }

    BloscFrame withFrameSize(int size) {
        return new BloscFrame(flags, typeSize, decodedSize, blockSize, size);
    }
}
