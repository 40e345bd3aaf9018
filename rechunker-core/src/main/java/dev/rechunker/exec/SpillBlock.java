package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * The temporary copy of one block. The place of a piece is computed from its index, and each piece has one writer. If
 * the run can be resumed, the data that it still needs remain after a failure.
 */
interface SpillBlock extends Closeable {
    /** {@return the size of the part that is not in memory, in bytes} */
    long bytes();

    /** {@return whether an unfinished window has a part in memory, so that it was not written by an earlier run} */
    default boolean lacksResident() {
        return false;
    }

    /**
     * {@return a reader of pieces}
     *
     * @param counter receives the bytes that were read, without those in memory
     */
    ArrayReader reader(LongConsumer counter);

    /**
     * {@return a writer of pieces}
     *
     * @param counter receives the bytes that were written, without those in memory
     */
    ArrayWriter writer(LongConsumer counter);

    /** Counts a window as done. It will not be read any more, and data that only it needs may be deleted. */
    void finish(Region window);

    /** Makes everything durable that was written. */
    void force() throws IOException;
}
