package dev.rechunker.store;

/**
 * The ability of a store to make writes survive a loss of power. A store that has it returns it from
 * {@link ChunkStore#durable()}.
 */
public interface Durable {
    /** Makes all later writes durable: each is forced to its device before its method returns. */
    void makeDurable();
}
