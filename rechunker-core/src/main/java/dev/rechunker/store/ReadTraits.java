package dev.rechunker.store;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.util.Arrays;

/**
 * How an {@link ArrayReader} reads.
 *
 * @param granularity the smallest part of a chunk that it can read without reading the rest
 * @param blockBytes the decoded bytes of the blocks that make up a chunk, in C order, each of which can be decoded by
 *     itself, with {@link Granularity#STREAM} only; 0 if chunks are decoded from their front
 * @param paddedEdges whether chunks at the array's ends are delivered in their nominal shape
 * @param scratchBytes what one call of {@link ArrayReader#read} takes from its scratch, at most
 * @param nativeBytes what one reading thread holds outside of any buffer of ours, at most: the state of native codecs.
 *     A reader that is open and from which nobody reads keeps it for one thread at most; while some read, for as many
 *     more and one
 * @param heldBytes what the reader holds as long as it is open, however many threads read: an index of chunks
 */
public record ReadTraits(
        Granularity granularity,
        long blockBytes,
        boolean paddedEdges,
        long scratchBytes,
        long nativeBytes,
        long heldBytes) {
    /** Checks that nothing is negative, and that only streams begin in any block. */
    public ReadTraits {
        requireBytes("scratchBytes", scratchBytes);
        requireBytes("nativeBytes", nativeBytes);
        requireBytes("heldBytes", heldBytes);
        if (blockBytes < 0 || (blockBytes > 0 && granularity != Granularity.STREAM)) {
            throw new IllegalArgumentException(
                    "blocks of " + blockBytes + " bytes are not read with granularity " + granularity);
        }
    }

    /** Of a reader that decodes chunks from their front, if they are encoded. */
    public ReadTraits(
            Granularity granularity, boolean paddedEdges, long scratchBytes, long nativeBytes, long heldBytes) {
        this(granularity, 0, paddedEdges, scratchBytes, nativeBytes, heldBytes);
    }

    /** Of a reader that holds nothing while it is open. */
    public ReadTraits(Granularity granularity, boolean paddedEdges, long scratchBytes, long nativeBytes) {
        this(granularity, paddedEdges, scratchBytes, nativeBytes, 0);
    }

    /**
     * {@return the same of a reader that can begin anywhere in a chunk, with {@link #blockBytes}, or cannot, with 0}
     */
    public ReadTraits inBlocks(long bytes) {
        return new ReadTraits(granularity, bytes, paddedEdges, scratchBytes, nativeBytes, heldBytes);
    }

    /**
     * {@return the least stretches that cut chunks evenly, or the chunks, if there are none}
     *
     * @param chunks of the array that is read
     * @param itemSize the bytes of an element
     * @param leastBytes what a stretch has at least
     */
    public ChunkGrid stretches(ChunkGrid chunks, int itemSize, long leastBytes) {
        if (blockBytes == 0 || !chunks.isRegular()) {
            return chunks;
        }
        long[] extents = chunks.chunkShape().toArray();
        long bytes = itemSize;
        int cut = extents.length - 1;
        while (cut >= 0 && bytes * extents[cut] < leastBytes) {
            bytes *= extents[cut--];
        }
        if (cut < 0) {
            return chunks;
        }
        long parts = extents[cut] / ((leastBytes + bytes - 1) / bytes);
        while (extents[cut] % parts != 0) {
            parts--;
        }
        extents[cut] /= parts;
        Arrays.fill(extents, 0, cut, 1);
        return ChunkGrid.regular(chunks.shape(), Shape.of(extents));
    }

    /**
     * {@return the bytes that are decoded besides a stretch of so many, on average, wherever in a chunk it begins:
     * {@code b - gcd(s, b)}, with blocks of b bytes and stretches of s that follow each other}
     */
    public long additionalBytes(long bytes) {
        return blockBytes - LongMath.gcd(bytes, blockBytes);
    }

    static void requireBytes(String name, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " are " + bytes + ", but are 0 or more");
        }
    }

    /** The smallest part of a chunk that can be read. */
    public enum Granularity {
        /** Chunks are encoded: one is read and decoded whole. */
        CHUNK,
        /** Chunks are encoded, but can be decoded front to back without one being held whole. */
        STREAM,
        /** Elements lie in a file as they are, in C order: any run of them can be read. */
        BYTES
    }
}
