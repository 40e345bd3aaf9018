package dev.rechunker.job;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A measurement of how fast a codec compresses some data, and how small. */
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

    /** @param bytes the most bytes that are compressed at once */
    SpillSample(SpillCodec codec, int itemSize, long bytes) {
        int piece = piece(itemSize, bytes);
        this.codec = codec;
        this.itemSize = itemSize;
        this.decoded = ByteBuffer.allocateDirect(piece);
        this.encoded = ByteBuffer.allocateDirect((int) codec.encodeBuffer(piece, itemSize));
        this.scratch = Scratch.allocate((int) scratch(codec, itemSize, piece));
    }

    /** {@return the memory that a sample uses, in bytes} */
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

    /** {@return the size of a piece: these bytes, or the whole elements that fit into the largest piece} */
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

    /** Discards what was measured. */
    void reset() {
        bytes = 0;
        encodedBytes = 0;
        nanos = 0;
    }

    /** {@return the factor by which compression makes the data smaller, at least 1} */
    double ratio() {
        return Math.max(1, bytes / Math.max(1, encodedBytes));
    }

    /** {@return the uncompressed bytes per second that are compressed or decompressed} */
    double bytesPerSecond() {
        return 2 * bytes * 1e9 / Math.max(1, nanos);
    }
}
