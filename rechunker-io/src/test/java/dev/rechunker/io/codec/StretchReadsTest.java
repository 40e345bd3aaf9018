package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that no more of a Blosc frame is read than a stretch of its chunk takes. */
class StretchReadsTest {
    private static final int POSITION = Integer.BYTES;

    /** The bytes of a header, and of the positions of the blocks around a stretch. */
    private static final int HEAD = Blosc2Header.SIZE + POSITION * 64;

    /** A frame that counts what is read of it. */
    private static final class Counting implements EncodedUnit {
        private final byte[] frame;
        private long bytes;
        private int reads;

        Counting(byte[] frame) {
            this.frame = frame;
        }

        @Override
        public long size() {
            return frame.length;
        }

        @Override
        public void read(long offset, ByteBuffer target) {
            bytes += target.remaining();
            reads++;
            target.put(frame, Math.toIntExact(offset), target.remaining());
        }

        @Override
        public void close() {}
    }

    /** Two, eleven and 5000 blocks; the last ones in several pages of positions. */
    @ParameterizedTest
    @CsvSource({"lz4, 524288, 2", "zstd, 65536, 11", "zstd, 1024, 5000", "zlib, 524288, 3"})
    void onlyTheBlocksOfAStretchAreRead(String cname, int block, int blocks) throws IOException {
        int count = (block * blocks - block / 2) / 2;
        byte[] elements = elements(count);
        try (CodecChain chain = chain(cname, block, count)) {
            byte[] frame = Chunks.encode(chain, elements);
            ByteBuffer positions = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
            for (int from = 0; from < blocks; from += Math.max(1, blocks / 7)) {
                for (int to : new int[] {from + 1, from + (blocks - from) / 2, blocks}) {
                    if (to > from) {
                        long start = start(positions, from);
                        long end = to == blocks ? frame.length : start(positions, to);
                        Counting counting = new Counting(frame);
                        requireStretch(
                                chain,
                                counting,
                                elements,
                                (long) from * block,
                                Math.min(2L * count, (long) to * block));
                        long most = end - start + HEAD + POSITION * (to - from + 64L * (blocks / 900));
                        assertTrue(
                                counting.bytes <= most,
                                () -> counting.bytes + " bytes were read instead of " + (end - start));
                        assertTrue(
                                counting.reads <= 3 + blocks / 900 * 2 + (end - start) / (1 << 20),
                                () -> counting.reads + " reads of " + counting.bytes + " bytes");
                    }
                }
            }
        }
    }

    /** Threads of c-blosc append blocks in the order in which they finish. */
    @Test
    void blocksOutOfOrderAreReadTogether() throws IOException {
        int block = 16384;
        int blocks = 64;
        int count = block * blocks / 2;
        byte[] elements = elements(count);
        try (CodecChain chain = chain("zstd", block, count)) {
            byte[] inOrder = Chunks.encode(chain, elements);
            byte[] frame = outOfOrder(inOrder, blocks, 8);
            assertArrayEquals(elements, Chunks.decode(chain, frame));
            long bytes = 0;
            for (int from = 0; from < blocks; from += 16) {
                Counting counting = new Counting(frame);
                requireStretch(chain, counting, elements, (long) from * block, (long) (from + 16) * block);
                bytes += counting.bytes;
                assertTrue(counting.reads <= 8, () -> counting.reads + " reads");
            }
            long read = bytes;
            assertTrue(read < frame.length * 1.35, () -> read + " bytes were read of " + frame.length);
        }
    }

    private static CodecChain chain(String cname, int block, int count) throws CodecException {
        return Codecs.chain(
                List.of(Chunks.blosc(cname, 5, 1).with("blocksize", block)), Chunks.line(DataType.UINT16, count));
    }

    private static byte[] elements(int count) {
        return Chunks.elements("mixed", new NumberType(NumberType.Kind.UINT, 2, ByteOrder.LITTLE_ENDIAN), count);
    }

    private static int start(ByteBuffer frame, int block) {
        return frame.getInt(BloscFrame.HEADER + POSITION * block);
    }

    private static void requireStretch(CodecChain chain, Counting frame, byte[] elements, long from, long to)
            throws IOException {
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(to - from));
        Scratch scratch = Chunks.scratch(chain.decodeStreamNeeds());
        chain.decodeStream(frame, from, to, out::put, scratch);
        assertArrayEquals(Arrays.copyOfRange(elements, (int) from, (int) to), out.array());
    }

    /** {@return a frame whose blocks are stored in another order: those of each group are shuffled} */
    private static byte[] outOfOrder(byte[] frame, int blocks, int group) {
        List<Integer> order = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            order.add(block);
        }
        Random random = new Random(7);
        for (int from = 3; from + group <= blocks; from += group) {
            Collections.shuffle(order.subList(from, from + group), random);
        }
        ByteBuffer in = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.wrap(frame.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int at = start(in, 0);
        for (int block : order) {
            int end = block + 1 == blocks ? frame.length : start(in, block + 1);
            int size = end - start(in, block);
            out.put(at, frame, start(in, block), size);
            out.putInt(BloscFrame.HEADER + POSITION * block, at);
            at += size;
        }
        return out.array();
    }
}
