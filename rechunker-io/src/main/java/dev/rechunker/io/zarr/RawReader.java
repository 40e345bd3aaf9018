package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads any part of chunks that lie in files as they are: run by run, a run being elements that are neighbours in the
 * file and in the region. Runs too short to be worth a read of their own are read together with what lies between them.
 */
final class RawReader implements ZarrReader.ChunkSource {
    /** Runs from this size on are read one by one. */
    private static final int LONG_RUN = 1 << 12;

    private static final int SPAN = 1 << 16;

    private final StoredArray array;

    RawReader(StoredArray array) {
        this.array = array;
    }

    @Override
    public ReadTraits traits() {
        return new ReadTraits(
                ReadTraits.Granularity.BYTES, false, span(), array.store().sourceBytes());
    }

    private int span() {
        return (int) Math.min(SPAN, array.layout().chunkBytes());
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
        int rank = chunk.rank();
        long[] strides = new long[rank];
        long stride = array.layout().spec().dataType().itemSize();
        long offset = 0;
        long run = stride;
        int outer = rank;
        boolean joined = true;
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            offset += region.start(axis) % chunk.extent(axis) * stride;
            stride *= chunk.extent(axis);
            if (joined) {
                run *= region.extent(axis);
                outer = axis;
                joined = region.extent(axis) == chunk.extent(axis);
            }
        }
        new Runs(unit, region, strides, run, target, scratch).read(0, outer, offset);
        return true;
    }

    /** The runs of one region. */
    private final class Runs {
        private final ByteSource unit;
        private final Region region;
        private final long[] strides;
        private final long run;
        private final ByteBuffer target;
        private final Scratch scratch;

        Runs(ByteSource unit, Region region, long[] strides, long run, ByteBuffer target, Scratch scratch) {
            this.unit = unit;
            this.region = region;
            this.strides = strides;
            this.run = run;
            this.target = target;
            this.scratch = scratch;
        }

        /** Reads what the axes from {@code axis} on span, a run being inside axis {@code outer}. */
        void read(int axis, int outer, long offset) throws IOException {
            if (axis == outer) {
                run(offset);
            } else if (axis == outer - 1 && run < LONG_RUN && strides[axis] + run <= span()) {
                together(axis, offset);
            } else {
                for (long i = 0; i < region.extent(axis); i++) {
                    read(axis + 1, outer, offset + i * strides[axis]);
                }
            }
        }

        private void run(long offset) throws IOException {
            int end = target.limit();
            target.limit(Math.toIntExact(target.position() + run));
            unit.read(offset, target);
            target.limit(end);
        }

        private void together(int axis, long offset) throws IOException {
            long stride = strides[axis];
            long most = (span() - run) / stride + 1;
            for (long first = 0; first < region.extent(axis); first += most) {
                long count = Math.min(most, region.extent(axis) - first);
                int mark = scratch.mark();
                ByteBuffer between = scratch.take((count - 1) * stride + run);
                unit.read(offset + first * stride, between);
                for (int i = 0; i < count; i++) {
                    target.put(between.slice(Math.toIntExact(i * stride), (int) run));
                }
                scratch.release(mark);
            }
        }
    }
}
