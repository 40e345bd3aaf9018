package dev.rechunker.exec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** What is written at once: a unit, or a part of a value that several units make up. */
interface Parcel {
    /** {@return the units of which it holds all or some} */
    List<Unit> units();

    /** Writes it, with the buffer of a lane as scratch. */
    void write(ByteBuffer lane) throws IOException;
}
