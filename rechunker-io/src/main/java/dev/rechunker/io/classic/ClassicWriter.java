package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.classic.ClassicSession.Written;
import dev.rechunker.io.file.ContiguousRuns;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Writes regions of a variable, each run of elements to its place. What was not written is filled at the end. */
final class ClassicWriter implements ArrayWriter {
    private final String name;
    private final Written array;
    private final Publication publication;
    private final LongAdder storedBytes = new LongAdder();
    /** For each region, 1 if it was written. */
    private byte[] written;

    private volatile boolean committed;
    private volatile boolean closed;

    /** Makes an array exist. */
    interface Publication {
        void publish() throws IOException;
    }

    ClassicWriter(String name, Written array, Publication publication) {
        this.name = name;
        this.array = array;
        this.publication = publication;
        this.written = new byte[(int) array.spec().chunks().count()];
    }

    /** {@return the traits of a writer of an array} */
    static WriteTraits traits(ArraySpec spec) {
        return WriteTraits.PLAIN
                .withNativeBytes(Transfers.PIECE)
                .withHeldBytes(spec.chunks().count() + Transfers.PIECE);
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public WriteTraits traits() {
        return traits(spec());
    }

    private int itemSize() {
        return spec().dataType().itemSize();
    }

    private void requireOpen() {
        if (closed || committed) {
            throw new IllegalStateException("the writer of " + name + " is " + (closed ? "closed" : "committed"));
        }
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        requireOpen();
        int ordinal = ordinal(unit, data.remaining());
        ByteBuffer elements = data.duplicate();
        try {
            ContiguousRuns.visit(spec().shape(), itemSize(), unit, (offset, bytes) -> {
                elements.limit(elements.position() + (int) bytes);
                array.placement().write(array.file(), offset, elements);
            });
        } catch (IOException e) {
            throw WrittenReader.explain(name, unit, e);
        }
        storedBytes.add(unit.elements() * itemSize());
        written[ordinal] = 1;
    }

    /** {@return the ordinal of a write unit; refuses other regions, and buffers of another size} */
    private int ordinal(Region unit, long bytes) {
        ChunkGrid grid = spec().chunks();
        long[] index = unit.origin();
        for (int axis = 0; axis < index.length; axis++) {
            index[axis] /= grid.axis(axis).step();
        }
        if (!grid.region(index).equals(unit)) {
            throw new IllegalArgumentException(unit + " is not a write unit of " + grid);
        }
        long expected = unit.elements() * itemSize();
        if (bytes != expected) {
            throw new IllegalArgumentException(
                    "the buffer has " + bytes + " bytes, but " + unit + " takes " + expected);
        }
        return (int) grid.ordinal(index);
    }

    @Override
    public void commit() throws IOException {
        requireOpen();
        byte[] fill = spec().fillValue().element(itemSize());
        ByteBuffer fills = ByteBuffer.allocate(Math.max(1, Transfers.PIECE / fill.length) * fill.length);
        while (fills.hasRemaining()) {
            fills.put(fill);
        }
        for (int i = 0; i < written.length; i++) {
            if (written[i] == 0) {
                ContiguousRuns.visit(spec().shape(), itemSize(), spec().chunks().regionAt(i), (offset, bytes) -> {
                    for (long done = 0; done < bytes; done += fills.limit()) {
                        fills.clear().limit((int) Math.min(fills.capacity(), bytes - done));
                        array.placement().write(array.file(), offset + done, fills);
                    }
                });
            }
        }
        publication.publish();
        committed = true;
    }

    @Override
    public long storedBytesWritten() {
        return storedBytes.sum();
    }

    @Override
    public void close() {
        closed = true;
        written = new byte[0];
    }
}
