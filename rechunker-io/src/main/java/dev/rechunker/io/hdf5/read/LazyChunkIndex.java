package dev.rechunker.io.hdf5.read;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The index of a dataset's chunks, which is read when it is needed for the first time. Thread-safe. */
final class LazyChunkIndex {
    private final StoredDataset stored;
    private final long heldBytes;
    private volatile @Nullable ChunkIndex index;

    /** @throws dev.rechunker.store.StoreException if there are too many chunks for an index */
    LazyChunkIndex(StoredDataset stored) throws IOException {
        this.stored = stored;
        long index = stored.dataset().layout() instanceof StoredLayout.Chunks
                ? ChunkIndex.bytes(
                        stored.dataset().chunks().count(),
                        !stored.dataset().filters().isEmpty())
                : 0;
        this.heldBytes = index + stored.file().heldBytes();
    }

    /** {@return the memory of the index, at most, in bytes} */
    long heldBytes() {
        return heldBytes;
    }

    ChunkIndex get() throws IOException {
        ChunkIndex known = index;
        if (known == null) {
            synchronized (this) {
                known = index;
                if (known == null) {
                    StoredLayout.Chunks layout =
                            (StoredLayout.Chunks) stored.dataset().layout();
                    known = FileMetadata.parse(
                            "index of chunks", () -> IndexLoader.load(stored.file(), stored.dataset(), layout));
                    index = known;
                }
            }
        }
        return requireNonNull(known);
    }
}
