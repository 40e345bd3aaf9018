package dev.rechunker.store;

import dev.rechunker.geometry.ChunkGrid;

/**
 * How an {@link ArrayWriter} puts write units together from parts that come in any order.
 *
 * @param grid the parts: no part crosses the border of a write unit
 * @param scratchBytes what one call of {@link ArrayWriter#writePart} or {@link ArrayWriter#omitPart} takes from its
 *     scratch, at most
 * @param nativeBytes what one writing thread holds outside of any buffer of ours, at most: the state of native codecs
 * @param unitBytes what a write unit holds from its first part to its last, at most: the places of its parts
 */
public record PartTraits(ChunkGrid grid, long scratchBytes, long nativeBytes, long unitBytes) {
    /** Checks that nothing is negative. */
    public PartTraits {
        ReadTraits.requireBytes("scratchBytes", scratchBytes);
        ReadTraits.requireBytes("nativeBytes", nativeBytes);
        ReadTraits.requireBytes("unitBytes", unitBytes);
    }
}
