package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.Closeable;
import java.io.IOException;

/**
 * The temporary copy of one block. Where a piece lies follows from its index; there is no index to keep, and every
 * piece has one writer. If the run can be gone on with, a failure leaves what is still needed.
 */
interface SpillBlock extends Closeable {
    /** {@return a reader of pieces} */
    ArrayReader reader();

    /** {@return a writer of pieces} */
    ArrayWriter writer();

    /** Notes that a window will not be read any more. */
    void done(Region window);

    /** Has everything on the device that was written. */
    void force() throws IOException;
}
