package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Encodes Blosc 1 frames, and decodes them and those of Blosc 2 that have nothing that Blosc 1 lacks. A chunk is
 * divided into blocks that fit into a processor cache. Each block is shuffled, optionally split into one stream per
 * byte of an element, and compressed.
 *
 * <p>The layout of frames is that of c-blosc 1.21 by default, so that all its versions can read them. The size of
 * blocks is the same too, so that the compression ratio is similar. Blocks are decoded directly to their position.
 */
final class BloscCodec implements StreamCodec {
    private static final int CACHE = 32 << 10;
    private static final int MAX_BLOCK = 1 << 20;

    /** The size of pieces of a frame that are read or written at once when the frame is not in memory. */
    private static final int READ = 1 << 20;

    private static final int WRITE = 1 << 20;

    /** The divisor of the block size that gives the smallest part. */
    private static final int LEAST_PART = 8;

    private final String cname;
    private final int clevel;
    private final int shuffle;
    private final int typeSize;
    private final int forcedBlockSize;
    private final BloscFormat format;
    private final BlockCompressor writer;
    private final BloscBlocks blocks;

    /** @param shuffle 0 for none, 1 for bytes, 2 for bits */
    private BloscCodec(String cname, int clevel, int shuffle, int typeSize, int forcedBlockSize) throws CodecException {
        this.cname = cname;
        this.clevel = clevel;
        this.shuffle = shuffle;
        this.typeSize = typeSize;
        this.forcedBlockSize = forcedBlockSize;
        this.format = BloscFormat.of(cname);
        this.writer = BloscFormat.writer(cname, Math.max(1, clevel));
        this.blocks = new BloscBlocks(format, writer);
    }

    /** {@return the codec for options and elements of {@code itemSize} bytes} */
    static BloscCodec create(CodecOptions options, int itemSize) throws CodecException {
        options.ignore("nthreads");
        String cname = options.text("cname");
        int clevel = options.integer("clevel", 5, 0, 9);
        int typeSize = options.integer("typesize", itemSize, 1, Integer.MAX_VALUE);
        int blockSize = options.integer("blocksize", 0, 0, Integer.MAX_VALUE);
        int shuffle = shuffle(options, itemSize);
        options.requireNoOthers();
        return new BloscCodec(
                cname == null ? "lz4" : cname, clevel, shuffle, BloscSettings.typeSize(typeSize), blockSize);
    }

    private static int shuffle(CodecOptions options, int itemSize) throws CodecException {
        Object value = options.take("shuffle");
        if (value == null) {
            return 1;
        }
        int number = BloscSettings.SHUFFLES.indexOf(BloscSettings.shuffle(value, itemSize));
        if (number < 0) {
            throw options.refusal("shuffle", value, "is not supported");
        }
        return number;
    }

    @Override
    public String name() {
        return "blosc";
    }

    @Override
    public String identity() {
        return "blosc(" + cname + "," + clevel + "," + shuffle + "," + typeSize + "," + forcedBlockSize + ")";
    }

    /**
     * {@inheritDoc}
     *
     * <p>This is enough for a plain copy, and for the attempt to compress before that. A smaller chunk can have one
     * block more. A chunk that is assembled from parts has more blocks.
     */
    @Override
    public long maxEncodedSize(long decodedSize) {
        int block = blockSize(decodedSize);
        long blocks = LEAST_PART * ((decodedSize + block - 1) / block) + 1;
        return BloscFrame.HEADER
                + decodedSize
                + Integer.BYTES * (blocks * (1 + BloscFrame.MAX_STREAMS))
                + (writer.maxCompressedSize(block) - block);
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(decodeScratch(decodedSize), ZlibBlocks.INFLATE_MEMORY + ZstdBlocks.DECOMPRESSION_MEMORY);
    }

    /** {@return the memory for decoding a block; it is enough for blocks of c-blosc, which can be larger than ours} */
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
        BloscFrame frame = BloscFrame.read(in, in.limit(), out.limit());
        int mark = scratch.mark();
        try {
            if (frame.isRepeated()) {
                fill(out, 0, frame.decodedSize(), frame.repeated(in), 0);
            } else if (frame.isCopy()) {
                out.put(0, in, frame.head(), frame.decodedSize());
            } else if (frame.decodedSize() > 0) {
                FrameWindow window = FrameWindow.of(in);
                ByteBuffer temporary = scratch.take(temporarySize(frame, scratch.available()));
                for (int block = 0; block < frame.blocks(); block++) {
                    int start = in.getInt(frame.startAt(block));
                    blocks.decode(frame, window, start, frame.size(block), out, block * frame.blockSize(), temporary);
                }
            }
        } catch (CodecException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        } finally {
            scratch.release(mark);
        }
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + frame.decodedSize());
    }

    /**
     * Fills a part of a buffer with repetitions of a value.
     *
     * @param skipped the number of bytes of the repetitions that are before the part
     */
    private static void fill(ByteBuffer out, int from, int to, byte[] value, long skipped) {
        int next = (int) (skipped % value.length);
        for (int i = from; i < to; i++) {
            out.put(i, value[next]);
            next = next + 1 == value.length ? 0 : next + 1;
        }
    }

    private static int temporarySize(BloscFrame frame, int available) throws CodecException {
        int size = frame.isShuffled() || frame.isBitShuffled() ? frame.blockSize() : 0;
        requireBlock(size, available);
        return size;
    }

    private static void requireBlock(int size, int available) throws CodecException {
        if (size > available) {
            throw new CodecException("blosc: the frame has blocks of " + size + " bytes, but at most " + available
                    + " bytes are supported; set the option blocksize to the size of blocks");
        }
    }

    @Override
    public boolean prefersStream(long decodedSize) {
        return true;
    }

    @Override
    public Needs decodeStreamNeeds(long decodedSize, int itemSize) {
        long block = decodeScratch(decodedSize);
        return new Needs(
                window(decodedSize) + 2 * block + itemSize + BlockPlaces.BUFFER,
                decodeNeeds(decodedSize).nativeBytes());
    }

    private long window(long decodedSize) {
        return Math.min(maxEncodedSize(decodedSize), Math.max(READ, decodeScratch(decodedSize)));
    }

    @Override
    public long blockBytes(long decodedSize) {
        return blockSize(decodedSize);
    }

    @Override
    public void decodeStream(
            EncodedUnit encoded, long decodedSize, long from, long to, int itemSize, RunSink decoded, Scratch scratch)
            throws IOException {
        int mark = scratch.mark();
        ByteBuffer starts = scratch.take(BlockPlaces.BUFFER);
        int header = (int) Math.min(Blosc2Header.SIZE, encoded.size());
        encoded.read(0, starts.limit(header));
        BloscFrame frame = BloscFrame.read(starts, encoded.size(), (int) decodedSize);
        if (frame.decodedSize() != decodedSize) {
            throw new CodecException(
                    "blosc: the chunk decodes to " + frame.decodedSize() + " bytes instead of " + decodedSize);
        }
        int most = (int) decodeScratch(decodedSize);
        ByteBuffer out = scratch.take((long) most + itemSize);
        if (frame.isRepeated()) {
            encoded.read(0, starts.clear().limit((int) encoded.size()));
            repeatStream(frame.repeated(starts), from, to, itemSize, out, decoded);
        } else if (frame.isCopy()) {
            copyStream(encoded, frame.head(), from, to, itemSize, out, decoded);
        } else {
            requireBlock(frame.blockSize(), most);
            ByteBuffer temporary = scratch.take(most);
            FrameWindow window = FrameWindow.over(encoded, scratch.take(window(decodedSize)));
            BlockPlaces places = new BlockPlaces(frame, encoded, starts);
            decodeBlocks(frame, window, places, (int) from, (int) to, itemSize, out, temporary, decoded);
        }
        scratch.release(mark);
    }

    private void decodeBlocks(
            BloscFrame frame,
            FrameWindow window,
            BlockPlaces places,
            int from,
            int to,
            int itemSize,
            ByteBuffer out,
            ByteBuffer temporary,
            RunSink decoded)
            throws IOException {
        int first = from / frame.blockSize();
        int endBlock = (int) (((long) to + frame.blockSize() - 1) / frame.blockSize());
        int carried = 0;
        int loaded = first;
        for (int block = first; block < endBlock; block++) {
            if (block == loaded) {
                loaded = places.load(block, endBlock, window);
            }
            int size = frame.size(block);
            blocks.decode(frame, window, places.start(block), size, out, carried, temporary);
            int unwanted = block == first ? from - first * frame.blockSize() : 0;
            int end = carried + Math.min(size, to - block * frame.blockSize());
            carried = passElements(out, unwanted, end, itemSize, decoded);
        }
    }

    private static void repeatStream(byte[] value, long from, long to, int itemSize, ByteBuffer out, RunSink decoded)
            throws IOException {
        int carried = 0;
        for (long at = from; at < to; ) {
            int size = (int) Math.min(out.capacity() - carried, to - at);
            fill(out, carried, carried + size, value, at);
            carried = passElements(out, 0, carried + size, itemSize, decoded);
            at += size;
        }
    }

    private static void copyStream(
            EncodedUnit encoded, int head, long from, long to, int itemSize, ByteBuffer out, RunSink decoded)
            throws IOException {
        int carried = 0;
        for (long at = from; at < to; ) {
            int size = (int) Math.min(out.capacity() - carried, to - at);
            out.clear().position(carried).limit(carried + size);
            encoded.read(head + at, out);
            carried = passElements(out, 0, carried + size, itemSize, decoded);
            at += size;
        }
    }

    /**
     * Passes all complete elements from {@code from} to {@code to} to the sink, and moves the rest to the front of the
     * buffer; {@return the size of the rest}
     */
    private static int passElements(ByteBuffer out, int from, int to, int itemSize, RunSink decoded)
            throws IOException {
        int whole = (to - from) / itemSize * itemSize;
        int rest = to - from - whole;
        decoded.accept(out.slice(from, whole));
        if (from + whole > 0 && rest > 0) {
            out.put(0, out, from + whole, rest);
        }
        return rest;
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        ByteBuffer out = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            long total = encode(decoded, new FrameOutput(out), scratch);
            encoded.position(encoded.position() + (int) total);
        } catch (CodecException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        decoded.position(decoded.limit());
    }

    @Override
    public Needs encodeStreamNeeds(long decodedSize) {
        Needs needs = encodeNeeds(decodedSize);
        return new Needs(needs.scratchBytes() + pieceSize(decodedSize), needs.nativeBytes());
    }

    /** {@return the size of a buffer for the head of a frame and the blocks that are collected after it} */
    private long pieceSize(long decodedSize) {
        int block = blockSize(decodedSize);
        int blocks = Math.toIntExact((decodedSize + block - 1) / block);
        return BloscFrame.headSize(blocks) + Math.min(WRITE, decodedSize) + this.blocks.maxBlockSize(block);
    }

    @Override
    public long encodeStream(ByteBuffer decoded, CodecChain.EncodedSink encoded, Scratch scratch) throws IOException {
        int mark = scratch.mark();
        int size = decoded.remaining();
        FrameOutput output =
                new FrameOutput(encoded, scratch.take(pieceSize(size)), blocks.maxBlockSize(blockSize(size)));
        long total = encode(decoded, output, scratch);
        scratch.release(mark);
        return total;
    }

    /**
     * {@return the header of a frame with blocks of {@code block} bytes; its frame size is 0, because it is not known
     * yet}
     */
    private BloscFrame frame(int size, int block) {
        int flags = format.flags()
                | (shuffle == 1 ? BloscFrame.SHUFFLED : 0)
                | (shuffle == 2 ? BloscFrame.BIT_SHUFFLED : 0);
        boolean split = format != BloscFormat.ZSTD && BloscFrame.isSplit(typeSize, block);
        return new BloscFrame(split ? flags : flags | BloscFrame.NOT_SPLIT, typeSize, size, block, 0);
    }

    @Override
    public Optional<PartEncoder> parts(int decodedSize, int partBytes) {
        int block = blockSize(decodedSize);
        boolean possible = clevel > 0
                && partBytes >= BloscFrame.MIN_BYTES
                && (forcedBlockSize == 0 ? partBytes >= block / LEAST_PART : partBytes == block);
        return possible
                ? Optional.of(new BloscParts(
                        frame(decodedSize, partBytes),
                        blocks,
                        new Needs(
                                (long) shuffle * partBytes + blocks.maxBlockSize(partBytes),
                                writer.compressionMemory(partBytes))))
                : Optional.empty();
    }

    @Override
    public int partBytes(int decodedSize) {
        return blockSize(decodedSize);
    }

    private long encode(ByteBuffer decoded, FrameOutput output, Scratch scratch) throws IOException {
        ByteBuffer in = decoded.slice().order(ByteOrder.LITTLE_ENDIAN);
        int size = in.limit();
        BloscFrame frame = frame(size, blockSize(size));
        boolean compressed = size >= BloscFrame.MIN_BYTES && clevel > 0 && encodeBlocks(frame, in, output, scratch);
        return compressed ? output.end(frame) : output.copy(frame, in);
    }

    /** {@return whether the frame is smaller than a plain copy; if not, encoding stops early} */
    private boolean encodeBlocks(BloscFrame frame, ByteBuffer in, FrameOutput output, Scratch scratch)
            throws IOException {
        int mark = scratch.mark();
        ByteBuffer planes = scratch.take(frame.isShuffled() || frame.isBitShuffled() ? frame.blockSize() : 0);
        ByteBuffer bits = scratch.take(frame.isBitShuffled() ? frame.blockSize() : 0);
        output.begin(frame.blocks());
        boolean smaller = true;
        for (int block = 0; block < frame.blocks() && smaller; block++) {
            int from = block * frame.blockSize();
            int to = output.beginBlock(block);
            int end = blocks.encode(frame, in, from, frame.size(block), planes, bits, output.bytes(), to);
            smaller = output.endBlock(end, BloscFrame.HEADER + (long) frame.decodedSize());
        }
        scratch.release(mark);
        return smaller;
    }

    /** {@return the size of blocks of a chunk, as in c-blosc 1.21} */
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
        blocks.close();
    }
}
