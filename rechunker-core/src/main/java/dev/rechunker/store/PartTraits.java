package dev.rechunker.store;

import dev.rechunker.geometry.ChunkGrid;
import java.util.Objects;

/**
 * How an {@link ArrayWriter} assembles write units from parts that arrive in any order: immutable, and built by name.
 * Sizes are in bytes, and 0 if they are not set.
 */
public final class PartTraits {
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
     * {@return the traits of parts in this grid, which need no memory; no part may cross the border of a write unit}
     */
    public static PartTraits of(ChunkGrid grid) {
        return new PartTraits(grid, 0, 0, 0);
    }

    /** {@return the grid of the parts} */
    public ChunkGrid grid() {
        return grid;
    }

    /**
     * {@return the most that one call of {@link ArrayWriter#writePart} or {@link ArrayWriter#omitPart} takes from its
     * scratch}
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
