package dev.rechunker.store;

import dev.rechunker.geometry.ChunkGrid;
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
    public static final WriteTraits PLAIN = new WriteTraits(false, 0, 0, 0, null, null, null);

    private final boolean paddedEdges;
    private final long scratchBytes;
    private final long nativeBytes;
    private final long heldBytes;
    private final @Nullable PartTraits parts;
    private final @Nullable EncodedTraits encoded;
    private final @Nullable EncodedTraits chunks;

    private WriteTraits(
            boolean paddedEdges,
            long scratchBytes,
            long nativeBytes,
            long heldBytes,
            @Nullable PartTraits parts,
            @Nullable EncodedTraits encoded,
            @Nullable EncodedTraits chunks) {
        this.paddedEdges = paddedEdges;
        this.scratchBytes = ReadTraits.requireBytes("scratchBytes", scratchBytes);
        this.nativeBytes = ReadTraits.requireBytes("nativeBytes", nativeBytes);
        this.heldBytes = ReadTraits.requireBytes("heldBytes", heldBytes);
        this.parts = parts;
        this.encoded = encoded;
        this.chunks = chunks;
    }

    /** {@return whether the writer takes units at the array's ends in their nominal shape, the fill value outside} */
    public boolean paddedEdges() {
        return paddedEdges;
    }

    /** {@return the same, with padded edges or without} */
    public WriteTraits withPaddedEdges(boolean value) {
        return new WriteTraits(value, scratchBytes, nativeBytes, heldBytes, parts, encoded, chunks);
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
        return new WriteTraits(paddedEdges, bytes, nativeBytes, heldBytes, parts, encoded, chunks);
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
        return new WriteTraits(paddedEdges, scratchBytes, bytes, heldBytes, parts, encoded, chunks);
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
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, bytes, parts, encoded, chunks);
    }

    /** {@return how units are assembled from parts; empty if they are only written whole} */
    public Optional<PartTraits> parts() {
        return Optional.ofNullable(parts);
    }

    /** {@return the same, with units that can be assembled from parts} */
    public WriteTraits withParts(PartTraits traits) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, traits, encoded, chunks);
    }

    /** {@return how units that are encoded already are written; empty if they are not accepted} */
    public Optional<EncodedTraits> encoded() {
        return Optional.ofNullable(encoded);
    }

    /** {@return the same, with units that can be written encoded} */
    public WriteTraits withEncoded(EncodedTraits traits) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, parts, traits, chunks);
    }

    /** {@return how units are written from chunks that are encoded already; empty if these are not accepted} */
    public Optional<EncodedTraits> encodedChunks() {
        return Optional.ofNullable(chunks);
    }

    /** {@return the same, with units that can be written from encoded chunks} */
    public WriteTraits withEncodedChunks(EncodedTraits traits) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, parts, encoded, traits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WriteTraits same
                && same.paddedEdges == paddedEdges
                && same.scratchBytes == scratchBytes
                && same.nativeBytes == nativeBytes
                && same.heldBytes == heldBytes
                && Objects.equals(same.parts, parts)
                && Objects.equals(same.encoded, encoded)
                && Objects.equals(same.chunks, chunks);
    }

    @Override
    public int hashCode() {
        return Objects.hash(paddedEdges, scratchBytes, nativeBytes, heldBytes, parts, encoded, chunks);
    }

    @Override
    public String toString() {
        return "WriteTraits[paddedEdges=" + paddedEdges + ", scratchBytes=" + scratchBytes + ", nativeBytes="
                + nativeBytes + ", heldBytes=" + heldBytes + ", parts=" + parts + ", encoded=" + encoded
                + ", encodedChunks="
                + chunks + "]";
    }

    /**
     * How a writer assembles write units from parts that arrive in any order: immutable, and built by name. Sizes are
     * in bytes, and 0 if they are not set.
     */
    public static final class PartTraits {
        private final ChunkGrid grid;
        private final long scratchBytes;
        private final long nativeBytes;
        private final long unitBytes;

        private PartTraits(ChunkGrid grid, long scratchBytes, long nativeBytes, long unitBytes) {
            this.grid = grid;
            this.scratchBytes = ReadTraits.requireBytes("scratchBytes", scratchBytes);
            this.nativeBytes = ReadTraits.requireBytes("nativeBytes", nativeBytes);
            this.unitBytes = ReadTraits.requireBytes("unitBytes", unitBytes);
        }

        /**
         * {@return the traits of parts in this grid, which need no memory; no part may cross the border of a write
         * unit}
         */
        public static PartTraits of(ChunkGrid grid) {
            return new PartTraits(grid, 0, 0, 0);
        }

        /** {@return the grid of the parts} */
        public ChunkGrid grid() {
            return grid;
        }

        /**
         * {@return the most that one call of {@link ArrayWriter.PartTarget#writePart} or
         * {@link ArrayWriter.PartTarget#omitPart} takes from its scratch}
         */
        public long scratchBytes() {
            return scratchBytes;
        }

        /**
         * {@return the same with this size}
         *
         * @throws IllegalArgumentException if it is negative
         */
        public PartTraits withScratchBytes(long bytes) {
            return new PartTraits(grid, bytes, nativeBytes, unitBytes);
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
        public PartTraits withNativeBytes(long bytes) {
            return new PartTraits(grid, scratchBytes, bytes, unitBytes);
        }

        /** {@return the most that a write unit holds from its first part to its last: where its parts are stored} */
        public long unitBytes() {
            return unitBytes;
        }

        /**
         * {@return the same with this size}
         *
         * @throws IllegalArgumentException if it is negative
         */
        public PartTraits withUnitBytes(long bytes) {
            return new PartTraits(grid, scratchBytes, nativeBytes, bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PartTraits same
                    && same.grid.equals(grid)
                    && same.scratchBytes == scratchBytes
                    && same.nativeBytes == nativeBytes
                    && same.unitBytes == unitBytes;
        }

        @Override
        public int hashCode() {
            return Objects.hash(grid, scratchBytes, nativeBytes, unitBytes);
        }

        @Override
        public String toString() {
            return "PartTraits[grid=" + grid + ", scratchBytes=" + scratchBytes + ", nativeBytes=" + nativeBytes
                    + ", unitBytes=" + unitBytes + "]";
        }
    }

    /**
     * How a writer writes units that are encoded already, or units from encoded chunks: immutable, and built by name.
     * Sizes are in bytes, and 0 if they are not set.
     */
    public static final class EncodedTraits {
        private final String identity;
        private final long scratchBytes;
        private final long nativeBytes;

        private EncodedTraits(String identity, long scratchBytes, long nativeBytes) {
            this.identity = identity;
            this.scratchBytes = ReadTraits.requireBytes("scratchBytes", scratchBytes);
            this.nativeBytes = ReadTraits.requireBytes("nativeBytes", nativeBytes);
        }

        /**
         * {@return the traits of a writer of this encoding that needs no memory for encoded units or chunks}
         *
         * @param identity see {@link ArrayReader.EncodedSource#encodingIdentity()} and
         *     {@link ArrayReader.EncodedChunks#chunkEncoding()}
         */
        public static EncodedTraits of(String identity) {
            return new EncodedTraits(identity, 0, 0);
        }

        /** {@return what identifies the encoding of write units, or of chunks} */
        public String identity() {
            return identity;
        }

        /**
         * {@return the most that one call of {@link ArrayWriter.EncodedTarget#writeEncoded} or
         * {@link ArrayWriter.ChunkTarget#writeChunks} takes from its scratch, without the chunks that it opens}
         */
        public long scratchBytes() {
            return scratchBytes;
        }

        /**
         * {@return the same with this size}
         *
         * @throws IllegalArgumentException if it is negative
         */
        public EncodedTraits withScratchBytes(long bytes) {
            return new EncodedTraits(identity, bytes, nativeBytes);
        }

        /**
         * {@return the most that one writing thread uses outside of the caller's buffers: data sent to a connection}
         */
        public long nativeBytes() {
            return nativeBytes;
        }

        /**
         * {@return the same with this size}
         *
         * @throws IllegalArgumentException if it is negative
         */
        public EncodedTraits withNativeBytes(long bytes) {
            return new EncodedTraits(identity, scratchBytes, bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof EncodedTraits same
                    && same.identity.equals(identity)
                    && same.scratchBytes == scratchBytes
                    && same.nativeBytes == nativeBytes;
        }

        @Override
        public int hashCode() {
            return Objects.hash(identity, scratchBytes, nativeBytes);
        }

        @Override
        public String toString() {
            return "EncodedTraits[identity=" + identity + ", scratchBytes=" + scratchBytes + ", nativeBytes="
                    + nativeBytes + "]";
        }
    }
}
