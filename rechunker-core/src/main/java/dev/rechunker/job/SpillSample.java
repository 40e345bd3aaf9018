package dev.rechunker.job;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** How fast a spill's codec is with some data, and how small it makes them. */
final class SpillSample {
    private static final int MOST_PIECE = 1 << 20;

    private final SpillCodec codec;
    private final int itemSize;
    private final ByteBuffer decoded;
    private final ByteBuffer encoded;
    private final Scratch scratch;
    private double bytes;
    private double encodedBytes;
    private double nanos;

    /** @param bytes the most that will be looked at at once */
    SpillSample(SpillCodec codec, int itemSize, long bytes) {
        int piece = piece(itemSize, bytes);
        this.codec = codec;
        this.itemSize = itemSize;
        this.decoded = ByteBuffer.allocateDirect(piece);
        this.encoded = ByteBuffer.allocateDirect((int) codec.encodeBuffer(piece, itemSize));
        this.scratch = Scratch.allocate((int) scratch(codec, itemSize, piece));
    }

    /** {@return what one holds} */
    static long heldBytes(SpillCodec codec, int itemSize, long bytes) {
        int piece = piece(itemSize, bytes);
        return piece
                + codec.encodeBuffer(piece, itemSize)
                + scratch(codec, itemSize, piece)
                + codec.nativeBytes(itemSize);
    }

    private static long scratch(SpillCodec codec, int itemSize, int piece) {
        return Math.max(codec.encodeScratch(piece, itemSize), codec.decodeScratch(piece, itemSize));
    }

    /** {@return so many bytes, or as many whole elements as a piece holds} */
    private static int piece(int itemSize, long bytes) {
        return (int) Math.min(bytes, Math.max(1, MOST_PIECE / itemSize) * (long) itemSize);
    }

    /** Compresses and decompresses the remaining bytes of a buffer, piece by piece. */
    void add(ByteBuffer data) throws IOException {
        for (int at = data.position(); at < data.limit(); at += decoded.capacity()) {
            ByteBuffer piece = data.slice(at, Math.min(decoded.capacity(), data.limit() - at));
            long start = System.nanoTime();
            codec.encode(piece.duplicate(), itemSize, encoded.clear(), scratch);
            codec.decode(encoded.flip(), itemSize, decoded.clear().limit(piece.capacity()), scratch);
            nanos += Math.max(1, System.nanoTime() - start);
            bytes += piece.capacity();
            encodedBytes += encoded.limit();
        }
    }

    /** Forgets what it has seen. */
    void reset() {
        bytes = 0;
        encodedBytes = 0;
        nanos = 0;
    }

    /** {@return how many times smaller compression makes the data, at least 1} */
    double ratio() {
        return Math.max(1, bytes / Math.max(1, encodedBytes));
    }

    /** {@return uncompressed bytes per second, of which each is either compressed or decompressed} */
    double bytesPerSecond() {
        return 2 * bytes * 1e9 / Math.max(1, nanos);
    }
}
