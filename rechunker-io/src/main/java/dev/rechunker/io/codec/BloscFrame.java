package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * The header of a Blosc 1 frame: 16 little-endian bytes, followed, unless the frame is a plain copy, by the place of
 * each block within the frame (4 bytes each).
 *
 * <p>Bytes: version of the frame (2), version of the compressed format, flags, type size, then as {@code int} decoded
 * size, block size, and size of the whole frame.
 *
 * @param flags bit 0: bytes are shuffled; 1: plain copy; 2: bits are shuffled; 4: blocks are not split into one stream
 *     per byte of an element; 5 to 7: {@link BloscFormat}
 */
record BloscFrame(int flags, int typeSize, int decodedSize, int blockSize, int frameSize) {
    static final int HEADER = 16;
    static final int SHUFFLED = 1;
    static final int COPIED = 2;
    static final int BIT_SHUFFLED = 4;
    static final int NOT_SPLIT = 16;

    /** Fewer bytes than this are never compressed, and no stream is made shorter by splitting. */
    static final int MIN_BYTES = 128;

    /** Elements of more bytes than this are never split. */
    static final int MAX_STREAMS = 16;

    private static final int VERSION = 2;
    private static final int FUTURE = 8;

    /**
     * Reads the header at position 0 and checks all that can be checked without the blocks.
     *
     * @param frame a little-endian buffer with at least the header, if there is so much
     * @param available the bytes of the frame
     * @param room the most bytes that it may decode to
     */
    static BloscFrame read(ByteBuffer frame, long available, int room) throws CodecException {
        if (available < HEADER) {
            throw new CodecException("blosc: a frame of " + available + " bytes is cut off");
        }
        if (frame.get(0) != VERSION) {
            throw new CodecException("blosc: frames of version " + frame.get(0) + " are not supported");
        }
        BloscFrame header = new BloscFrame(
                frame.get(2) & 255, frame.get(3) & 255, frame.getInt(4), frame.getInt(8), frame.getInt(12));
        if (header.frameSize != available) {
            throw new CodecException(
                    "blosc: the frame says it has " + header.frameSize + " bytes, but there are " + available);
        }
        if ((header.flags & FUTURE) != 0) {
            throw new CodecException("blosc: flags " + header.flags + " are not supported");
        }
        if (header.decodedSize < 0 || header.decodedSize > room) {
            throw new CodecException(
                    "blosc: the frame says it decodes to " + header.decodedSize + " bytes, not to " + room);
        }
        boolean empty = header.decodedSize == 0;
        if (header.isCopy()) {
            if (header.frameSize - HEADER != header.decodedSize) {
                throw new CodecException(
                        "blosc: a plain copy of " + header.decodedSize + " bytes cannot take " + header.frameSize);
            }
        } else if (!empty
                && (header.blockSize <= 0
                        || header.blockSize > header.decodedSize
                        || header.typeSize == 0
                        || header.blocks() > (available - HEADER) / Integer.BYTES)) {
            throw new CodecException("blosc: blocks of " + header.blockSize + " bytes with elements of "
                    + header.typeSize + " bytes cannot make " + header.decodedSize + " in a frame of " + available);
        }
        return header;
    }

    /** {@return the bytes of the header and of the places of so many blocks} */
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

    /** {@return the bytes that a block decodes to; the last may be short} */
    int size(int block) {
        return (int) Math.min(blockSize, decodedSize - (long) block * blockSize);
    }

    /** {@return the number of streams that a block of {@code size} bytes is split into} */
    int streams(int size) {
        boolean split = (flags & NOT_SPLIT) == 0 && size == blockSize && splits(typeSize, blockSize);
        return split ? typeSize : 1;
    }

    static boolean splits(int typeSize, int blockSize) {
        return typeSize <= MAX_STREAMS && blockSize / typeSize >= MIN_BYTES;
    }

    BloscFrame withFrameSize(int size) {
        return new BloscFrame(flags, typeSize, decodedSize, blockSize, size);
    }
}
