package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.hdf5.format.FilterPipeline;
import dev.rechunker.io.hdf5.format.StoredChunk;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The chunks of a dataset as they are stored, for copies that need not decode them. */
final class EncodedChunks {
    private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;

    private final StoredDataset stored;
    private final ChunkPlaces places;
    private final LongAdder bytesRead;
    private @Nullable String identity;
    private boolean isKnown;

    EncodedChunks(StoredDataset stored, ChunkPlaces places, LongAdder bytesRead) {
        this.stored = stored;
        this.places = places;
        this.bytesRead = bytesRead;
    }

    /**
     * {@return whether chunks can be copied as they are stored; not if this library writes no such chunks, or if some
     * filters were not applied to one of them}
     *
     * <p>The first call that succeeds reads the whole index of chunks, without keeping it in memory.
     */
    synchronized boolean isCopied() throws IOException {
        if (!isKnown) {
            identity = find();
            isKnown = true;
        }
        return identity != null;
    }

    /**
     * {@return what the stored bytes depend on, in the words of the writer of HDF5, once chunks are known to be copied}
     */
    synchronized String identity() {
        String known = identity;
        if (known == null) {
            throw new UnsupportedOperationException(
                    stored.name() + " has chunks that are not copied as they are stored");
        }
        return known;
    }

    /** {@return the identity, or null if chunks cannot be copied as they are stored} */
    private @Nullable String find() throws IOException {
        if (!(stored.dataset().layout() instanceof StoredLayout.Chunks layout) || layout.plainEdges()) {
            return null;
        }
        try {
            ArraySpec spec = stored.spec();
            FilterPipeline filters = FilterPipeline.of(
                    stored.name(), spec.codecs(), spec.dataType().itemSize());
            long most;
            try (CodecChain chain = filters.chain(spec)) {
                most = chain.maxEncodedSize();
            }
            if (most > MAX_BUFFER) {
                return null;
            }
            boolean filtered = isFiltered();
            IndexLoader.Visitor uniform = (index, place, size, mask) -> {
                if (filtered
                        && (size == 0
                                || size > most
                                || (mask & stored.dataset().filters().all()) != 0)) {
                    throw new StoreException("a chunk is not stored as the others are");
                }
            };
            FileMetadata.parse("index of chunks", () -> {
                IndexLoader.visit(stored.file(), stored.dataset(), layout, uniform);
                return true;
            });
            return filters.identity(spec);
        } catch (StoreException e) {
            return null;
        }
    }

    /** {@return the stored bytes of a chunk, or empty if it was never written} */
    Optional<EncodedUnit> open(Region chunk) throws IOException {
        if (!isCopied()) {
            throw new UnsupportedOperationException(
                    stored.name() + " has chunks that are not copied as they are stored");
        }
        ChunkGrid chunks = stored.spec().chunks();
        long ordinal = chunks.ordinal(chunks.chunksTouching(chunk).origin());
        try {
            ChunkIndex index = places.get();
            long place = index.place(ordinal);
            if (place == 0) {
                return Optional.empty();
            }
            long size = isFiltered() ? index.size(ordinal) : stored.chunkBytes();
            bytesRead.add(size);
            return Optional.of(new StoredChunk(stored.file().file()::read, place, size));
        } catch (IOException e) {
            throw stored.explain(chunk, e);
        }
    }

    private boolean isFiltered() {
        return !stored.dataset().filters().isEmpty();
    }
}
