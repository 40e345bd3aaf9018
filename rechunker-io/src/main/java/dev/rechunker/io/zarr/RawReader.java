package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads any part of chunks that lie in files as they are. */
final class RawReader implements ZarrReader.ChunkSource {
    /** What lies between the runs of a region is requested with them, if it is not much more, or little in all. */
    private static final long LITTLE = 1 << 22;

    private static final int NOT_MUCH_MORE = 4;

    private final StoredArray array;

    RawReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        return new ReadTraits(
                ReadTraits.Granularity.BYTES,
                false,
                BoxReader.scratchBytes(array.layout().chunkBytes()),
                array.store().sourceBytes());
    }

    @Override
    public boolean read(ByteSource unit, String key, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        long whole = array.layout().chunkBytes();
        if (unit.size() != whole) {
            throw array.refuse(
                    key,
                    "it has " + unit.size() + " bytes, but a chunk takes " + whole
                            + "; it was cut off, or belongs to another array");
        }
        Shape chunk = array.layout().spec().chunks().chunkShape();
        BoxReader.read(unit::read, chunk, itemSize(), inChunk(region), target, scratch);
        return true;
    }

    /** {@return what lies between a region's first and last element; or its first row, if most of that is not of it} */
    @Override
    public Span first(Region region) {
        Shape chunk = array.layout().spec().chunks().chunkShape();
        Region part = inChunk(region);
        long first = 0;
        long last = 0;
        for (int axis = 0; axis < chunk.rank(); axis++) {
            first = first * chunk.extent(axis) + part.start(axis);
            last = last * chunk.extent(axis) + part.end(axis) - 1;
        }
        long bytes = (last - first + 1) * itemSize();
        if (bytes == array.layout().chunkBytes()) {
            return Span.ALL;
        }
        boolean together = bytes <= LITTLE || bytes / NOT_MUCH_MORE <= part.elements() * itemSize();
        long row = part.rank() == 0 ? itemSize() : part.extent(part.rank() - 1) * itemSize();
        return new Span(first * itemSize(), together ? bytes : row);
    }

    private Region inChunk(Region region) {
        Shape chunk = array.layout().spec().chunks().chunkShape();
        long[] origin = region.origin();
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] %= chunk.extent(axis);
        }
        return Region.of(origin, region.shape());
    }

    private int itemSize() {
        return array.layout().spec().dataType().itemSize();
    }
}
