package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads any part of chunks that are stored without codecs. */
final class RawReader implements ZarrReader.ChunkSource {
    private final StoredArray array;

    RawReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        return ReadTraits.of(ReadTraits.Granularity.BYTES)
                .withScratchBytes(BoxReader.scratchBytes(array.layout().chunkBytes()))
                .withNativeBytes(array.store().sourceBytes())
                .withHeldBytes(array.store().heldBytes());
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        array.requireChunk(key, region, unit.size());
        Shape chunk = array.layout().spec().chunks().nominalShape(region);
        BoxReader.read(unit::read, chunk, itemSize(), inChunk(region), target, scratch);
        return true;
    }

    @Override
    public Span first(Region region) {
        Shape chunk = array.layout().spec().chunks().nominalShape(region);
        Span first = BoxReader.first(chunk, itemSize(), inChunk(region));
        return first.length() == array.layout().chunkBytes(region) ? Span.ALL : first;
    }

    private Region inChunk(Region region) {
        ChunkGrid chunks = array.layout().spec().chunks();
        long[] origin = region.origin();
        for (int axis = 0; axis < origin.length; axis++) {
            Partition along = chunks.axis(axis);
            origin[axis] -= along.start(along.indexOf(origin[axis]));
        }
        return Region.of(origin, region.shape());
    }

    private int itemSize() {
        return array.layout().spec().dataType().itemSize();
    }
}
