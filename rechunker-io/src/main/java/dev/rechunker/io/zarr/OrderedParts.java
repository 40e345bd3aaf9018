package dev.rechunker.io.zarr;

import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The parts of a write unit in C order, one after the other. */
record OrderedParts(UnitForm form, IncompleteUnit unit) {
    /** The most bytes that are copied at once. */
    private static final int MOST_COPIED = 1 << 20;

    /**
     * Copies the parts, and writes the index; {@return the size of the unit} The unit does not change.
     *
     * @param stored has the parts in the order in which they were written
     * @param head a buffer as for {@link UnitForm#finish}
     */
    long write(ByteSource stored, ByteSink ordered, ByteBuffer head, Scratch scratch) throws IOException {
        long[] positions = unit.positions.clone();
        long end = form.start();
        ByteBuffer buffer = scratch.take(Math.min(scratch.available(), MOST_COPIED));
        for (int part = 0; part < positions.length; part++) {
            int size = unit.sizes[part];
            if (size > 0) {
                for (int at = 0; at < size; at += buffer.capacity()) {
                    buffer.clear().limit(Math.min(buffer.capacity(), size - at));
                    stored.read(positions[part] + at, buffer);
                    ordered.write(end + at, buffer.flip());
                }
                positions[part] = end;
                end += size;
            }
        }
        return form.finish(ordered, positions, unit.sizes, end, head);
    }
}
