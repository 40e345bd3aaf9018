package dev.rechunker.io.codec;

import com.github.luben.zstd.Zstd;
import dev.rechunker.io.hdf5.format.StoredChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Prints the growth of the process per chunk that is decoded piece by piece, when all of its window is in use. It runs
 * in a new process, whose memory is not used yet.
 */
final class ZstdWindowMain {
    private final byte[] encoded;
    private final int size;
    private long before;
    private long after;

    private ZstdWindowMain(byte[] encoded, int size) {
        this.encoded = encoded;
        this.size = size;
    }

    /** Runs the program. Arguments: a level, the size of the chunk, and the number of chunks at once. */
    public static void main(String[] args) throws IOException {
        int level = Integer.parseInt(args[0]);
        int size = Integer.parseInt(args[1]);
        int chunks = Integer.parseInt(args[2]);
        byte[] bytes = new byte[size];
        new Random(level).nextBytes(bytes);
        ZstdWindowMain program = new ZstdWindowMain(Zstd.compress(bytes, level), size);
        program.decode(chunks);
        System.out.println((program.after - program.before) / (chunks - 1));
    }

    /** Decodes a chunk, and before its end another one, and so on. */
    private void decode(int chunks) throws IOException {
        long[] left = {size};
        StoredChunk chunk =
                new StoredChunk((position, to) -> to.put(encoded, (int) position, to.remaining()), 0, encoded.length);
        DecodedRuns runs = new DecodedRuns(
                "zstd",
                size,
                0,
                size,
                1,
                run -> {
                    left[0] -= run.remaining();
                    if (left[0] == 0) {
                        after = ZstdMemoryMain.residentBytes();
                        before = before == 0 ? after : before;
                        if (chunks > 1) {
                            decode(chunks - 1);
                        }
                    }
                },
                ByteBuffer.allocateDirect(WholeStreamDecoder.OUTPUT));
        ZstdFrames.decompress(
                new EncodedInput("zstd", chunk, ByteBuffer.allocateDirect(WholeStreamDecoder.INPUT)), runs);
    }
}
