package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A writer of an array of a {@link MemoryStore}. An update writes a copy, which replaces the array at the commit. */
final class MemoryWriter implements ArrayWriter, ArrayWriter.PartTarget, ArrayWriter.EncodedTarget {
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
