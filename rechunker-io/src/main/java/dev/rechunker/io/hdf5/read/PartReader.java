package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.read.VirtualReader.Box;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.view.RegionRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads elements of a virtual dataset that are in one source, in the byte order of the virtual dataset. */
final class PartReader {
    /** The size of the pieces in which a source without filters is read, in bytes. */
    private static final long PIECE = 1 << 20;

    private final VirtualPart part;
    private final ArrayReader reader;
    private final ArraySpec source;
    private final boolean isPlain;
    private final boolean isPadded;
    private final int itemSize;
    private final int swapWord;
    private final byte[] fill;
    private final boolean sameFill;
    /** The most positions of each axis of the source that are read at once. */
    private final long[] most;

    private final long pieceBytes;

    PartReader(VirtualPart part, ArrayReader reader, ArraySpec wanted) {
        this.part = part;
        this.reader = reader;
        this.source = reader.spec();
        ReadTraits traits = reader.traits();
        this.isPlain = RegionRead.readsBytes(traits);
        this.isPadded = traits.paddedEdges();
        this.itemSize = source.dataType().itemSize();
        this.swapWord = source.byteOrder().equals(wanted.byteOrder())
                ? 1
                : source.dataType().wordSize();
        FillValue own = source.fillValue().swapped(swapWord);
        this.fill = own.element(itemSize);
        this.sameFill = own.equals(wanted.fillValue());
        Shape chunk = isPadded ? source.chunks().chunkShape() : source.chunks().largestChunk();
        Shape piece = isPlain
                ? ChunkGrid.contiguous(chunk, Math.max(1, PIECE / itemSize)).chunkShape()
                : chunk;
        this.most = piece.toArray();
        this.pieceBytes = Math.multiplyExact(piece.elements(), (long) itemSize);
    }

    /** {@return the size of the largest piece of the source that is read at once, in bytes} */
    long pieceBytes() {
        return pieceBytes;
    }

    /**
     * The piece of a source that was read last, so that parts that share a chunk do not each decode it.
     *
     * <p>The buffer is as large as the largest piece of any source.
     */
    static final class Piece {
        private final ByteBuffer elements;
        private @Nullable ArrayReader reader;
        private @Nullable Region region;
        private boolean found;

        Piece(ByteBuffer elements) {
            this.elements = elements;
        }

        /** {@return whether a region was ever written; reads it, if it is not the one that was read last} */
        boolean read(ArrayReader from, Region wanted, int bytes, Scratch scratch) throws IOException {
            if (reader != from || region == null || !wanted.equals(region)) {
                reader = null;
                found = from.read(wanted, elements.slice(0, bytes), scratch);
                reader = from;
                region = wanted;
            }
            return found;
        }
    }

    /** Numbers of selected positions on one axis: {@code from} and those after it, before {@code to}. */
    private record Range(long from, long to) {}

    private Range range(Region region, int axis) {
        AxisSelection target = part.target().get(axis);
        return new Range(target.countBelow(region.start(axis)), target.countBelow(region.end(axis)));
    }

    /** {@return whether a region has elements of the source} */
    boolean touches(Region region) {
        for (int axis = 0; axis < region.rank(); axis++) {
            Range range = range(region, axis);
            if (range.from == range.to) {
                return false;
            }
        }
        return true;
    }

    /** {@return for each axis of the source, the numbers of its positions that are in a region} */
    private List<Range> ranges(Region region) {
        List<Range> ranges = new ArrayList<>();
        part.from().forEach(axis -> ranges.add(new Range(0, 1)));
        for (int axis = 0; axis < region.rank(); axis++) {
            int there = part.axes().get(axis);
            if (there >= 0) {
                ranges.set(there, range(region, axis));
            }
        }
        return ranges;
    }

    /** {@return the smallest box of the source with the positions of some numbers} */
    private Region box(List<Range> ranges) {
        long[] origin = new long[ranges.size()];
        long[] extents = new long[ranges.size()];
        for (int axis = 0; axis < origin.length; axis++) {
            AxisSelection from = part.from().get(axis);
            origin[axis] = from.at(ranges.get(axis).from);
            extents[axis] = from.at(ranges.get(axis).to - 1) + 1 - origin[axis];
        }
        return Region.of(origin, Shape.of(extents));
    }

    /** {@return whether all elements of a region are one box of the source, which the reader can read at once} */
    boolean canReadDirectly(Region region) {
        List<Range> ranges = ranges(region);
        Region box = box(ranges);
        if (box.elements() != region.elements() || !isWhole(region)) {
            return false;
        }
        ChunkGrid grid = source.chunks();
        Region touched = grid.chunksTouching(box);
        return touched.elements() == 1
                && (isPlain
                        || (grid.region(touched.origin()).equals(box)
                                && !(isPadded && !box.shape().equals(grid.chunkShape()))));
    }

    private boolean isWhole(Region region) {
        for (int axis = 0; axis < region.rank(); axis++) {
            Range range = range(region, axis);
            if (range.to - range.from != region.extent(axis)) {
                return false;
            }
        }
        return true;
    }

    /** Reads a region that can be read directly; {@return false if all its elements are the fill value} */
    boolean readDirectly(Box target, Scratch scratch) throws IOException {
        boolean found =
                reader.read(box(ranges(target.region())), target.elements().duplicate(), scratch);
        if (found && swapWord > 1) {
            StridedCopy.swap(target.elements(), swapWord);
        } else if (!found && !sameFill) {
            target.fill(fill);
        }
        return found || !sameFill;
    }

    /** Reads the elements of a region that are in the source; {@return false if all are the fill value} */
    boolean read(Box target, Piece last, Scratch scratch) throws IOException {
        List<Range> ranges = ranges(target.region());
        List<List<Range>> pieces = new ArrayList<>();
        long[] counts = new long[ranges.size()];
        for (int axis = 0; axis < counts.length; axis++) {
            pieces.add(pieces(axis, ranges.get(axis)));
            counts[axis] = pieces.get(axis).size();
        }
        boolean found = false;
        Odometer odometer = new Odometer(Region.whole(Shape.of(counts)));
        while (odometer.next()) {
            List<Range> piece = new ArrayList<>();
            for (int axis = 0; axis < counts.length; axis++) {
                piece.add(pieces.get(axis).get((int) odometer.index()[axis]));
            }
            found |= readPiece(piece, target, last, scratch);
        }
        return found;
    }

    /** {@return the numbers of positions, divided into those that are read at once} */
    private List<Range> pieces(int axis, Range range) {
        AxisSelection from = part.from().get(axis);
        Partition chunks = source.chunks().axis(axis);
        List<Range> pieces = new ArrayList<>();
        for (long number = range.from; number < range.to; ) {
            long position = from.at(number);
            long chunkEnd = chunks.end(chunks.indexOf(position));
            long end = isPlain ? Math.min(chunkEnd, position + most[axis]) : chunkEnd;
            long next = Math.min(range.to, from.countBelow(end));
            pieces.add(new Range(number, next));
            number = next;
        }
        return pieces;
    }

    private boolean readPiece(List<Range> piece, Box target, Piece last, Scratch scratch) throws IOException {
        Region box = box(piece);
        ChunkGrid grid = source.chunks();
        Region read = isPlain ? box : grid.region(grid.chunksTouching(box).origin());
        Shape layout = isPadded ? grid.chunkShape() : read.shape();
        boolean found = last.read(reader, read, (int) (layout.elements() * itemSize), scratch);
        if (found || !sameFill) {
            long[] strides = StridedCopy.denseStrides(layout.toArray(), itemSize);
            new Scatter(last.elements, found, read.origin(), strides, target).copy(piece);
        }
        return found || !sameFill;
    }

    /** Copies selected elements of a box of the source to their places. */
    private final class Scatter {
        private final ByteBuffer elements;
        private final boolean found;
        private final long[] origin;
        private final long[] strides;
        private final Box target;
        private final long[] extents;
        private final long[] fromSteps;
        private final long[] toSteps;

        Scatter(ByteBuffer elements, boolean found, long[] origin, long[] strides, Box target) {
            this.elements = elements;
            this.found = found;
            this.origin = origin;
            this.strides = strides;
            this.target = target;
            int rank = target.region().rank();
            this.extents = new long[rank];
            this.fromSteps = new long[rank];
            this.toSteps = new long[rank];
        }

        void copy(List<Range> piece) {
            long from = 0;
            for (int axis = 0; axis < origin.length; axis++) {
                if (!part.axes().contains(axis)) {
                    from += (part.from().get(axis).at(0) - origin[axis]) * strides[axis];
                }
            }
            copy(piece, 0, from, 0);
        }

        /** Copies runs of equal steps, one axis after the other. */
        private void copy(List<Range> piece, int axis, long from, long to) {
            if (axis == extents.length) {
                if (found) {
                    StridedCopy.copy(
                            elements, from, fromSteps, target.elements(), to, toSteps, extents, itemSize, swapWord);
                } else {
                    StridedCopy.fill(target.elements(), to, toSteps, extents, fill);
                }
                return;
            }
            int there = part.axes().get(axis);
            Range range = there < 0 ? new Range(0, 1) : piece.get(there);
            AxisSelection places = part.target().get(axis);
            for (long number = range.from; number < range.to; number += extents[axis]) {
                long place = places.at(number);
                long position = there < 0 ? 0 : part.from().get(there).at(number);
                run(range, number, axis, there);
                copy(
                        piece,
                        axis + 1,
                        there < 0 ? from : from + (position - origin[there]) * strides[there],
                        to + (place - target.region().start(axis)) * target.stride(axis));
            }
        }

        /** Finds how many positions follow in equal steps, on both sides. */
        private void run(Range range, long first, int axis, int there) {
            AxisSelection places = part.target().get(axis);
            extents[axis] = 1;
            fromSteps[axis] = itemSize;
            toSteps[axis] = itemSize;
            if (first + 1 == range.to) {
                return;
            }
            AxisSelection positions = part.from().get(there);
            long step = positions.at(first + 1) - positions.at(first);
            long placeStep = places.at(first + 1) - places.at(first);
            long last = first + 1;
            while (last + 1 < range.to
                    && positions.at(last + 1) - positions.at(last) == step
                    && places.at(last + 1) - places.at(last) == placeStep) {
                last++;
            }
            extents[axis] = last - first + 1;
            fromSteps[axis] = step * strides[there];
            toSteps[axis] = placeStep * target.stride(axis);
        }
    }
}
