package dev.rechunker.store;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link ArrayWriter} writes, and the memory that it needs: immutable, and built by name. Sizes are in bytes,
 * and 0 if they are not set.
 *
 * <pre>{@code
 * WriteTraits.PLAIN.withPaddedEdges(true).withScratchBytes(encoded)
 * }</pre>
 */
public final class WriteTraits {
    /** The traits of a writer that takes whole units, clipped at the array's ends, and needs no memory. */
    public static final WriteTraits PLAIN = new WriteTraits(false, 0, 0, 0, null, null);

    private final boolean paddedEdges;
    private final long scratchBytes;
    private final long nativeBytes;
    private final long heldBytes;
    private final @Nullable PartTraits parts;
    private final @Nullable EncodedTraits encoded;

    private WriteTraits(
            boolean paddedEdges,
            long scratchBytes,
            long nativeBytes,
            long heldBytes,
            @Nullable PartTraits parts,
            @Nullable EncodedTraits encoded) {
        this.paddedEdges = paddedEdges;
        this.scratchBytes = ReadTraits.requireBytes("scratchBytes", scratchBytes);
        this.nativeBytes = ReadTraits.requireBytes("nativeBytes", nativeBytes);
        this.heldBytes = ReadTraits.requireBytes("heldBytes", heldBytes);
        this.parts = parts;
        this.encoded = encoded;
    }

    /** {@return whether the writer takes units at the array's ends in their nominal shape, the fill value outside} */
    public boolean paddedEdges() {
        return paddedEdges;
    }

    /** {@return the same, with padded edges or without} */
    public WriteTraits withPaddedEdges(boolean value) {
        return new WriteTraits(value, scratchBytes, nativeBytes, heldBytes, parts, encoded);
    }

    /** {@return the most that one call of {@link ArrayWriter#write} takes from its scratch} */
    public long scratchBytes() {
        return scratchBytes;
    }

    /**
     * {@return the same with this size}
     *
     * @throws IllegalArgumentException if it is negative
     */
    public WriteTraits withScratchBytes(long bytes) {
        return new WriteTraits(paddedEdges, bytes, nativeBytes, heldBytes, parts, encoded);
    }

    /**
     * {@return the most that one writing thread uses outside of the caller's buffers, such as the state of native
     * codecs}
     */
    public long nativeBytes() {
        return nativeBytes;
    }

    /**
     * {@return the same with this size}
     *
     * @throws IllegalArgumentException if it is negative
     */
    public WriteTraits withNativeBytes(long bytes) {
        return new WriteTraits(paddedEdges, scratchBytes, bytes, heldBytes, parts, encoded);
    }

    /** {@return the size of what the writer holds while it is open, for any number of threads: an index of chunks} */
    public long heldBytes() {
        return heldBytes;
    }

    /**
     * {@return the same with this size}
     *
     * @throws IllegalArgumentException if it is negative
     */
    public WriteTraits withHeldBytes(long bytes) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, bytes, parts, encoded);
    }

    /** {@return how units are assembled from parts; empty if they are only written whole} */
    public Optional<PartTraits> parts() {
        return Optional.ofNullable(parts);
    }

    /** {@return the same, with units that can be assembled from parts} */
    public WriteTraits withParts(PartTraits grid) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, grid, encoded);
    }

    /** {@return what {@link ArrayWriter#writeEncoded} takes; empty if as much as {@link ArrayWriter#write}} */
    public Optional<EncodedTraits> encoded() {
        return Optional.ofNullable(encoded);
    }

    /** {@return the same, with encoded units that take less than others} */
    public WriteTraits withEncoded(EncodedTraits copying) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, parts, copying);
    }

    /** {@return what {@link ArrayWriter#writeEncoded} takes, at most} */
    public EncodedTraits copying() {
        return encoded().orElseGet(() -> new EncodedTraits(scratchBytes, nativeBytes));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WriteTraits same
                && same.paddedEdges == paddedEdges
                && same.scratchBytes == scratchBytes
                && same.nativeBytes == nativeBytes
                && same.heldBytes == heldBytes
                && Objects.equals(same.parts, parts)
                && Objects.equals(same.encoded, encoded);
    }

    @Override
    public int hashCode() {
        return Objects.hash(paddedEdges, scratchBytes, nativeBytes, heldBytes, parts, encoded);
    }

    @Override
    public String toString() {
        return "WriteTraits[paddedEdges=" + paddedEdges + ", scratchBytes=" + scratchBytes + ", nativeBytes="
                + nativeBytes + ", heldBytes=" + heldBytes + ", parts=" + parts + ", encoded=" + encoded + "]";
    }
}
