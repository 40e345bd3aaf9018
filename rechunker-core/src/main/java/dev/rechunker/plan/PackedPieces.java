package dev.rechunker.plan;

import java.util.Optional;

/**
 * The compressed pieces of a spill. They are smaller than others, because a piece is encoded and decoded as a whole in
 * the buffer of a lane.
 *
 * @param compression how they are compressed
 * @param mostBytes the size of the largest piece in bytes
 */
record PackedPieces(SpillCompression compression, long mostBytes) {
    /** The least size of the largest piece. An element has at most this size. */
    static final long LEAST_BYTES = 64 << 10;

    private static final long MOST_BYTES = 4 << 20;

    /** A lane has at most this part of the memory for its largest piece, and needs two or three times that. */
    private static final long SHARE = 16;

    /** {@return the pieces with a number of lanes; empty if they are not compressed} */
    static Optional<PackedPieces> of(Resources resources, int lanes) {
        long share = resources.maxMem() / (SHARE * lanes);
        long most = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, share));
        return resources.compression().map(compression -> new PackedPieces(compression, most));
    }

    long encodeScratch() {
        return compression.encodeScratch(mostBytes);
    }

    long decodeScratch() {
        return compression.decodeScratch(mostBytes);
    }
}
