package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads a dataset: any region of chunks without filters, and whole filtered chunks. */
final class Hdf5Reader implements ArrayReader, ArrayReader.EncodedSource, ArrayReader.EncodedChunks {
    private final StoredDataset stored;
    private final LazyChunkIndex lazyIndex;
    private final Source source;
    private final StoredChunks encoded;
    private final @Nullable ShortDataset beyond;
    private final LongAdder bytesRead = new LongAdder();
    private volatile boolean closed;

    /** Reads the elements of chunks. */
    interface Source {
        ReadTraits traits();

        /**
         * Reads a region of one chunk.
         *
         * @param index the index of the chunk
         * @return false if the chunk was never written
         */
        boolean read(long[] index, Region region, ByteBuffer target, Scratch scratch) throws IOException;

        /**
         * Streams the first bytes of a chunk, if the granularity allows it.
         *
         * @param index the index of the chunk
         * @return false if the chunk was never written
         */
        default boolean stream(long[] index, long bytes, RunSink sink, Scratch scratch) throws IOException {
            throw new UnsupportedOperationException("chunks of this dataset are read whole");
        }

        /** Frees native memory. */
        default void close() {}
    }

    Hdf5Reader(StoredDataset stored) throws IOException {
        this.stored = stored;
        this.beyond = stored.isShort() ? new ShortDataset(stored) : null;
        this.lazyIndex = new LazyChunkIndex(stored);
        this.source = stored.dataset().filters().isEmpty()
                ? new PlainSource(stored, lazyIndex, bytesRead)
                : new FilteredSource(stored, lazyIndex, bytesRead);
        this.encoded = new StoredChunks(stored, lazyIndex, bytesRead);
    }

    @Override
    public ArraySpec spec() {
        return stored.spec();
    }

    @Override
    public ReadTraits traits() {
        return source.traits();
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        requireOpen();
        Region touched = stored.spec().chunks().chunksTouching(region);
        if (touched.elements() != 1) {
            throw new IllegalArgumentException(
                    region + " is not in one chunk of " + stored.spec().chunks());
        }
        int mark = scratch.mark();
        try {
            return read(touched.origin(), region, target, scratch);
        } catch (IOException e) {
            throw stored.explain(region, e);
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        requireOpen();
        ChunkGrid chunks = stored.spec().chunks();
        long[] index = chunks.chunksTouching(region).origin();
        if (!region.equals(chunks.region(index))) {
            throw new IllegalArgumentException(region + " is not a chunk of " + chunks);
        }
        Region nominal = Region.of(region.origin(), chunks.chunkShape());
        long bytes = nominal.ordinalAfter(region) * stored.spec().dataType().itemSize();
        int mark = scratch.mark();
        try {
            return source.stream(index, bytes, sink, scratch);
        } catch (IOException e) {
            throw stored.explain(region, e);
        } finally {
            scratch.release(mark);
        }
    }

    private boolean read(long[] index, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (beyond == null) {
            return source.read(index, region, target, scratch);
        }
        int start = target.position();
        boolean has = ShortDataset.has(stored.dataset().chunks(), index) && source.read(index, region, target, scratch);
        Shape box = source.traits().paddedEdges() ? stored.spec().chunks().chunkShape() : region.shape();
        return beyond.complete(region, box, target, start, has);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(stored.name() + " was closed");
        }
    }

    @Override
    public Optional<EncodedSource> encoded() throws IOException {
        return encoded.canBeCopied() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public String encodingIdentity() {
        return encoded.identity();
    }

    @Override
    public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
        requireOpen();
        return encoded.open(unit);
    }

    /** {@return the size of all chunks, as their index says; empty if it is remote, or large} */
    @Override
    public Optional<StoredSize> storedSize(long most) throws IOException {
        return traits().granularity() == ReadTraits.Granularity.BYTES
                ? ArrayReader.super.storedSize(most)
                : encoded.size();
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() throws IOException {
        return encoded.canBeCopied() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public String chunkEncoding() {
        return encoded.chunkEncoding();
    }

    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
        return openEncoded(chunk);
    }

    @Override
    public long storedBytesRead() {
        return bytesRead.sum();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            source.close();
        }
    }
}
