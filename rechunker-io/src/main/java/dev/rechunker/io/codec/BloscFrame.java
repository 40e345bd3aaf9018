package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The header of a Blosc 1 frame: 16 little-endian bytes. Unless the frame is a plain copy, the positions of blocks in
 * the frame follow, with 4 bytes each. Frames of Blosc 2, which it calls chunks, can be read if they have nothing that
 * Blosc 1 lacks; a {@link Blosc2Header} is part of their header.
 *
 * <p>The bytes are: version of the frame (2; 3 to 6 in Blosc 2), version of the compressed format, flags, type size;
 * and with 4 bytes each: decoded size, block size, frame size.
 *
 * @param flags bit 0: bytes are shuffled; bit 1: plain copy; bit 2: bits are shuffled; bit 4: blocks are not split into
 *     one stream per byte of an element; bits 5 to 7: {@link BloscFormat}
 * @param version the version of the frame
 * @param head the size of the header
 * @param more the other properties of a frame of Blosc 2; null if it has none
 */
record BloscFrame(
        int flags,
        int typeSize,
        int decodedSize,
        int blockSize,
        int frameSize,
        int version,
        int head,
        @Nullable Blosc2Header more) {
    static final int HEADER = 16;
    static final int SHUFFLED = 1;
    static final int COPIED = 2;
    static final int BIT_SHUFFLED = 4;
    static final int NOT_SPLIT = 16;

    /** The smallest size of a compressed chunk, and of a stream of a split block. */
    static final int MIN_BYTES = 128;

    /** The largest value that is repeated in all elements of a frame of Blosc 2, in bytes. */
    static final int LARGEST_VALUE = 2048;

    /** The largest number of streams; blocks of larger elements are not split. */
    static final int MAX_STREAMS = 16;

    /** The text that frames of Blosc 2 have at byte 2, {@code b2frame} and a zero, little-endian. */
    private static final long BLOSC2_FRAME = 0x656d6172663262L;

    private static final int VERSION = 2;
    private static final int LAST_VERSION = 6;
    private static final int FUTURE = 8;

    /** Creates the header of a Blosc 1 frame. */
    BloscFrame(int flags, int typeSize, int decodedSize, int blockSize, int frameSize) {
        this(flags, typeSize, decodedSize, blockSize, frameSize, VERSION, HEADER, null);
    }

    /**
     * Reads the header at position 0, and checks it as far as possible without the blocks.
     *
     * @param frame a little-endian buffer with at least {@link Blosc2Header#SIZE} bytes, if the frame has as many
     * @param available the size of the frame in bytes
     * @param limit the largest allowed decoded size, in bytes
     */
    static BloscFrame read(ByteBuffer frame, long available, int limit) throws CodecException {
        if (available < HEADER) {
            throw new CodecException("blosc: a frame of " + available + " bytes is cut off");
        }
        int version = frame.get(0);
        if (version < VERSION || version > LAST_VERSION) {
            throw new CodecException(
                    frame.getLong(2) == BLOSC2_FRAME
                            ? "blosc: a frame of Blosc 2 with chunks of its own (b2frame) is not supported; first write"
                                    + " the array with another codec, with the library that wrote it"
                            : "blosc: frames of version " + version + " are not supported");
        }
        int flags = frame.get(2) & 255;
        int typeSize = frame.get(3) & 255;
        int head = HEADER;
        Blosc2Header more = null;
        if (version > VERSION && Blosc2Header.follows(flags)) {
            head = Blosc2Header.SIZE;
            if (available < head) {
                throw new CodecException("blosc: a frame of " + available + " bytes is cut off");
            }
            more = Blosc2Header.read(frame, flags, typeSize);
            flags = (flags & ~(SHUFFLED | BIT_SHUFFLED)) | more.shuffle();
        }
        BloscFrame header = new BloscFrame(
                flags, typeSize, frame.getInt(4), frame.getInt(8), frame.getInt(12), version, head, more);
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
        if (header.isRepeated()) {
            if (header.frameSize - head > Math.min(header.decodedSize, LARGEST_VALUE)) {
                throw new CodecException("blosc: a repeated value of " + (header.frameSize - head)
                        + " bytes is not valid for " + header.decodedSize + " decoded bytes");
            }
        } else if (header.isCopy()) {
            if (header.frameSize - head != header.decodedSize) {
                throw new CodecException(
                        "blosc: a plain copy of " + header.decodedSize + " bytes has " + header.frameSize + " bytes");
            }
        } else if (!empty
                && (header.blockSize <= 0
                        || header.blockSize > header.decodedSize
                        || header.typeSize == 0
                        || header.blocks() > (available - head) / Integer.BYTES)) {
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

    /** {@return the position in the frame at which the position of a block is} */
    int startAt(int block) {
        return head + Integer.BYTES * block;
    }

    /** {@return whether all elements have the same value, which is all that is stored} */
    boolean isRepeated() {
        return more != null && more.value() != Blosc2Header.NO_VALUE;
    }

    /**
     * {@return the bytes that are repeated in all elements}
     *
     * @param frame a buffer with the beginning of the frame, at position 0
     */
    byte[] repeated(ByteBuffer frame) throws CodecException {
        byte[] value = more == null ? null : more.repeated(typeSize);
        if (value == null) {
            value = new byte[frameSize - head];
            if (value.length == 0) {
                throw new CodecException("blosc: a repeated value is cut off");
            }
            frame.get(head, value);
        }
        return value;
    }

    /** {@return whether streams can consist of one repeated byte, which is stored in their size} */
    boolean hasRuns() {
        return version > VERSION;
    }

    /** {@return how many elements of a block have shuffled bits, of a frame in which bits are shuffled} */
    int bitShuffled(int elements) {
        int rest = elements % 8;
        return version > VERSION ? elements - rest : rest == 0 ? elements : 0;
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
        boolean split =
                (flags & NOT_SPLIT) == 0 && size == blockSize && (version > VERSION || isSplit(typeSize, blockSize));
        return split ? typeSize : 1;
    }

    static boolean isSplit(int typeSize, int blockSize) {
        return typeSize <= MAX_STREAMS && blockSize / typeSize >= MIN_BYTES;
    }

    BloscFrame withFrameSize(int size) {
        return new BloscFrame(flags, typeSize, decodedSize, blockSize, size, version, head, more);
    }
}
