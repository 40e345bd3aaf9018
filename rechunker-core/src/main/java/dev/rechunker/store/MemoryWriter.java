package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A writer of an array of a {@link MemoryStore}. An update writes a copy, which replaces the array at the commit. */
final class MemoryWriter
        implements ArrayWriter, ArrayWriter.PartTarget, ArrayWriter.EncodedTarget, ArrayWriter.ChunkTarget {
    private final MemoryArray array;
    private final MemoryParts parts;
    private final Publication publication;
    private final boolean updates;
    private volatile boolean committed;
    private volatile boolean closed;

    /** Puts the array into the hierarchy. */
    @FunctionalInterface
    interface Publication {
        void publish() throws StoreException;
    }

    MemoryWriter(MemoryArray array, boolean updates, Publication publication) {
        this.array = array;
        this.parts = new MemoryParts(array);
        this.updates = updates;
        this.publication = publication;
    }

    MemoryArray array() {
        return array;
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public WriteTraits traits() {
        return array.writeTraits();
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) {
        requireOpen();
        array.write(unit, data);
    }

    @Override
    public Optional<PartTarget> parts() {
        return traits().parts().map(declared -> this);
    }

    @Override
    public void writePart(Region part, ByteBuffer data, Scratch scratch) {
        requireOpen();
        parts.put(part, data);
    }

    @Override
    public void omitPart(Region part, Scratch scratch) {
        requireOpen();
        parts.put(part, null);
    }

    /** Does nothing: memory does not survive a loss of power. */
    @Override
    public void forceParts() {}

    @Override
    public void erase(Region unit) throws IOException {
        requireOpen();
        if (!updates) {
            ArrayWriter.super.erase(unit);
        }
        array.erase(unit);
    }

    @Override
    public void commit() throws StoreException {
        requireOpen();
        parts.requireNone();
        publication.publish();
        committed = true;
    }

    @Override
    public Optional<EncodedTarget> encoded() {
        return array.encoded() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
        requireOpen();
        if (!array.encoded()) {
            throw new UnsupportedOperationException("no encoded units can be written to " + array.name());
        }
        array.requireUnit(unit);
        long expected =
                Math.multiplyExact(unit.elements(), (long) spec().dataType().itemSize());
        if (encoded.size() != expected) {
            throw new StoreException("an encoded unit of " + encoded.size() + " bytes for " + unit + " of "
                    + array.name() + ", which takes " + expected);
        }
        byte[] elements = new byte[Math.toIntExact(expected)];
        encoded.read(0, ByteBuffer.wrap(elements));
        array.setUnit(unit, elements);
    }

    @Override
    public Optional<ChunkTarget> encodedChunks() {
        return array.encoded() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        requireOpen();
        if (!array.encoded()) {
            throw new UnsupportedOperationException("no encoded chunks can be written to " + array.name());
        }
        array.requireUnit(unit);
        byte[] elements = array.filled(unit);
        boolean some = false;
        Region contained = spec().chunks().chunksTouching(unit);
        for (long i = 0; i < contained.elements(); i++) {
            Region chunk = chunk(contained, i);
            int mark = scratch.mark();
            Optional<EncodedUnit> opened = chunks.open(chunk, scratch);
            if (opened.isPresent()) {
                some = true;
                try (EncodedUnit encoded = opened.get()) {
                    ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(encoded.size()));
                    encoded.read(0, data);
                    array.place(chunk, data.flip(), unit, elements);
                }
            }
            scratch.release(mark);
        }
        if (some) {
            array.setUnit(unit, elements);
        } else if (updates) {
            array.erase(unit);
        }
    }

    /** {@return the chunk with an ordinal in a box of the indices of chunks} */
    private Region chunk(Region indices, long ordinal) {
        long[] index = indices.origin();
        long rest = ordinal;
        for (int axis = index.length - 1; axis >= 0; axis--) {
            index[axis] += rest % indices.extent(axis);
            rest /= indices.extent(axis);
        }
        return spec().chunks().region(index);
    }

    private void requireOpen() {
        if (closed || committed) {
            throw new IllegalStateException(
                    "the writer of " + array.name() + " is " + (closed ? "closed" : "committed"));
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
