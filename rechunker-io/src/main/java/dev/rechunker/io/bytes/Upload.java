package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A large value that is sent to an object store in parts, in any order and by any number of threads. It does not exist
 * before it is completed.
 */
public interface Upload {
    /**
     * The size of a part, in bytes, apart from the last one. Stores need up to 5 MiB, and some need parts of equal
     * size.
     */
    int PART = 8 << 20;

    /** The largest value that is sent by one request instead, in bytes. */
    int WHOLE = 2 * PART;

    /** {@return the name of the value in messages} */
    String name();

    /**
     * Sends a part, or sends it again.
     *
     * @param number the number of the part, from 1
     * @throws IllegalStateException if the upload is complete or was abandoned
     */
    void send(int number, List<ByteBuffer> part) throws IOException;

    /**
     * Makes a value of the parts from 1 to a number. A second call does nothing.
     *
     * @throws IllegalStateException if one of the parts was not sent, or the upload was abandoned
     */
    void complete(int parts) throws IOException;

    /** Discards the parts, unless the upload is complete. What cannot be removed is never visible as a value. */
    void abandon();
}
