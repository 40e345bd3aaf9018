package dev.rechunker.store;

/**
 * How an {@link ArrayWriter} writes.
 *
 * @param paddedEdges whether units at the array's ends are handed over in their nominal shape, the fill value outside
 * @param scratchBytes what one call of {@link ArrayWriter#write} takes from its scratch, at most
 * @param nativeBytes what one writing thread holds outside of any buffer of ours, at most: the state of native codecs
 * @param heldBytes what the writer holds as long as it is open, however many threads write: an index of chunks
 */
public record WriteTraits(boolean paddedEdges, long scratchBytes, long nativeBytes, long heldBytes) {
    /** Of a writer that holds nothing while it is open. */
    public WriteTraits(boolean paddedEdges, long scratchBytes, long nativeBytes) {
        this(paddedEdges, scratchBytes, nativeBytes, 0);
    }
}
