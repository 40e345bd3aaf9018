package dev.rechunker.view;

import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.element.BitInformation;
import dev.rechunker.element.NumberBuffer;
import dev.rechunker.element.RealType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Reads the values of an array before a plan is made, chunk by chunk inside a memory limit, by several threads. */
final class ValueScan {
    /** The most elements that are read at once if any can be read. */
    private static final long PIECE = 1 << 18;

    /** The most bytes of which bits are looked at. */
    private static final long SAMPLE = 256 << 20;

    private static final int BLOCK = 512;

    /** The bits of the fraction that are kept if nothing can be measured: those of binary64. */
    private static final int MOST_BITS = 52;

    private ValueScan() {}

    /**
     * The range of the finite numbers that are not missing.
     *
     * @param isEmpty whether there is none
     */
    record Range(boolean isEmpty, double least, double most) {}

    /** {@return the range of an array; reads all of it} */
    static Range range(StoreLocation place, ScanLimits limits) throws IOException {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (Ends ends : visit(place, limits, Long.MAX_VALUE, Ends::new)) {
            least = Math.min(least, ends.least);
            most = Math.max(most, ends.most);
        }
        return new Range(least > most, least, most);
    }

    /** What one thread has found of an array. */
    private abstract static class Visitor {
        final RealType type;
        final long[] missing;

        Visitor(ArraySpec spec, RealType type) {
            this.type = type;
            this.missing = ValueTypes.missing(spec, type);
        }

        /** Takes elements of a region, dense, in the byte order of the array. */
        abstract void visit(Region region, ByteBuffer elements);
    }

    /** The ends of a range. */
    private static final class Ends extends Visitor {
        private final double[] numbers = new double[BLOCK];
        private double least = Double.POSITIVE_INFINITY;
        private double most = Double.NEGATIVE_INFINITY;

        Ends(ArraySpec spec, RealType type) {
            super(spec, type);
        }

        @Override
        void visit(Region region, ByteBuffer elements) {
            int count = elements.remaining() / type.size();
            for (int first = 0; first < count; first += BLOCK) {
                int block = Math.min(BLOCK, count - first);
                NumberBuffer.load(type, elements, first * type.size(), block, numbers);
                for (int i = 0; i < block; i++) {
                    double value = numbers[i];
                    boolean isOutside = value < least || value > most;
                    if (isOutside
                            && Double.isFinite(value)
                            && !Longs.contains(missing, type.get(elements, (first + i) * type.size()))) {
                        least = Math.min(least, value);
                        most = Math.max(most, value);
                    }
                }
            }
        }
    }

    /**
     * {@return the number of bits of the fraction with which a share of the information is kept, see
     * {@link BitInformation}; it is measured on up to 256 MiB of chunks at even distances}
     *
     * @param axis the axis on which neighbours are compared; -1 for the largest number of bits of all axes
     */
    static int keepBits(StoreLocation place, int axis, double share, ScanLimits limits) throws IOException {
        List<Bits> found = visit(place, limits, SAMPLE, (spec, type) -> new Bits(spec, type, axis));
        int bits = -1;
        for (int i = 0; !found.isEmpty() && i < found.get(0).axes.length; i++) {
            BitInformation all = found.get(0).axes[i];
            for (Bits more : found.subList(1, found.size())) {
                all.add(more.axes[i]);
            }
            bits = all.pairs() > 0 ? Math.max(bits, all.keepBits(share)) : bits;
        }
        return bits < 0 ? MOST_BITS : bits;
    }

    /** The information of bits, by axis. */
    private static final class Bits extends Visitor {
        private final int axis;
        private final int parts;
        private final BitInformation[] axes;

        Bits(ArraySpec spec, RealType type, int axis) {
            super(spec, type);
            this.axis = axis;
            this.parts = ValueTypes.parts(spec.dataType());
            this.axes = new BitInformation[spec.shape().rank()];
            Arrays.setAll(axes, i -> new BitInformation(type.size()));
        }

        @Override
        void visit(Region region, ByteBuffer elements) {
            for (int i = 0; i < axes.length; i++) {
                if (axis < 0 || axis == i) {
                    addPairs(axes[i], type, missing, region, i, parts, elements);
                }
            }
        }
    }

    private static void addPairs(
            BitInformation information,
            RealType type,
            long[] missing,
            Region region,
            int axis,
            int parts,
            ByteBuffer elements) {
        long inner = parts;
        for (int i = axis + 1; i < region.rank(); i++) {
            inner *= region.extent(i);
        }
        long all = region.elements() * parts;
        long row = inner * region.extent(axis);
        long[] a = new long[Long.SIZE];
        long[] b = new long[Long.SIZE];
        int count = 0;
        int size = type.size();
        for (long start = 0; start < all; start += row) {
            for (long at = start; at < start + row - inner; at++) {
                long one = type.get(elements, (int) at * size);
                long other = type.get(elements, (int) (at + inner) * size);
                if (isKnown(type, missing, one) && isKnown(type, missing, other)) {
                    a[count] = one;
                    b[count] = other;
                    if (++count == Long.SIZE) {
                        information.add(a, b, count);
                        count = 0;
                    }
                }
            }
        }
        information.add(a, b, count);
    }

    private static boolean isKnown(RealType type, long[] missing, long number) {
        return !Longs.contains(missing, number) && Double.isFinite(type.value(number));
    }

    /** Makes a visitor of an array. */
    @FunctionalInterface
    private interface Maker<V extends Visitor> {
        V of(ArraySpec spec, RealType type);
    }

    /**
     * Visits the chunks of an array, or some of them at even distances, of at most some bytes in all.
     *
     * @return the visitors of all threads; none if there are no elements
     */
    private static <V extends Visitor> List<V> visit(
            StoreLocation place, ScanLimits limits, long sample, Maker<V> maker) throws IOException {
        try (ArrayReader reader = place.store().openReader(place.path())) {
            ArraySpec spec = reader.spec();
            RealType type = ValueTypes.real(spec.dataType()).orElseThrow();
            if (spec.shape().isEmpty()) {
                return List.of();
            }
            ChunkGrid grid = RegionRead.readsBytes(reader.traits()) ? pieces(spec.chunks()) : spec.chunks();
            CellReader cells = new CellReader(reader, grid);
            long each = Math.addExact((long) cells.bytes(), reader.traits().nativeBytes());
            String what = "looking at the values of " + place;
            int threads = ChunkScan.threads(limits, reader.traits().heldBytes(), each, what);
            if (!cells.fits(limits.bytes())) {
                throw new InfeasiblePlanException(what + " takes more", limits.bytes(), each);
            }
            long every = Math.max(1, spec.bytes() / sample);
            return ChunkScan.run(threads, grid.count(), every, () -> new Lane<>(reader, grid, maker.of(spec, type)))
                    .stream()
                    .map(lane -> lane.visitor)
                    .toList();
        }
    }

    /** The memory of a thread, and what it finds. */
    private static final class Lane<V extends Visitor> implements ChunkScan.Lane {
        private final ChunkGrid grid;
        private final CellReader cells;
        private final V visitor;

        Lane(ArrayReader reader, ChunkGrid grid, V visitor) {
            this.grid = grid;
            this.cells = new CellReader(reader, grid);
            this.visitor = visitor;
        }

        @Override
        public void accept(long chunk) throws IOException {
            Region region = grid.regionAt(chunk);
            visitor.visit(region, cells.read(region));
        }
    }

    /** {@return the chunks cut into pieces along their first axes} */
    private static ChunkGrid pieces(ChunkGrid chunks) {
        return chunks.largestChunk().elements() <= PIECE
                ? chunks
                : ChunkGrid.regular(
                        chunks.shape(),
                        ChunkGrid.contiguous(chunks.largestChunk(), PIECE).chunkShape());
    }
}
