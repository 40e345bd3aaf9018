package dev.rechunker.store;

/**
 * What an {@link ArrayWriter} takes to write units that are encoded already: no codec.
 *
 * @param scratchBytes what one call of {@link ArrayWriter#writeEncoded} takes from its scratch, at most
 * @param nativeBytes what one writing thread holds outside of any buffer of ours, at most: what goes to a connection
 */
public record EncodedTraits(long scratchBytes, long nativeBytes) {
    /** Checks that nothing is negative. */
    public EncodedTraits {
        ReadTraits.requireBytes("scratchBytes", scratchBytes);
        ReadTraits.requireBytes("nativeBytes", nativeBytes);
    }
}
