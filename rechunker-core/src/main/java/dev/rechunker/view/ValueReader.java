package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A reader that converts elements on the way. It reads as the other reader does: whole chunks, stretches of them, or
 * any elements, with padded edges or without.
 *
 * <p>Elements that do not get smaller are read to the end of the target and converted in place, from front to back.
 * Elements that get smaller are converted run by run if chunks are decoded from front to back, in pieces if any bytes
 * can be read, and otherwise from a chunk in the scratch.
 */
final class ValueReader extends ForwardingStore.Reader implements Ordered {
    /** The bytes of converted elements that are passed on at once. */
    private static final int RUN = 1 << 16;

    /** The bytes that are read at once if any can be read. */
    private static final int PIECE = 1 << 20;

    private final ArraySpec own;
    private final ValueChange change;
    private final int ownSize;
    private final int newSize;
    private final ReadTraits theirs;
    private final boolean isInPlace;
    /** The axes in the order in which elements are delivered. */
    private final int[] order;

    ValueReader(ArrayReader reader, ValueChange change) {
        super(reader);
        this.own = reader.spec();
        this.change = change;
        this.ownSize = own.dataType().itemSize();
        this.newSize = change.spec().dataType().itemSize();
        this.theirs = reader.traits();
        this.isInPlace = newSize >= ownSize;
        int rank = own.shape().rank();
        this.order = theirs.axisOrder().isEmpty()
                ? IntStream.range(0, rank).toArray()
                : theirs.axisOrder().stream().mapToInt(axis -> axis).toArray();
    }

    @Override
    public ArrayReader inStoredOrder(long most) {
        return delegate() instanceof Ordered ordered ? new ValueReader(ordered.inStoredOrder(most), change) : this;
    }

    @Override
    public ArraySpec spec() {
        return change.spec();
    }

    @Override
    public ReadTraits traits() {
        long block = theirs.blockBytes() % ownSize == 0 ? theirs.blockBytes() / ownSize * newSize : 0;
        return theirs.withBlockBytes(block).withScratchBytes(Math.addExact(theirs.scratchBytes(), ownScratch()));
    }

    private long ownScratch() {
        if (own.shape().isEmpty()) {
            return 0;
        }
        if (theirs.granularity() == Granularity.STREAM) {
            return runElements() * newSize;
        }
        return isInPlace ? 0 : Math.multiplyExact(pieceElements(), (long) ownSize);
    }

    private long chunkElements() {
        ChunkGrid grid = own.chunks();
        return (theirs.paddedEdges() ? grid.chunkShape() : grid.largestChunk()).elements();
    }

    private long runElements() {
        return Math.min(chunkElements(), Math.max(1, RUN / newSize));
    }

    private long pieceElements() {
        return RegionRead.readsBytes(theirs)
                ? Math.min(chunkElements(), Math.max(1, PIECE / ownSize))
                : chunkElements();
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        Layout layout = new Layout(region);
        ByteBuffer converted = target.slice();
        int count = converted.remaining() / newSize;
        if (isInPlace) {
            ByteBuffer elements = converted.slice(count * (newSize - ownSize), count * ownSize);
            return isFound(delegate().read(region, elements.duplicate(), scratch))
                    && layout.convert(0, elements, converted, count);
        }
        if (theirs.granularity() == Granularity.STREAM) {
            int[] done = {0};
            return isFound(delegate().stream(
                    region,
                    run -> {
                        int more = run.remaining() / ownSize;
                        int at = done[0];
                        layout.convert(at, run, converted.slice(at * newSize, more * newSize), more);
                        done[0] = at + more;
                    },
                    scratch));
        }
        int mark = scratch.mark();
        try {
            if (RegionRead.readsBytes(theirs)) {
                return readInPieces(region, converted, scratch);
            }
            ByteBuffer elements = scratch.take((long) count * ownSize);
            return isFound(delegate().read(region, elements.duplicate(), scratch))
                    && layout.convert(0, elements, converted, count);
        } finally {
            scratch.release(mark);
        }
    }

    private boolean readInPieces(Region region, ByteBuffer converted, Scratch scratch) throws IOException {
        long[] extents = Arrays.stream(order).mapToLong(region::extent).toArray();
        ChunkGrid pieces = ChunkGrid.contiguous(Shape.of(extents), pieceElements());
        int done = 0;
        for (long i = 0; i < pieces.count(); i++) {
            Region piece = inOrderOfAxes(pieces.regionAt(i)).moved(region.origin());
            int count = Math.toIntExact(piece.elements());
            int mark = scratch.mark();
            ByteBuffer elements = scratch.take((long) count * ownSize);
            if (!isFound(delegate().read(piece, elements.duplicate(), scratch))) {
                return false;
            }
            new Layout(piece).convert(0, elements, converted.slice(done * newSize, count * newSize), count);
            scratch.release(mark);
            done += count;
        }
        return true;
    }

    /** {@return a region whose axes are in the order in which elements are delivered, in that of the array} */
    private Region inOrderOfAxes(Region delivered) {
        long[] origin = new long[order.length];
        long[] extents = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            origin[order[i]] = delivered.start(i);
            extents[order[i]] = delivered.extent(i);
        }
        return Region.of(origin, Shape.of(extents));
    }

    /** {@return whether a chunk was ever written; refuses one that was not if its elements have no equal} */
    private boolean isFound(boolean found) throws StoreException {
        if (!found && change.fillRefusal().isPresent()) {
            throw change.fillRefusal().get();
        }
        return found;
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        Layout layout = new Layout(region);
        int mark = scratch.mark();
        try {
            int most = (int) runElements();
            ByteBuffer converted = scratch.take((long) most * newSize);
            long[] done = {0};
            return isFound(delegate().stream(
                    region,
                    run -> {
                        ByteBuffer elements = run.slice();
                        int all = elements.remaining() / ownSize;
                        for (int at = 0; at < all; ) {
                            int count = Math.min(most, all - at);
                            ByteBuffer part = elements.slice(at * ownSize, count * ownSize);
                            layout.convert(done[0], part, converted, count);
                            sink.accept(converted.slice(0, count * newSize));
                            done[0] += count;
                            at += count;
                        }
                    },
                    scratch));
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return Optional.empty();
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return Optional.empty();
    }

    /**
     * Where the elements of a region are in the buffer to which it is read: dense, or as in a chunk of nominal shape.
     */
    private final class Layout {
        private final Region region;
        /** The extents of the layout, and of the region in it, in the order in which elements are delivered. */
        private final long[] extents;

        private final long[] inside;
        private final boolean isDense;

        Layout(Region region) {
            this.region = region;
            Shape shape = region.shape();
            if (theirs.paddedEdges()) {
                ChunkGrid grid = own.chunks();
                shape = grid.nominalShape(
                        grid.region(grid.chunksTouching(region).origin()));
            }
            this.extents = Arrays.stream(order).mapToLong(shape::extent).toArray();
            this.inside = Arrays.stream(order).mapToLong(region::extent).toArray();
            this.isDense = IntStream.range(1, extents.length).allMatch(axis -> extents[axis] == inside[axis]);
        }

        /**
         * Converts elements of the region, and none that are outside of it.
         *
         * @param first the number of the first element in the layout
         * @return true
         */
        boolean convert(long first, ByteBuffer elements, ByteBuffer converted, int count) throws StoreException {
            if (isDense) {
                long inside = Math.min(count, region.elements() - first);
                if (inside > 0) {
                    convertRun(first, 0, elements, converted, (int) inside);
                }
                return true;
            }
            int last = extents.length - 1;
            long width = inside[last];
            for (int at = 0; at < count; ) {
                long column = (first + at) % extents[last];
                int row = (int) Math.min(extents[last] - column, count - at);
                if (column < width && isInside(first + at)) {
                    convertRun(first + at, at, elements, converted, (int) Math.min(row, width - column));
                }
                at += row;
            }
            return true;
        }

        private void convertRun(long first, int at, ByteBuffer elements, ByteBuffer converted, int count)
                throws StoreException {
            change.convert(
                    elements.slice(elements.position() + at * ownSize, count * ownSize),
                    converted.slice(converted.position() + at * newSize, count * newSize),
                    count,
                    new Run(this, first));
        }

        private boolean isInside(long number) {
            long rest = number;
            for (int axis = extents.length - 1; axis > 0; axis--) {
                if (rest % extents[axis] >= inside[axis]) {
                    return false;
                }
                rest /= extents[axis];
            }
            return rest < inside[0];
        }

        /** {@return the index in the array of an element of the layout} */
        private long[] index(long number) {
            long[] index = new long[extents.length];
            long rest = number;
            for (int axis = index.length - 1; axis >= 0; axis--) {
                long along = axis == 0 ? rest : rest % extents[axis];
                index[order[axis]] = region.start(order[axis]) + along;
                rest /= extents[axis];
            }
            return index;
        }
    }

    /** The positions of elements from some element of a layout on. */
    private final class Run implements ValueChange.Position {
        private final Layout layout;
        private final long first;
        /** The elements of a row that were last asked for, and the position of the first one. */
        private long row = -1;

        private long rowEnd = -1;
        private long rowPosition;
        private long step;

        Run(Layout layout, long first) {
            this.layout = layout;
            this.first = first;
        }

        @Override
        public long linear(int index) {
            long number = first + index;
            if (number < row || number >= rowEnd) {
                row = number;
                rowPosition = 0;
                rowEnd = number + 1;
                long[] at = layout.index(number);
                for (int axis = 0; axis < at.length; axis++) {
                    rowPosition = rowPosition * own.shape().extent(axis) + at[axis];
                }
                if (at.length > 0) {
                    int fastest = order[at.length - 1];
                    rowEnd = number + layout.region.end(fastest) - at[fastest];
                    step = 1;
                    for (int axis = fastest + 1; axis < at.length; axis++) {
                        step *= own.shape().extent(axis);
                    }
                }
            }
            return rowPosition + (number - row) * step;
        }

        @Override
        public String text(int index) {
            return Arrays.toString(layout.index(first + index));
        }
    }
}
