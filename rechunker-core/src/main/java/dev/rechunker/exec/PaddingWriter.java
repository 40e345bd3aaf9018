package dev.rechunker.exec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes units of an array, padded to their nominal shape if the writer needs that. As thread-safe as the writer. */
final class PaddingWriter {
    private final ArrayWriter writer;
    private final ChunkGrid units;
    private final boolean padded;
    private final byte[] fill;

    /**
     * Creates it.
     *
     * @param units the write units of the array
     */
    PaddingWriter(ArrayWriter writer, ChunkGrid units) {
        this.writer = writer;
        this.units = units;
        this.padded = writer.traits().paddedEdges();
        this.fill = writer.spec().fillValue().element(writer.spec().dataType().itemSize());
    }

    /**
     * Writes a unit.
     *
     * @param elements its elements, dense in C order
     * @param lane working memory: for the padded unit, and for encoding
     */
    void write(Region unit, ByteBuffer elements, ByteBuffer lane) throws IOException {
        Shape nominal = padded ? units.nominalShape(unit) : unit.shape();
        if (nominal.equals(unit.shape())) {
            writer.write(unit, elements, new Scratch(lane));
            return;
        }
        int size = Math.toIntExact(nominal.elements() * fill.length);
        ByteBuffer data = lane.slice(0, size);
        StridedCopy.pad(elements, unit.shape().toArray(), data, nominal.toArray(), fill);
        writer.write(unit, data, new Scratch(lane.slice(size, lane.capacity() - size)));
    }
}
