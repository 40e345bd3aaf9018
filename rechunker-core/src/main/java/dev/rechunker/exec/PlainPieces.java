package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** The uncompressed pieces of a {@link SpillFile}, each with its elements in C order. */
final class PlainPieces {
    private PlainPieces() {}

    /**
     * A reader of any part of a piece, or of contiguous pieces.
     *
     * @param counter receives the bytes that were read from files, not from memory
     */
    record Reader(SpillFile file, LongConsumer counter) implements ArrayReader {
        @Override
        public ArraySpec spec() {
            return file.spec().toBuilder().chunks(file.reads()).build();
        }

        @Override
        public ReadTraits traits() {
            return ReadTraits.of(ReadTraits.Granularity.BYTES);
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            Region whole =
                    file.reads().region(file.reads().chunksTouching(region).origin());
            SpillPart part = file.part(whole);
            long start = file.layout().offset(whole);
            counter.accept(
                    region.equals(whole) ? fill(part, target, start) : readRuns(part, start, whole, region, target));
            return true;
        }

        private long readRuns(SpillPart part, long start, Region whole, Region region, ByteBuffer target)
                throws IOException {
            int itemSize = file.spec().dataType().itemSize();
            long[] strides = StridedCopy.denseStrides(whole.shape().toArray(), itemSize);
            // The last axes that are complete form one run together with the axis before them.
            int split = region.rank() - 1;
            while (split > 0 && region.extent(split) == whole.extent(split)) {
                split--;
            }
            long run = itemSize;
            for (int axis = Math.max(split, 0); axis < region.rank(); axis++) {
                run *= region.extent(axis);
            }
            long[] runs = region.shape().toArray();
            for (int axis = Math.max(split, 0); axis < runs.length; axis++) {
                runs[axis] = 1;
            }
            Odometer odometer = new Odometer(Region.whole(Shape.of(runs)));
            int position = target.position();
            long ofFile = 0;
            while (odometer.next()) {
                long at = start;
                for (int axis = 0; axis < runs.length; axis++) {
                    at += (region.start(axis) - whole.start(axis) + odometer.at(axis)) * strides[axis];
                }
                ofFile += fill(part, target.slice(position, (int) run), at);
                position += (int) run;
            }
            return ofFile;
        }

        /** Fills the rest of the target; {@return the bytes that came from a file} */
        private long fill(SpillPart part, ByteBuffer target, long at) throws IOException {
            int inMemory = file.resident().length(at, target.remaining());
            file.resident().read(at, target);
            int ofFile = target.remaining();
            part.read(target, at + inMemory);
            return ofFile;
        }

        @Override
        public void close() {}
    }

    /**
     * A writer of whole pieces.
     *
     * @param counter receives the bytes that were written to files, not to memory
     */
    record Writer(SpillFile file, LongConsumer counter) implements ArrayWriter {
        @Override
        public ArraySpec spec() {
            return file.spec();
        }

        @Override
        public WriteTraits traits() {
            return WriteTraits.PLAIN;
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            long at = file.layout().offset(unit);
            long ofFile = at + file.resident().length(at, data.remaining());
            file.resident().write(at, data);
            counter.accept(data.remaining());
            SpillPart part = file.part(unit);
            if (file.isNeeded(part, data)) {
                part.write(data, ofFile);
            }
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
