package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Reads an array, chunk by chunk or, if its chunks are stored without codecs, in any parts. */
final class ZarrReader implements ArrayReader, ArrayReader.EncodedSource, ArrayReader.EncodedChunks {
    private final StoredArray array;
    private final ChunkSource chunks;
    private final ReadTraits traits;

    ZarrReader(StoredArray array) {
        this.array = array;
        this.chunks = !array.layout().levels().isEmpty()
                ? new ShardReader(array)
                : array.chain().isRaw()
                        ? new RawReader(array)
                        : array.chain().decodesStream()
                                ? new StreamReader(array)
                                : array.chain().decodesElements()
                                        ? new ElementsReader(array)
                                        : new EncodedReader(array);
        this.traits = chunks.traits();
    }

    /** Reads one kind of layout. */
    interface ChunkSource {
        ReadTraits traits();

        /**
         * Reads a region from the write unit that contains it.
         *
         * @return false if the chunk was never written
         */
        boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch) throws IOException;

        /**
         * Finds an encoded chunk in the write unit that contains it. By default, a unit is one chunk.
         *
         * @return false if the chunk was never written
         */
        default boolean find(ByteSource unit, String key, Region chunk, Scratch scratch, ChunkUse use)
                throws IOException {
            use.read(0, unit.size());
            return true;
        }

        /** {@return the bytes of scratch memory that {@link #find} takes} */
        default long indexScratch() {
            return 0;
        }

        /** {@return the part of the write unit that is read first} */
        default Span first(Region region) {
            return Span.ALL;
        }

        /**
         * Streams the bytes of a part of a chunk, if the granularity allows it.
         *
         * @return false if the chunk was never written
         */
        default boolean stream(
                ByteSource unit, String key, Region region, long from, long to, RunSink sink, Scratch scratch)
                throws IOException {
            throw new UnsupportedOperationException("chunks of this array are read whole");
        }
    }

    /** A use of an encoded chunk that is stored at a position of a file. */
    interface ChunkUse {
        void read(long offset, long size) throws IOException;
    }

    @Override
    public ArraySpec spec() {
        return array.layout().spec();
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        requireReadable(region, target);
        return fromUnit(region, scratch, (unit, key) -> chunks.read(unit, key, region, target, scratch));
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        ChunkGrid grid = spec().chunks();
        Region chunk = grid.region(grid.chunksTouching(region).origin());
        if (traits.blockBytes() == 0 || !region.isContiguousIn(chunk)) {
            UnitFiles.requireUnit(grid, region);
        }
        Region nominal = Region.of(chunk.origin(), grid.nominalShape(chunk));
        long itemSize = spec().dataType().itemSize();
        long from = nominal.ordinal(region.origin()) * itemSize;
        long to = nominal.ordinalAfter(region) * itemSize;
        return fromUnit(region, scratch, (unit, key) -> chunks.stream(unit, key, region, from, to, sink, scratch));
    }

    /** A read from the open write unit that contains a region. */
    private interface UnitUse {
        boolean read(ByteSource unit, String key) throws IOException;
    }

    private boolean fromUnit(Region region, Scratch scratch, UnitUse use) throws IOException {
        String key = array.key(region);
        Optional<ByteSource> opened = array.open(key, chunks.first(region));
        if (opened.isEmpty()) {
            return false;
        }
        int mark = scratch.mark();
        try (ByteSource unit = opened.get()) {
            return use.read(unit, key);
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    private void requireReadable(Region region, ByteBuffer target) {
        long bytes;
        if (traits.granularity() == ReadTraits.Granularity.BYTES) {
            Region touched = spec().chunks().chunksTouching(region);
            if (touched.elements() != 1) {
                throw new IllegalArgumentException(region + " is in more than one chunk of " + spec().chunks());
            }
            bytes = region.elements() * spec().dataType().itemSize();
        } else {
            UnitFiles.requireUnit(spec().chunks(), region);
            bytes = array.layout().chunkBytes(region);
        }
        UnitFiles.requireRemaining(target, region, bytes);
    }

    @Override
    public long storedBytesRead() {
        return array.storedBytes();
    }

    /** {@return the size of all chunks, or of all elements if any of them can be read} */
    @Override
    public Optional<StoredSize> storedSize(long most) throws IOException {
        return traits().granularity() == ReadTraits.Granularity.BYTES
                ? Optional.of(new StoredSize(spec().bytes(), false))
                : Optional.of(array.size(spec().writeUnits(), most));
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return Optional.of(this);
    }

    @Override
    public String encodingIdentity() {
        return array.identity();
    }

    /** {@return the stored unit} A unit of an impossible size is refused here, too. */
    @Override
    public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
        UnitFiles.requireUnit(spec().writeUnits(), unit);
        String key = array.key(unit);
        Optional<ByteSource> opened = array.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        ByteSource source = opened.get();
        try {
            array.requireUnit(key, unit, source.size());
        } catch (StoreException e) {
            source.close();
            throw e;
        }
        return Optional.of(array.encoded(key, source));
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return Optional.of(this);
    }

    @Override
    public String chunkEncoding() {
        return array.chain().chunkEncoding(spec());
    }

    @Override
    public long chunkScratchBytes() {
        return chunks.indexScratch();
    }

    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
        UnitFiles.requireUnit(spec().chunks(), chunk);
        String key = array.key(chunk);
        Optional<ByteSource> opened = array.open(key, chunks.first(chunk));
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        ByteSource unit = opened.get();
        AtomicReference<@Nullable EncodedUnit> found = new AtomicReference<>();
        try {
            chunks.find(unit, key, chunk, scratch, (offset, size) -> {
                array.requireChunk(key, chunk, size);
                found.set(array.encoded(key, unit, offset, size));
            });
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            if (found.get() == null) {
                unit.close();
            }
        }
        return Optional.ofNullable(found.get());
    }

    @Override
    public void close() {
        array.close();
    }
}
