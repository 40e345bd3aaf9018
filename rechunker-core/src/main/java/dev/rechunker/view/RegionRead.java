package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A method of reading regions that are not chunks, in the byte order and with the fill value of another spec.
 *
 * <p>A region that the reader can deliver directly is read straight into the target. Any other region is assembled from
 * its chunks, which are read into the scratch one by one. Immutable; readers of equal spec and traits can share one.
 */
public final class RegionRead {
    private final ArraySpec spec;
    private final ReadTraits traits;
    private final int itemSize;
    private final int swapWord;
    private final byte[] fill;
    private final boolean sameFill;
    private final long pieceBytes;

    /**
     * Creates the method of reading the cells of a grid.
     *
     * @param spec the spec of the array, of which data type, chunks, byte order and fill value are used
     * @param traits the traits of the array's reader
     * @param wanted the spec whose byte order and fill value the result is to have
     * @param regions the regions that will be read, as a grid over the array
     */
    public RegionRead(ArraySpec spec, ReadTraits traits, ArraySpec wanted, ChunkGrid regions) {
        this(spec, traits, wanted, spec.shape().isEmpty() ? 0 : pieceBytes(spec, traits, regions));
    }

    private RegionRead(ArraySpec spec, ReadTraits traits, ArraySpec wanted, long pieceBytes) {
        this.spec = spec;
        this.traits = traits;
        this.itemSize = spec.dataType().itemSize();
        this.swapWord = spec.byteOrder().equals(wanted.byteOrder())
                ? 1
                : spec.dataType().wordSize();
        FillValue own = spec.fillValue().swapped(swapWord);
        this.fill = own.element(itemSize);
        this.sameFill = own.equals(wanted.fillValue());
        this.pieceBytes = pieceBytes;
    }

    /** {@return the method of reading any regions, whatever their position and size} */
    static RegionRead ofAny(ArraySpec spec, ReadTraits traits) {
        return new RegionRead(spec, traits, spec, spec.shape().isEmpty() ? 0 : chunkBytes(spec, traits));
    }

    /** {@return whether readers with these traits can read any part of a chunk} */
    public static boolean readsBytes(ReadTraits traits) {
        return traits.granularity() == ReadTraits.Granularity.BYTES && !traits.paddedEdges();
    }

    /** {@return the share of an array that is read for a region: its elements, or those of the chunks it touches} */
    static double share(ArrayReader reader, Region region) {
        ArraySpec whole = reader.spec();
        double share = 1;
        for (int axis = 0; axis < region.rank() && region.elements() > 0; axis++) {
            Partition chunks = whole.chunks().axis(axis);
            long from = region.start(axis);
            long to = region.end(axis);
            share *= (readsBytes(reader.traits())
                            ? to - from
                            : chunks.end(chunks.indexOf(to - 1)) - chunks.start(chunks.indexOf(from)))
                    / (double) chunks.length();
        }
        return region.elements() == 0 ? 0 : share;
    }

    /** {@return the spec of the array} */
    public ArraySpec spec() {
        return spec;
    }

    /** {@return the traits of the array's reader} */
    public ReadTraits traits() {
        return traits;
    }

    /** {@return the most scratch that one read takes, in bytes} */
    public long scratchBytes() {
        return Math.addExact(pieceBytes, traits.scratchBytes());
    }

    /** {@return the size of the buffer for the largest piece, in bytes; 0 if all regions are read directly} */
    private static long pieceBytes(ArraySpec spec, ReadTraits traits, ChunkGrid regions) {
        boolean direct = true;
        for (int axis = 0; axis < regions.rank(); axis++) {
            Partition chunks = spec.chunks().axis(axis);
            direct &= regions.axis(axis).refines(chunks)
                    && (readsBytes(traits) || regions.axis(axis).count() == chunks.count())
                    && !(traits.paddedEdges() && chunks.isClipped());
        }
        if (direct) {
            return 0;
        }
        return readsBytes(traits)
                ? bytes(spec, spec.chunks().largestChunk().combine(regions.largestChunk(), Math::min))
                : chunkBytes(spec, traits);
    }

    private static long chunkBytes(ArraySpec spec, ReadTraits traits) {
        return bytes(
                spec,
                traits.paddedEdges()
                        ? spec.chunks().chunkShape()
                        : spec.chunks().largestChunk());
    }

    private static long bytes(ArraySpec spec, Shape shape) {
        return Math.multiplyExact(shape.elements(), (long) spec.dataType().itemSize());
    }

    /**
     * Reads a region.
     *
     * @param target the buffer that is filled from its position to its limit, dense, in the byte order that is wanted
     * @return false if no element of the region was ever written, and the array has the fill value that is wanted
     * @throws IOException if the region cannot be read
     */
    public boolean read(ArrayReader reader, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        Region touched = spec.chunks().chunksTouching(region);
        ByteBuffer dense = target.slice();
        long[] strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        if (touched.elements() == 1 && canReadDirectly(region, touched)) {
            boolean found = reader.read(region, dense.duplicate(), scratch);
            if (found && swapWord > 1) {
                copy(dense, 0, strides, dense, 0, strides, region.shape());
            } else if (!found && !sameFill) {
                StridedCopy.fill(dense, 0, strides, region.shape().toArray(), fill);
            }
            return found || !sameFill;
        }
        boolean any = false;
        Odometer chunks = new Odometer(touched);
        while (chunks.next()) {
            any |= readPiece(reader, spec.chunks().region(chunks.index()), region, dense, strides, scratch);
        }
        return any || !sameFill;
    }

    /** Reads a region, as {@link #read} does; elements that were never written are the fill value of the array. */
    void readFilled(ArrayReader reader, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (!read(reader, region, target, scratch)) {
            long[] extents = region.shape().toArray();
            StridedCopy.fill(target.slice(), 0, StridedCopy.denseStrides(extents, itemSize), extents, fill);
        }
    }

    private boolean canReadDirectly(Region region, Region chunkIndex) {
        Region chunk = spec.chunks().region(chunkIndex.origin());
        return readsBytes(traits)
                || (chunk.equals(region)
                        && !(traits.paddedEdges()
                                && !chunk.shape().equals(spec.chunks().nominalShape(chunk))));
    }

    /** Reads the part of a chunk that is in a region. {@return whether the chunk was ever written} */
    boolean readPiece(
            ArrayReader reader, Region chunk, Region region, ByteBuffer dense, long[] strides, Scratch scratch)
            throws IOException {
        Region part = chunk.intersect(region).orElseThrow();
        Region read = readsBytes(traits) ? part : chunk;
        Shape layout = traits.paddedEdges() ? spec.chunks().nominalShape(chunk) : read.shape();
        int mark = scratch.mark();
        try {
            ByteBuffer piece = scratch.take(layout.elements() * itemSize);
            boolean found = reader.read(read, piece.duplicate(), scratch);
            long at = part.offsetIn(region, strides);
            if (found) {
                long[] from = StridedCopy.denseStrides(layout.toArray(), itemSize);
                copy(piece, part.offsetIn(read, from), from, dense, at, strides, part.shape());
            } else {
                StridedCopy.fill(dense, at, strides, part.shape().toArray(), fill);
            }
            return found;
        } finally {
            scratch.release(mark);
        }
    }

    private void copy(
            ByteBuffer source, long from, long[] sourceStrides, ByteBuffer target, long to, long[] strides, Shape box) {
        StridedCopy.copy(source, from, sourceStrides, target, to, strides, box.toArray(), itemSize, swapWord);
    }
}
