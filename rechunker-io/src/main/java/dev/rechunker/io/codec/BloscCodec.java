package dev.rechunker.io.codec;

import dev.rechunker.memory.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;

/**
 * Blosc 1 frames: the chunk is cut into blocks that fit a cache, each is shuffled, perhaps split into one stream per
 * byte of an element, and compressed.
 *
 * <p>Frames are laid out as c-blosc 1.21 lays them out by default, so that all its versions read them, and blocks are
 * as large as it makes them, so that they are as small. Block by block they are decoded straight to their place.
 */
final class BloscCodec implements Codec {
    private static final int MAX_TYPE_SIZE = 255;
    private static final int CACHE = 32 << 10;
    private static final int MAX_BLOCK = 1 << 20;

    private final String cname;
    private final int clevel;
    private final int shuffle;
    private final int typeSize;
    private final int forcedBlockSize;
    private final BloscFormat format;
    private final BlockCompressor writer;
    private final Map<BloscFormat, BlockCompressor> readers = new EnumMap<>(BloscFormat.class);

    /** @param shuffle 0 nothing, 1 bytes, 2 bits */
    private BloscCodec(String cname, int clevel, int shuffle, int typeSize, int forcedBlockSize) throws CodecException {
        this.cname = cname;
        this.clevel = clevel;
        this.shuffle = shuffle;
        this.typeSize = typeSize;
        this.forcedBlockSize = forcedBlockSize;
        this.format = BloscFormat.of(cname);
        this.writer = BloscFormat.writer(cname, Math.max(1, clevel));
    }

    /** {@return the codec that these options describe for elements of {@code itemSize} bytes} */
    static BloscCodec create(Options options, int itemSize) throws CodecException {
        options.ignore("nthreads");
        String cname = options.text("cname");
        int clevel = options.integer("clevel", 5, 0, 9);
        int typeSize = options.integer("typesize", itemSize, 1, Integer.MAX_VALUE);
        int blockSize = options.integer("blocksize", 0, 0, Integer.MAX_VALUE);
        int shuffle = shuffle(options, itemSize);
        options.end();
        return new BloscCodec(
                cname == null ? "lz4" : cname, clevel, shuffle, typeSize > MAX_TYPE_SIZE ? 1 : typeSize, blockSize);
    }

    private static int shuffle(Options options, int itemSize) throws CodecException {
        Object value = options.take("shuffle");
        if (value == null) {
            return 1;
        }
        if (value instanceof Number number && number.doubleValue() == number.intValue()) {
            switch (number.intValue()) {
                case -1 -> {
                    return itemSize == 1 ? 2 : 1;
                }
                case 0, 1, 2 -> {
                    return number.intValue();
                }
                default -> {}
            }
        }
        return switch (value.toString()) {
            case "noshuffle" -> 0;
            case "shuffle" -> 1;
            case "bitshuffle" -> 2;
            default -> throw options.refusal("shuffle", value, "is not supported");
        };
    }

    @Override
    public String name() {
        return "blosc";
    }

    @Override
    public String identity() {
        return "blosc(" + cname + "," + clevel + "," + shuffle + "," + typeSize + "," + forcedBlockSize + ")";
    }

    /** Room for a plain copy, and for finding out that it must be one; a smaller chunk may take a block more. */
    @Override
    public long maxEncodedSize(long decodedSize) {
        int block = blockSize(decodedSize);
        long blocks = (decodedSize + block - 1) / block + 1;
        return BloscFrame.HEADER
                + decodedSize
                + Integer.BYTES * (blocks * (1 + BloscFrame.MAX_STREAMS))
                + (writer.maxCompressedSize(block) - block);
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(decodeScratch(decodedSize), ZlibBlocks.INFLATE_MEMORY + ZstdBlocks.DECOMPRESSION_MEMORY);
    }

    /** A frame may come from any writer, so its blocks may be larger than ours; those of c-blosc fit. */
    private long decodeScratch(long decodedSize) {
        return Math.min(decodedSize, Math.max(forcedBlockSize, Math.max(2 * MAX_BLOCK, typeSize << 18)));
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        int block = blockSize(decodedSize);
        return new Needs((long) shuffle * block, writer.compressionMemory(block));
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        ByteBuffer in = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = decoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        BloscFrame frame = BloscFrame.read(in, out.limit());
        if (frame.isCopy()) {
            out.put(0, in, BloscFrame.HEADER, frame.decodedSize());
        } else if (frame.decodedSize() > 0) {
            decodeBlocks(frame, in, out, scratch);
        }
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + frame.decodedSize());
    }

    private void decodeBlocks(BloscFrame frame, ByteBuffer in, ByteBuffer out, Scratch scratch) throws CodecException {
        BlockCompressor reader = reader(frame.flags());
        boolean shuffled = frame.isShuffled() || frame.isBitShuffled();
        if (shuffled && frame.blockSize() > scratch.available()) {
            throw new CodecException("blosc: the frame has blocks of " + frame.blockSize() + " bytes, but only "
                    + scratch.available() + " were expected; the option blocksize can say so");
        }
        int mark = scratch.mark();
        ByteBuffer temporary = scratch.take(shuffled ? frame.blockSize() : 0);
        for (int block = 0; block < frame.blocks(); block++) {
            int size = frame.size(block);
            int to = block * frame.blockSize();
            int start = in.getInt(BloscFrame.HEADER + Integer.BYTES * block);
            boolean bits = frame.isBitShuffled() && size / frame.typeSize() % 8 == 0;
            if (frame.isShuffled()) {
                decompress(frame, reader, in, start, temporary, 0, size);
                ByteShuffle.unshuffle(temporary, 0, out, to, frame.typeSize(), size);
            } else {
                decompress(frame, reader, in, start, out, to, size);
                if (bits) {
                    int elements = size / frame.typeSize();
                    BitShuffle.join(out, to, temporary, 0, frame.typeSize(), elements);
                    int whole = elements * frame.typeSize();
                    ByteShuffle.unshuffle(temporary, 0, out, to, frame.typeSize(), whole);
                }
            }
        }
        scratch.release(mark);
    }

    private static void decompress(
            BloscFrame frame, BlockCompressor reader, ByteBuffer in, int start, ByteBuffer out, int to, int size)
            throws CodecException {
        int streams = frame.streams(size);
        int each = size / streams;
        int from = start;
        for (int stream = 0; stream < streams; stream++) {
            if (from < BloscFrame.HEADER || from > in.limit() - Integer.BYTES) {
                throw new CodecException("blosc: a stream begins at byte " + from + " of " + in.limit());
            }
            int compressed = in.getInt(from);
            from += Integer.BYTES;
            if (compressed < 0 || compressed > in.limit() - from) {
                throw new CodecException(
                        "blosc: a stream of " + compressed + " bytes at byte " + from + " of " + in.limit());
            }
            if (compressed == each) {
                out.put(to, in, from, each);
            } else {
                reader.decompress(in, from, compressed, out, to, each);
            }
            from += compressed;
            to += each;
        }
        if (each * streams != size) {
            throw new CodecException("blosc: a block of " + size + " bytes cannot have " + streams + " streams");
        }
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

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        ByteBuffer in = decoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        int size = in.limit();
        int flags = format.flags()
                | (shuffle == 1 ? BloscFrame.SHUFFLED : 0)
                | (shuffle == 2 ? BloscFrame.BIT_SHUFFLED : 0);
        int block = blockSize(size);
        boolean split = format != BloscFormat.ZSTD && BloscFrame.splits(typeSize, block);
        BloscFrame frame = new BloscFrame(split ? flags : flags | BloscFrame.NOT_SPLIT, typeSize, size, block, 0);
        int total = size < BloscFrame.MIN_BYTES || clevel == 0 ? 0 : encodeBlocks(frame, in, out, scratch);
        if (total == 0) {
            total = BloscFrame.HEADER + size;
            frame = new BloscFrame(frame.flags() | BloscFrame.COPIED, typeSize, size, block, total);
            out.put(BloscFrame.HEADER, in, 0, size);
        }
        frame.withFrameSize(total).write(out);
        decoded.position(decoded.limit());
        encoded.position(encoded.position() + total);
    }

    /** {@return the size of the frame; 0 if it would be no smaller than a plain copy} */
    private int encodeBlocks(BloscFrame frame, ByteBuffer in, ByteBuffer out, Scratch scratch) throws CodecException {
        int mark = scratch.mark();
        ByteBuffer planes = scratch.take(frame.isShuffled() || frame.isBitShuffled() ? frame.blockSize() : 0);
        ByteBuffer bits = scratch.take(frame.isBitShuffled() ? frame.blockSize() : 0);
        int end = BloscFrame.HEADER + Integer.BYTES * frame.blocks();
        for (int block = 0; block < frame.blocks() && end > 0; block++) {
            int size = frame.size(block);
            int from = block * frame.blockSize();
            out.putInt(BloscFrame.HEADER + Integer.BYTES * block, end);
            int elements = size / frame.typeSize();
            if (frame.isShuffled()) {
                ByteShuffle.shuffle(in, from, planes, 0, frame.typeSize(), size);
                end = compress(frame, planes, 0, size, out, end);
            } else if (frame.isBitShuffled() && elements % 8 == 0) {
                int whole = elements * frame.typeSize();
                ByteShuffle.shuffle(in, from, planes, 0, frame.typeSize(), whole);
                BitShuffle.split(planes, 0, bits, 0, frame.typeSize(), elements);
                bits.put(whole, in, from + whole, size - whole);
                end = compress(frame, bits, 0, size, out, end);
            } else {
                end = compress(frame, in, from, size, out, end);
            }
        }
        scratch.release(mark);
        return end;
    }

    /** {@return where the compressed block ends; 0 if that is behind the end of a plain copy} */
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
            if (to >= BloscFrame.HEADER + frame.decodedSize()) {
                return 0;
            }
        }
        return to;
    }

    /** {@return the size of the blocks of a chunk, as c-blosc 1.21 chooses it} */
    private int blockSize(long decodedSize) {
        long block = decodedSize;
        if (forcedBlockSize > 0) {
            block = Math.max(forcedBlockSize, BloscFrame.MIN_BYTES);
        } else if (decodedSize >= CACHE) {
            boolean slow = cname.equals("lz4hc") || format == BloscFormat.ZLIB || format == BloscFormat.ZSTD;
            block = (slow ? 2L : 1L) * CACHE;
            block = switch (clevel) {
                case 0 -> block / 4;
                case 1 -> block / 2;
                case 2 -> block;
                case 3 -> block * 2;
                case 4, 5 -> block * 4;
                case 6, 7, 8 -> block * 8;
                default -> block * (slow ? 16 : 8);
            };
        }
        if (clevel > 0
                && format != BloscFormat.ZSTD
                && block > 0
                && block / typeSize >= BloscFrame.MIN_BYTES
                && typeSize <= BloscFrame.MAX_STREAMS) {
            block = Math.min(MAX_BLOCK, Math.max(1 << 16, Math.min(block, 1 << 18) * typeSize));
        }
        block = Math.min(block, decodedSize);
        if (block > typeSize) {
            block = block / typeSize * typeSize;
        }
        return (int) Math.max(1, Math.min(block, Integer.MAX_VALUE));
    }

    @Override
    public void close() {
        writer.close();
        synchronized (readers) {
            readers.values().forEach(BlockCompressor::close);
        }
    }
}
