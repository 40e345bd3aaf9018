package dev.rechunker.io.bytes;

import java.io.IOException;

/**
 * A value whose pieces come in any order, from any number of threads at once. It holds nothing open between two calls,
 * so that there may be many; and if it is neither committed nor closed, another one can go on with it.
 */
public interface SharedSink extends ByteSink {
    /** Has everything on the device that was written. */
    void force() throws IOException;
}
