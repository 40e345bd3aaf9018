package dev.rechunker.io.bytes;

import java.io.IOException;

/**
 * A value whose pieces are written in any order, by any number of threads at the same time. It keeps no file open
 * between two calls, so there may be many of them. If it is neither committed nor closed, a later sink can resume it.
 */
public interface SharedSink extends ByteSink {
    /** Makes everything that was written durable: it is on the device when this method returns. */
    void force() throws IOException;

    /** {@return what was written so far, open for reading} */
    ByteSource read() throws IOException;
}
