package dev.rechunker.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the elements of a chunk, or of a stretch of it, run by run, in C order. */
public interface RunSink {
    /**
     * Takes the next elements.
     *
     * @param run whole elements from position to limit, good until this returns; at most what is left
     */
    void accept(ByteBuffer run) throws IOException;
}
