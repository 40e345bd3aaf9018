package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the cells of a grid over an array one at a time, into memory of its own. Not thread-safe. */
public final class CellReader {
    private final ArrayReader reader;
    private final ArraySpec spec;
    private final RegionRead read;
    private final double cellBytes;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private ByteBuffer scratch = ByteBuffer.allocate(0);

    /**
     * Creates it, without the memory.
     *
     * @param reader the reader of the array, which the caller closes
     */
    public CellReader(ArrayReader reader, ChunkGrid cells) {
        this.reader = reader;
        this.spec = reader.spec();
        this.read = new RegionRead(spec, reader.traits(), spec, cells);
        this.cellBytes =
                (double) cells.largestChunk().elements() * spec.dataType().itemSize();
    }

    /** {@return the bytes that reading takes, apart from the native ones of the reader} */
    public double bytes() {
        return cellBytes + read.scratchBytes();
    }

    /** {@return whether reading takes at most some bytes, and buffers can have the size that they need} */
    public boolean fits(long most) {
        return bytes() <= most && cellBytes <= Integer.MAX_VALUE && read.scratchBytes() <= Integer.MAX_VALUE;
    }

    /**
     * {@return the elements of a cell, dense, in the byte order of the array; those that were never written are the
     * fill value} They are there until the next cell is read.
     */
    public ByteBuffer read(Region cell) throws IOException {
        if (buffer.capacity() == 0) {
            buffer = ByteBuffer.allocateDirect((int) cellBytes);
            scratch = ByteBuffer.allocateDirect((int) read.scratchBytes());
        }
        int bytes = (int) (cell.elements() * spec.dataType().itemSize());
        ByteBuffer elements = buffer.slice(0, bytes).order(spec.byteOrder());
        read.readFilled(reader, cell, elements.duplicate(), new Scratch(scratch.duplicate()));
        return elements;
    }
}
