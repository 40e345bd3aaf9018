package dev.rechunker.store;

import com.google.common.math.LongMath;
import java.util.List;
import java.util.Objects;

/**
 * How an {@link ArrayReader} reads, and the memory that it needs: immutable, and built by name. Sizes are in bytes, and
 * 0 if they are not set.
 *
 * <pre>{@code
 * ReadTraits.of(Granularity.CHUNK).withScratchBytes(decoded).withNativeBytes(context)
 * }</pre>
 */
public final class ReadTraits {
    private final Granularity granularity;
    private final long blockBytes;
    private final boolean paddedEdges;
    private final long scratchBytes;
    private final long nativeBytes;
    private final long heldBytes;
    private final List<Integer> axisOrder;

    /** The smallest part of a chunk that can be read. */
    public enum Granularity {
        /** Chunks are encoded: a chunk is read and decoded whole. */
        CHUNK,
        /** Chunks are encoded, but can be decoded front to back without holding the whole chunk. */
        STREAM,
        /** Elements are stored as they are, in C order: any run of them can be read. */
        BYTES
    }

    private ReadTraits(
            Granularity granularity,
            long blockBytes,
            boolean paddedEdges,
            long scratchBytes,
            long nativeBytes,
            long heldBytes,
            List<Integer> axisOrder) {
        this.granularity = granularity;
        this.blockBytes = blockBytes;
        this.paddedEdges = paddedEdges;
        this.scratchBytes = requireBytes("scratchBytes", scratchBytes);
        this.nativeBytes = requireBytes("nativeBytes", nativeBytes);
        this.heldBytes = requireBytes("heldBytes", heldBytes);
        this.axisOrder = axisOrder;
        if (blockBytes < 0 || (blockBytes > 0 && granularity != Granularity.STREAM)) {
            throw new IllegalArgumentException(
                    "blocks of " + blockBytes + " bytes are not read with granularity " + granularity);
        }
    }

    /** {@return the traits of a reader that delivers chunks clipped at the array's ends and needs no memory} */
    public static ReadTraits of(Granularity granularity) {
        return new ReadTraits(granularity, 0, false, 0, 0, 0, List.of());
    }

    /** {@return the smallest part of a chunk that the reader can read without reading the rest} */
    public Granularity granularity() {
        return granularity;
    }

    /**
     * {@return the decoded size of the blocks that make up a chunk, in C order, each of which can be decoded on its
     * own, with {@link Granularity#STREAM} only; 0 if chunks can only be decoded from their beginning}
     */
    public long blockBytes() {
        return blockBytes;
    }

    /**
     * {@return the same with blocks of this size, or without blocks if it is 0}
     *
     * @throws IllegalArgumentException if it is negative, or positive with another granularity than
     *     {@link Granularity#STREAM}
     */
    public ReadTraits withBlockBytes(long bytes) {
        return new ReadTraits(granularity, bytes, paddedEdges, scratchBytes, nativeBytes, heldBytes, axisOrder);
    }

    /** {@return whether chunks at the array's ends are delivered in their nominal shape} */
    public boolean paddedEdges() {
        return paddedEdges;
    }

    /** {@return the same, with padded edges or without} */
    public ReadTraits withPaddedEdges(boolean value) {
        return new ReadTraits(granularity, blockBytes, value, scratchBytes, nativeBytes, heldBytes, axisOrder);
    }

    /** {@return the most that one call of {@link ArrayReader#read} takes from its scratch} */
    public long scratchBytes() {
        return scratchBytes;
    }

    /**
     * {@return the same with this size}
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ReadTraits withScratchBytes(long bytes) {
        return new ReadTraits(granularity, blockBytes, paddedEdges, bytes, nativeBytes, heldBytes, axisOrder);
    }

    /**
     * {@return the most that one reading thread uses outside of the caller's buffers, such as the state of native
     * codecs}
     *
     * <p>While n threads read, a reader uses at most n + 1 times this; while no thread reads, at most once.
     */
    public long nativeBytes() {
        return nativeBytes;
    }

    /**
     * {@return the same with this size}
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ReadTraits withNativeBytes(long bytes) {
        return new ReadTraits(granularity, blockBytes, paddedEdges, scratchBytes, bytes, heldBytes, axisOrder);
    }

    /** {@return the size of what the reader holds while it is open, for any number of threads: an index of chunks} */
    public long heldBytes() {
        return heldBytes;
    }

    /**
     * {@return the same with this size}
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ReadTraits withHeldBytes(long bytes) {
        return new ReadTraits(granularity, blockBytes, paddedEdges, scratchBytes, nativeBytes, bytes, axisOrder);
    }

    /**
     * {@return the axes of the array in the order in which the elements of a chunk are delivered, the slowest first;
     * empty for C order, in which every store delivers them}
     *
     * <p>Only readers that the engine makes of views deliver them in another order, in which they are stored.
     */
    public List<Integer> axisOrder() {
        return axisOrder;
    }

    /** {@return the same with another order of axes, which is a permutation of their numbers; empty for C order} */
    public ReadTraits withAxisOrder(List<Integer> axes) {
        return new ReadTraits(
                granularity, blockBytes, paddedEdges, scratchBytes, nativeBytes, heldBytes, List.copyOf(axes));
    }

    /**
     * {@return the bytes that are decoded in addition to a stretch, on average over its possible positions in a chunk:
     * {@code b - gcd(s, b)} with blocks of b bytes and consecutive stretches of s bytes}
     *
     * @param stretch the size of a stretch
     */
    public long additionalBytes(long stretch) {
        return blockBytes - LongMath.gcd(stretch, blockBytes);
    }

    static long requireBytes(String name, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " are " + bytes + ", but must be 0 or more");
        }
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReadTraits same
                && same.granularity == granularity
                && same.blockBytes == blockBytes
                && same.paddedEdges == paddedEdges
                && same.scratchBytes == scratchBytes
                && same.nativeBytes == nativeBytes
                && same.heldBytes == heldBytes
                && same.axisOrder.equals(axisOrder);
    }

    @Override
    public int hashCode() {
        return Objects.hash(granularity, blockBytes, paddedEdges, scratchBytes, nativeBytes, heldBytes, axisOrder);
    }

    @Override
    public String toString() {
        return "ReadTraits[granularity=" + granularity + ", blockBytes=" + blockBytes + ", paddedEdges=" + paddedEdges
                + ", scratchBytes=" + scratchBytes + ", nativeBytes=" + nativeBytes + ", heldBytes=" + heldBytes
                + (axisOrder.isEmpty() ? "" : ", axisOrder=" + axisOrder) + "]";
    }
}
