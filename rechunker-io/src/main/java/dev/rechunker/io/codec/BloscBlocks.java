package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;

/** Encodes and decodes blocks of Blosc frames, which are shuffled, split into streams and compressed. */
final class BloscBlocks {
    private final BloscFormat format;
    private final BlockCompressor writer;
    private final Map<BloscFormat, BlockCompressor> readers = new EnumMap<>(BloscFormat.class);

    /** @param writer the compressor for blocks of this format */
    BloscBlocks(BloscFormat format, BlockCompressor writer) {
        this.format = format;
        this.writer = writer;
    }

    /**
     * Decodes a block.
     *
     * @param start the position of the block in the frame
     * @param temporary a buffer for a block, if bytes or bits are shuffled
     */
    void decode(BloscFrame frame, FrameWindow in, long start, int size, ByteBuffer out, int to, ByteBuffer temporary)
            throws IOException {
        BlockCompressor reader = reader(frame.flags());
        if (frame.isShuffled()) {
            decompress(frame, reader, in, start, temporary, 0, size);
            ByteShuffle.unshuffle(temporary, 0, out, to, frame.typeSize(), size);
            return;
        }
        decompress(frame, reader, in, start, out, to, size);
        int elements = frame.isBitShuffled() ? frame.bitShuffled(size / frame.typeSize()) : 0;
        if (elements > 0) {
            BitShuffle.join(out, to, temporary, 0, frame.typeSize(), elements);
            ByteShuffle.unshuffle(temporary, 0, out, to, frame.typeSize(), elements * frame.typeSize());
        }
    }

    private static void decompress(
            BloscFrame frame, BlockCompressor reader, FrameWindow in, long start, ByteBuffer out, int to, int size)
            throws IOException {
        int streams = frame.streams(size);
        int each = size / streams;
        if (each * streams != size) {
            throw new CodecException(
                    "blosc: a block of " + size + " bytes cannot be split into " + streams + " streams");
        }
        long from = start;
        for (int stream = 0; stream < streams; stream++) {
            if (from < frame.head() || from > in.size() - Integer.BYTES) {
                throw new CodecException(
                        "blosc: a stream starts at byte " + from + " of a frame of " + in.size() + " bytes");
            }
            int compressed = in.bytes().getInt(in.at(from, Integer.BYTES));
            from += Integer.BYTES;
            if (compressed <= 0 && frame.hasRuns()) {
                from += repeat(in, from, compressed, out, to, each);
                to += each;
                continue;
            }
            if (compressed < 0 || compressed > in.size() - from) {
                throw new CodecException("blosc: a stream of " + compressed + " bytes starts at byte " + from
                        + " of a frame of " + in.size() + " bytes");
            }
            int at = in.at(from, compressed);
            if (compressed == each) {
                out.put(to, in.bytes(), at, each);
            } else {
                reader.decompress(in.bytes(), at, compressed, out, to, each);
            }
            from += compressed;
            to += each;
        }
    }

    /**
     * Decodes a stream that consists of one repeated byte, which is stored in its size: 0, or negative and followed by
     * a byte with the lowest bit set.
     *
     * @return the number of bytes that follow the size
     */
    private static int repeat(FrameWindow in, long from, int size, ByteBuffer out, int to, int count)
            throws IOException {
        if (size < 0) {
            boolean isRun = from < in.size() && (in.bytes().get(in.at(from, 1)) & 1) != 0;
            if (!isRun || size < -255) {
                throw new CodecException("blosc: a stream at byte " + from + " has the size " + size);
            }
        }
        for (int i = 0; i < count; i++) {
            out.put(to + i, (byte) -size);
        }
        return size < 0 ? 1 : 0;
    }

    private BlockCompressor reader(int flags) throws CodecException {
        BloscFormat found = BloscFormat.ofFlags(flags);
        if (found == null) {
            throw new CodecException("blosc: compressed format " + (flags >> 5) + " is not supported");
        }
        if (found == format) {
            return writer;
        }
        synchronized (readers) {
            BlockCompressor reader = readers.get(found);
            if (reader == null) {
                reader = found.reader();
                readers.put(found, reader);
            }
            return reader;
        }
    }

    /**
     * Encodes a block.
     *
     * @param from the position of the block in {@code in}
     * @param planes a buffer for a block, if bytes or bits are shuffled
     * @param bits a buffer for a block, if bits are shuffled
     * @return the end of the block in {@code out}
     */
    int encode(
            BloscFrame frame,
            ByteBuffer in,
            int from,
            int size,
            ByteBuffer planes,
            ByteBuffer bits,
            ByteBuffer out,
            int to)
            throws CodecException {
        int elements = size / frame.typeSize();
        if (frame.isShuffled()) {
            ByteShuffle.shuffle(in, from, planes, 0, frame.typeSize(), size);
            return compress(frame, planes, 0, size, out, to);
        }
        if (frame.isBitShuffled() && elements % 8 == 0) {
            int whole = elements * frame.typeSize();
            ByteShuffle.shuffle(in, from, planes, 0, frame.typeSize(), whole);
            BitShuffle.split(planes, 0, bits, 0, frame.typeSize(), elements);
            bits.put(whole, in, from + whole, size - whole);
            return compress(frame, bits, 0, size, out, to);
        }
        return compress(frame, in, from, size, out, to);
    }

    private int compress(BloscFrame frame, ByteBuffer in, int from, int size, ByteBuffer out, int to)
            throws CodecException {
        int streams = frame.streams(size);
        int each = size / streams;
        for (int stream = 0; stream < streams; stream++, from += each) {
            int compressed = writer.compress(in, from, each, out, to + Integer.BYTES);
            if (compressed <= 0 || compressed >= each) {
                compressed = each;
                out.put(to + Integer.BYTES, in, from, each);
            }
            out.putInt(to, compressed);
            to += Integer.BYTES + compressed;
        }
        return to;
    }

    /** {@return the buffer size for compressing a block of {@code size} bytes} */
    int maxBlockSize(int size) {
        return Math.max(size, writer.maxCompressedSize(size)) + Integer.BYTES * BloscFrame.MAX_STREAMS;
    }

    void close() {
        writer.close();
        synchronized (readers) {
            readers.values().forEach(BlockCompressor::close);
        }
    }
}
