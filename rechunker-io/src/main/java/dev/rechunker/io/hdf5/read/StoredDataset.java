package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/**
 * A dataset in a file, as its readers need it.
 *
 * @param name the name for messages, such as {@code /data/x.h5#a/b}
 */
record StoredDataset(String name, FileMetadata file, Dataset dataset, ArraySpec spec) {
    /** {@return whether the array is longer than the dataset} */
    boolean isShort() {
        return !spec.shape().equals(dataset.chunks().shape());
    }

    /** {@return the size of a chunk of nominal shape, in bytes} */
    long chunkBytes() {
        return Math.multiplyExact(
                spec.chunks().chunkShape().elements(), (long) spec.dataType().itemSize());
    }

    /**
     * {@return an exception with the names of dataset and region in the message; its type says, like that of {@code e},
     * whether a retry makes sense}
     */
    IOException explain(Region region, IOException e) {
        if (e instanceof ClosedChannelException) {
            return e;
        }
        String message = name + ", elements " + region + ": " + StoreException.reason(e);
        return e instanceof StoreException ? new StoreException(message, e) : new IOException(message, e);
    }

    void requireBytes(Region region, long has, long takes) {
        if (has != takes) {
            throw new IllegalArgumentException("the buffer has " + has + " bytes, but " + region + " takes " + takes);
        }
    }
}
