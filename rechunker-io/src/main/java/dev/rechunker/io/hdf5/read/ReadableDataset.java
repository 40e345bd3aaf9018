package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.DataPlace;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A dataset and, if it is virtual, the datasets that its elements are in. Two objects are never equal. */
final class ReadableDataset {
    private final StoredDataset stored;
    private final @Nullable VirtualArray virtual;

    /** @param virtual the parts of a virtual dataset; null for others */
    ReadableDataset(StoredDataset stored, @Nullable VirtualArray virtual) {
        this.stored = stored;
        this.virtual = virtual;
    }

    StoredDataset stored() {
        return stored;
    }

    @Nullable
    VirtualArray virtual() {
        return virtual;
    }

    /** {@return the chunks of the dataset} */
    ChunkGrid chunks() {
        return stored.spec().chunks();
    }

    /** {@return whether any part of a chunk can be read without decoding the rest} */
    boolean isPlain() {
        return virtual == null ? stored.dataset().filters().isEmpty() : virtual.isPlain();
    }

    ArrayReader open() throws IOException {
        return virtual == null ? new Hdf5Reader(stored) : new VirtualReader(stored, virtual);
    }

    /** {@return the places of the files that the elements are in} */
    Stream<DataPlace> places() {
        Stream<DataPlace> others = stored.dataset().layout() instanceof StoredLayout.External external
                ? external.files().places()
                : Optional.ofNullable(virtual).stream().flatMap(VirtualArray::places);
        return Stream.concat(Stream.of(stored.file().file().place()), others);
    }
}
