package dev.rechunker.store;

import java.util.Optional;

/**
 * How an {@link ArrayWriter} writes.
 *
 * @param paddedEdges whether units at the array's ends are handed over in their nominal shape, the fill value outside
 * @param scratchBytes what one call of {@link ArrayWriter#write} takes from its scratch, at most
 * @param nativeBytes what one writing thread holds outside of any buffer of ours, at most: the state of native codecs
 * @param heldBytes what the writer holds as long as it is open, however many threads write: an index of chunks
 * @param parts how units are put together from parts, if they can be
 * @param encoded what {@link ArrayWriter#writeEncoded} takes; if nothing is told, as much as {@link ArrayWriter#write}
 */
public record WriteTraits(
        boolean paddedEdges,
        long scratchBytes,
        long nativeBytes,
        long heldBytes,
        Optional<PartTraits> parts,
        Optional<EncodedTraits> encoded) {
    /** Checks that nothing is negative. */
    public WriteTraits {
        ReadTraits.requireBytes("scratchBytes", scratchBytes);
        ReadTraits.requireBytes("nativeBytes", nativeBytes);
        ReadTraits.requireBytes("heldBytes", heldBytes);
    }

    /** Of a writer that writes whole units only. */
    public WriteTraits(boolean paddedEdges, long scratchBytes, long nativeBytes, long heldBytes) {
        this(paddedEdges, scratchBytes, nativeBytes, heldBytes, Optional.empty(), Optional.empty());
    }

    /** Of a writer that writes whole units only, and holds nothing while it is open. */
    public WriteTraits(boolean paddedEdges, long scratchBytes, long nativeBytes) {
        this(paddedEdges, scratchBytes, nativeBytes, 0);
    }

    /** {@return these traits, with units that can be put together from parts} */
    public WriteTraits withParts(PartTraits grid) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, Optional.of(grid), encoded);
    }

    /** {@return these traits, with encoded units that take less than others} */
    public WriteTraits withEncoded(EncodedTraits copying) {
        return new WriteTraits(paddedEdges, scratchBytes, nativeBytes, heldBytes, parts, Optional.of(copying));
    }

    /** {@return what {@link ArrayWriter#writeEncoded} takes, at most} */
    public EncodedTraits copying() {
        return encoded.orElseGet(() -> new EncodedTraits(scratchBytes, nativeBytes));
    }
}
