package dev.rechunker.plan;

import java.util.Optional;

/**
 * The compressed pieces of a spill. One is encoded and decoded whole, in the buffer of a lane, so that they are cut
 * smaller than others.
 *
 * @param compression how
 * @param mostBytes the largest of them
 */
record PackedPieces(SpillCompression compression, long mostBytes) {
    /** An element has to fit into this. */
    static final long LEAST_BYTES = 64 << 10;

    private static final long MOST_BYTES = 4 << 20;

    /** A lane holds two or three times the largest piece. */
    private static final long SHARE = 16;

    /** {@return the pieces with so many lanes, or empty if they are not compressed} */
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
