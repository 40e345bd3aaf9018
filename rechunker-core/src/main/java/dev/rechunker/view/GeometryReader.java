package dev.rechunker.view;

import com.google.common.collect.Ordering;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.BoxCopier;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A reader of an array in another geometry. A chunk is read into the scratch, and its elements are gathered from there;
 * if the view has them in the same order, they are read directly. If any bytes of the array can be read, they are read
 * in pieces.
 */
final class GeometryReader extends ForwardingStore.Reader implements Ordered {
    /** The most bytes of a piece. */
    private static final long PIECE = 4 << 20;

    /** The bytes of a run from which it is better to read two of them one by one than what is between them. */
    private static final long APART = 16 << 10;

    private final Geometry geometry;
    private final ArraySpec own;
    private final ArraySpec spec;
    private final int itemSize;
    private final boolean anyBytes;
    private final boolean padded;
    private final boolean direct;
    private final long pieceBytes;
    private final ReadTraits traits;

    private GeometryReader(ArrayReader reader, Geometry geometry, ArraySpec spec) {
        super(reader);
        this.geometry = geometry;
        this.own = reader.spec();
        this.spec = spec;
        this.itemSize = own.dataType().itemSize();
        ReadTraits theirs = reader.traits();
        this.anyBytes = RegionRead.readsBytes(theirs);
        this.padded = theirs.paddedEdges();
        this.direct = geometry.isInOrder() && (anyBytes || areWholeChunks());
        this.pieceBytes = direct || spec.shape().isEmpty() ? 0 : pieceBytes();
        this.traits = ReadTraits.of(anyBytes ? Granularity.BYTES : Granularity.CHUNK)
                .withScratchBytes(Math.addExact(pieceBytes, theirs.scratchBytes()))
                .withNativeBytes(theirs.nativeBytes())
                .withHeldBytes(theirs.heldBytes());
    }

    /**
     * {@return a reader of an array in a geometry}
     *
     * @param spec the array in this geometry
     */
    static ArrayReader of(ArrayReader reader, Geometry geometry, ArraySpec spec) {
        return reader instanceof GeometryReader view
                ? new GeometryReader(view.delegate(), view.geometry.then(geometry), spec)
                : new GeometryReader(reader, geometry, spec);
    }

    @Override
    public ArrayReader inStoredOrder(long most) {
        List<Integer> order = geometry.storedOrder();
        boolean isStored = geometry.isInOrder() || Ordering.natural().isOrdered(order);
        return isStored ? this : inStoredOrder(order, most);
    }

    private ArrayReader inStoredOrder(List<Integer> order, long most) {
        Geometry sorted = geometry.transposed(order);
        try {
            ArrayReader reader = sorted.isIdentity(own.shape())
                    ? delegate()
                    : new GeometryReader(delegate(), sorted, sorted.of(own));
            return new StoredOrderReader(reader, spec, order, most);
        } catch (StoreException tooManyChunks) {
            return this;
        }
    }

    /** {@return whether chunks of the view are chunks of the array, in the shape in which they are read} */
    private boolean areWholeChunks() {
        long[] pinned = new long[own.shape().rank()];
        for (int axis = 0; axis < geometry.rank(); axis++) {
            int from = geometry.axis(axis);
            if (from >= 0 && geometry.indices(axis).count() > 0) {
                Partition chunks = own.chunks().axis(from);
                Indices shown = geometry.indices(axis);
                pinned[from] = 1;
                if (!chunks.isBoundary(shown.at(0))
                        || !chunks.isBoundary(shown.at(shown.count() - 1) + 1)
                        || (padded && chunks.isClipped())) {
                    return false;
                }
            }
        }
        for (int axis = 0; axis < pinned.length; axis++) {
            Partition chunks = own.chunks().axis(axis);
            if (pinned[axis] == 0 && (chunks.maxSize() != 1 || (padded && chunks.isClipped()))) {
                return false;
            }
        }
        return true;
    }

    private long pieceBytes() {
        Shape chunk = padded ? own.chunks().chunkShape() : own.chunks().largestChunk();
        long bytes = Math.multiplyExact(chunk.elements(), (long) itemSize);
        return anyBytes ? Math.min(bytes, Math.max(PIECE, itemSize)) : bytes;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        RegionReader.requireReadable(spec, traits, region, target);
        if (direct) {
            return delegate().read(geometry.box(region), target, scratch);
        }
        int mark = scratch.mark();
        try {
            ByteBuffer piece = scratch.take(pieceBytes);
            Gathering gathering = new Gathering(region, target.slice(), piece, scratch);
            return anyBytes ? gathering.inPieces(region) : gathering.chunk();
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) {
        throw new UnsupportedOperationException("chunks of this array can only be read whole");
    }

    /** {@return the share of the box that has all elements, or of the chunks that it touches} */
    @Override
    public Optional<StoredSize> storedSize(long most) throws IOException {
        return spec.shape().isEmpty()
                ? Optional.empty()
                : super.storedSize(most)
                        .map(whole ->
                                whole.part(RegionRead.share(delegate(), geometry.box(Region.whole(spec.shape())))));
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return Optional.empty();
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return Optional.empty();
    }

    /** One read of a region. */
    private final class Gathering {
        private final Region region;
        private final ByteBuffer target;
        private final long[] targetStrides;
        private final ByteBuffer piece;
        private final Scratch scratch;
        private final BoxCopier copier = new BoxCopier(geometry.rank());

        Gathering(Region region, ByteBuffer target, ByteBuffer piece, Scratch scratch) {
            this.region = region;
            this.target = target;
            this.targetStrides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
            this.piece = piece;
            this.scratch = scratch;
        }

        /** Reads the chunk of the array that has the region. {@return whether it was ever written} */
        boolean chunk() throws IOException {
            ChunkGrid grid = own.chunks();
            Region chunk = grid.region(grid.chunksTouching(geometry.box(region)).origin());
            Shape layout = padded ? grid.nominalShape(chunk) : chunk.shape();
            return read(chunk, layout, region);
        }

        /**
         * Reads a part of the region, which is cut until it fits the piece and is not mostly what is between elements.
         *
         * @return whether it was ever written
         */
        boolean inPieces(Region part) throws IOException {
            Region box = geometry.box(part);
            int cut = cut(part, box);
            if (cut < 0) {
                return read(box, box.shape(), part);
            }
            long half = part.extent(cut) / 2;
            boolean first = inPieces(part(part, cut, 0, half));
            return inPieces(part(part, cut, half, part.extent(cut))) && first;
        }

        /** {@return the axis of the view on which a part is to be cut; -1 if it is to be read at once} */
        private int cut(Region part, Region box) {
            int outermost = -1;
            for (int axis = 0; axis < geometry.rank(); axis++) {
                int from = geometry.axis(axis);
                if (from >= 0 && part.extent(axis) > 1) {
                    if (outermost < 0 || from < geometry.axis(outermost)) {
                        outermost = axis;
                    }
                }
            }
            if (outermost < 0) {
                return -1;
            }
            int from = geometry.axis(outermost);
            long row = itemSize;
            for (int axis = from + 1; axis < box.rank(); axis++) {
                row *= box.extent(axis);
            }
            boolean apart = row >= APART && box.extent(from) > part.extent(outermost);
            return apart || box.elements() > pieceBytes / itemSize ? outermost : -1;
        }

        private Region part(Region whole, int axis, long from, long to) {
            long[] origin = whole.origin();
            long[] extents = whole.shape().toArray();
            origin[axis] += from;
            extents[axis] = to - from;
            return Region.of(origin, Shape.of(extents));
        }

        /** Reads a box of the array and gathers a part of the region from it. {@return whether it was ever written} */
        private boolean read(Region box, Shape layout, Region part) throws IOException {
            ByteBuffer data = piece.slice(0, Math.toIntExact(layout.elements() * itemSize));
            if (!delegate().read(box, data.duplicate(), scratch)) {
                return false;
            }
            long[] strides = StridedCopy.denseStrides(layout.toArray(), itemSize);
            long from = 0;
            Region first = geometry.box(part(part));
            for (int axis = 0; axis < box.rank(); axis++) {
                from += (first.start(axis) - box.start(axis)) * strides[axis];
            }
            long[] sources = new long[geometry.rank()];
            gather(
                    0,
                    part,
                    data,
                    from,
                    strides,
                    sources,
                    part.offsetIn(region, targetStrides),
                    part.shape().toArray());
            return true;
        }

        /** {@return the first element of a part} */
        private Region part(Region part) {
            long[] ones = new long[part.rank()];
            Arrays.fill(ones, 1);
            return Region.of(part.origin(), Shape.of(ones));
        }

        /**
         * Gathers a part: the axes before one are done, and on each of the others a run of even distances at a time.
         */
        private void gather(
                int axis,
                Region part,
                ByteBuffer data,
                long from,
                long[] strides,
                long[] sources,
                long to,
                long[] extents) {
            if (axis == part.rank()) {
                copier.copy(data, from, sources, target, to, targetStrides, extents, itemSize, 1);
                return;
            }
            Indices shown = geometry.indices(axis);
            long stride = geometry.axis(axis) < 0 ? 0 : strides[geometry.axis(axis)];
            long first = part.start(axis);
            for (long at = first; at < part.end(axis); ) {
                long run = shown.runLength(at, part.end(axis));
                extents[axis] = run;
                sources[axis] = stride * (run > 1 ? shown.stepAt(at) : 1);
                gather(
                        axis + 1,
                        part,
                        data,
                        from + (shown.at(at) - shown.at(first)) * stride,
                        strides,
                        sources,
                        to + (at - first) * targetStrides[axis],
                        extents);
                at += run;
            }
        }
    }
}
