package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * The temporary copy of one block. Where a piece lies follows from its index; there is no index to keep, and every
 * piece has one writer. If the run can be gone on with, a failure leaves what is still needed.
 */
interface SpillBlock extends Closeable {
    /** {@return the bytes that are not in memory} */
    long bytes();

    /**
     * {@return whether a window that is not done has something in memory, so that nobody but this run can have written
     * it}
     */
    default boolean lacksResident() {
        return false;
    }

    /**
     * {@return a reader of pieces}
     *
     * @param told is told of bytes that were read, but not of those in memory
     */
    ArrayReader reader(LongConsumer told);

    /**
     * {@return a writer of pieces}
     *
     * @param told is told of bytes that were written, but not of those in memory
     */
    ArrayWriter writer(LongConsumer told);

    /** Counts a window as done: it will not be read any more, and what only it needs may be deleted. */
    void finish(Region window);

    /** Makes everything that was written durable. */
    void force() throws IOException;
}
