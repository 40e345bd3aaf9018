package dev.rechunker.exec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The data of one write: a unit, or a part of a value that consists of several units. */
interface Parcel {
    /** {@return the units that it contains as a whole or in part} */
    List<Unit> units();

    /** Writes the data, with the buffer of a lane as scratch. */
    void write(ByteBuffer lane) throws IOException;
}
