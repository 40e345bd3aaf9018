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

/** Reads the values of an array before a plan is made, chunk by chunk inside a memory limit. */
final class ValueScan {
    /** The most elements that are read at once if any can be read. */
    private static final long PIECE = 1 << 18;

    /** The most bytes of which bits are looked at. */
    private static final long SAMPLE = 256 << 20;

    private static final int BLOCK = 512;

    private ValueScan() {}

    /**
     * The range of the finite numbers that are not missing.
     *
     * @param isEmpty whether there is none
     */
    record Range(boolean isEmpty, double least, double most) {}

    /** Takes elements of a region, dense, in the byte order of the array. */
    @FunctionalInterface
    private interface Visitor {
        void visit(Region region, ByteBuffer elements);
    }

    /** {@return the range of an array; reads all of it} */
    static Range range(StoreLocation place, long most) throws IOException {
        double[] ends = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        visit(place, most, Long.MAX_VALUE, (spec, type, missing) -> {
            double[] numbers = new double[BLOCK];
            return (region, elements) -> {
                int count = elements.remaining() / type.size();
                for (int first = 0; first < count; first += BLOCK) {
                    int block = Math.min(BLOCK, count - first);
                    NumberBuffer.load(type, elements, first * type.size(), block, numbers);
                    for (int i = 0; i < block; i++) {
                        double value = numbers[i];
                        boolean isOutside = value < ends[0] || value > ends[1];
                        if (isOutside
                                && Double.isFinite(value)
                                && !Longs.contains(missing, type.get(elements, (first + i) * type.size()))) {
                            ends[0] = Math.min(ends[0], value);
                            ends[1] = Math.max(ends[1], value);
                        }
                    }
                }
            };
        });
        return new Range(ends[0] > ends[1], ends[0], ends[1]);
    }

    /**
     * {@return the number of bits of the fraction with which a share of the information is kept, see
     * {@link BitInformation}; it is measured on up to 256 MiB of chunks at even distances}
     *
     * @param axis the axis on which neighbours are compared; -1 for the largest number of bits of all axes
     */
    static int keepBits(StoreLocation place, int axis, double share, long most) throws IOException {
        int[] bits = {0};
        BitInformation[][] measured = new BitInformation[1][];
        visit(place, most, SAMPLE, (spec, type, missing) -> {
            int rank = spec.shape().rank();
            measured[0] = new BitInformation[rank];
            for (int i = 0; i < rank; i++) {
                measured[0][i] = new BitInformation(type.size());
            }
            int parts = ValueTypes.parts(spec.dataType());
            return (region, elements) -> {
                for (int i = 0; i < rank; i++) {
                    if (axis < 0 || axis == i) {
                        addPairs(measured[0][i], type, missing, region, i, parts, elements);
                    }
                }
            };
        });
        boolean any = false;
        for (BitInformation one : measured[0]) {
            if (one.pairs() > 0) {
                bits[0] = Math.max(bits[0], one.keepBits(share));
                any = true;
            }
        }
        return any ? bits[0] : 52; // there are no neighbours
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

    /** Makes the visitor of an array. */
    @FunctionalInterface
    private interface Maker {
        Visitor of(ArraySpec spec, RealType type, long[] missing);
    }

    /** Visits the chunks of an array, or some of them at even distances, of at most some bytes in all. */
    private static void visit(StoreLocation place, long most, long sample, Maker maker) throws IOException {
        try (ArrayReader reader = place.store().openReader(place.path())) {
            ArraySpec spec = reader.spec();
            RealType type = ValueTypes.real(spec.dataType()).orElseThrow();
            Visitor visitor = maker.of(spec, type, ValueTypes.missing(spec, type));
            if (spec.shape().isEmpty()) {
                return;
            }
            ChunkGrid grid = RegionRead.readsBytes(reader.traits()) ? pieces(spec.chunks()) : spec.chunks();
            CellReader cells = new CellReader(reader, grid);
            long nativeBytes = reader.traits().nativeBytes();
            if (!cells.fits(most - nativeBytes)) {
                throw new InfeasiblePlanException(
                        "looking at the values of " + place + " takes more",
                        most,
                        Math.addExact((long) cells.bytes(), nativeBytes));
            }
            long every = Math.max(1, spec.bytes() / sample);
            for (long i = 0; i < grid.count(); i += every) {
                Region region = grid.regionAt(i);
                visitor.visit(region, cells.read(region));
            }
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
