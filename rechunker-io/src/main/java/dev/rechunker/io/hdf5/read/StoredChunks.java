package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.hdf5.format.FilterPipeline;
import dev.rechunker.io.hdf5.format.StoredChunk;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads encoded chunks of a dataset, for copies that do not decode them. */
final class StoredChunks {
    private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;

    /** An index of more chunks is not read only to learn their size. */
    private static final long LARGEST_INDEX = 1 << 16;

    private final StoredDataset stored;
    private final LazyChunkIndex lazyIndex;
    private final LongAdder bytesRead;
    private @Nullable String identity;
    private String chunkEncoding = "";
    private boolean isKnown;

    StoredChunks(StoredDataset stored, LazyChunkIndex lazyIndex, LongAdder bytesRead) {
        this.stored = stored;
        this.lazyIndex = lazyIndex;
        this.bytesRead = bytesRead;
    }

    /**
     * {@return whether encoded chunks can be copied: the writer supports their encoding, and all filters were applied
     * to all chunks}
     *
     * <p>The first call that succeeds reads the whole chunk index, without keeping it in memory.
     */
    synchronized boolean canBeCopied() throws IOException {
        if (!isKnown) {
            identity = find();
            isKnown = true;
        }
        return identity != null;
    }

    /**
     * {@return the identity of the encoding, in the form of the writer of HDF5; call it only if chunks can be copied}
     */
    synchronized String identity() {
        String known = identity;
        if (known == null) {
            throw new UnsupportedOperationException(
                    stored.name() + " has chunks that are not copied as they are stored");
        }
        return known;
    }

    /** {@return the encoding of chunks, whatever their format; call it only if chunks can be copied} */
    synchronized String chunkEncoding() {
        return chunkEncoding;
    }

    /** {@return the identity, or null if encoded chunks cannot be copied} */
    private @Nullable String find() throws IOException {
        if (!(stored.dataset().layout() instanceof StoredLayout.Chunks layout)
                || layout.plainEdges()
                || stored.isShort()) {
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
            IndexLoader.Visitor uniform = (index, position, size, mask) -> {
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
            chunkEncoding = filters.chunkEncoding(spec);
            return filters.identity(spec);
        } catch (StoreException e) {
            return null;
        }
    }

    /** {@return the size of all chunks; empty if the index is remote or large, and reading it would take long} */
    Optional<StoredSize> size() throws IOException {
        if (!(stored.dataset().layout() instanceof StoredLayout.Chunks layout)
                || stored.file().file().isRemote()
                || stored.dataset().chunks().count() > LARGEST_INDEX) {
            return Optional.empty();
        }
        AtomicLong bytes = new AtomicLong();
        boolean filtered = isFiltered();
        FileMetadata.parse("index of chunks", () -> {
            IndexLoader.visit(
                    stored.file(),
                    stored.dataset(),
                    layout,
                    (index, position, size, mask) -> bytes.addAndGet(filtered ? size : stored.chunkBytes()));
            return true;
        });
        return Optional.of(new StoredSize(bytes.get(), false));
    }

    /** {@return an encoded chunk; empty if it was never written} */
    Optional<EncodedUnit> open(Region chunk) throws IOException {
        if (!canBeCopied()) {
            throw new UnsupportedOperationException(
                    stored.name() + " has chunks that are not copied as they are stored");
        }
        ChunkGrid chunks = stored.spec().chunks();
        long ordinal = chunks.ordinal(chunks.chunksTouching(chunk).origin());
        try {
            ChunkIndex index = lazyIndex.get();
            long position = index.position(ordinal);
            if (position == 0) {
                return Optional.empty();
            }
            long size = isFiltered() ? index.size(ordinal) : stored.chunkBytes();
            bytesRead.add(size);
            return Optional.of(new StoredChunk(stored.file().file()::read, position, size));
        } catch (IOException e) {
            throw stored.explain(chunk, e);
        }
    }

    private boolean isFiltered() {
        return !stored.dataset().filters().isEmpty();
    }
}
