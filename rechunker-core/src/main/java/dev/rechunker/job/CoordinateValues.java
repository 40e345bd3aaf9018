package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.view.RegionRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** The values of one-dimensional arrays of numbers. */
final class CoordinateValues {
    private static final long MOST_CHUNK = Integer.MAX_VALUE;

    private CoordinateValues() {}

    /**
     * {@return a value that is in two arrays of the same type; empty if there is none, or if they are not read because
     * they are too large, or their elements are no numbers of up to 8 bytes}
     *
     * @param most the bytes that both arrays and a chunk may take
     */
    static Optional<String> common(ArrayReader one, ArrayReader other, long most) throws IOException {
        Optional<long[]> ours = bits(one, most / 2);
        Optional<long[]> theirs = bits(other, most / 2);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.empty();
        }
        Arrays.sort(theirs.get());
        for (long value : ours.get()) {
            Optional<String> text = text(one.spec().dataType(), value);
            if (text.isPresent() && Arrays.binarySearch(theirs.get(), value) >= 0) {
                return text;
            }
        }
        return Optional.empty();
    }

    private static Optional<long[]> bits(ArrayReader reader, long most) throws IOException {
        double bytes = 8.0 * reader.spec().shape().extent(0);
        if (bytes > most) {
            return Optional.empty();
        }
        long[] values = new long[(int) (bytes / 8)];
        boolean read = visit(reader, most - (long) bytes, (index, bits) -> values[(int) index] = bits);
        return read ? Optional.of(values) : Optional.empty();
    }

    /** Takes the elements of an array, one after the other. */
    @FunctionalInterface
    interface Visitor {
        /** Takes an element, whose bits are those of a number that is extended with its sign. */
        void visit(long index, long bits);
    }

    /**
     * Visits the elements of an array of one axis.
     *
     * @param most the bytes that reading may take
     * @return whether they were visited; they are not if a chunk is too large, or if they are no numbers of up to 8
     *     bytes
     */
    static boolean visit(ArrayReader reader, long most, Visitor visitor) throws IOException {
        ArraySpec spec = reader.spec();
        int size = spec.dataType().itemSize();
        ChunkGrid grid = spec.chunks();
        RegionRead read = new RegionRead(spec, reader.traits(), spec, grid);
        double chunk = (double) grid.largestChunk().elements() * size;
        if (Integer.bitCount(size) != 1 || size > 8 || chunk + read.scratchBytes() > Math.min(most, MOST_CHUNK)) {
            return false;
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect((int) chunk);
        ByteBuffer scratch = ByteBuffer.allocateDirect((int) read.scratchBytes());
        long fill = bits(spec, spec.fillValue().element(size));
        for (long part = 0; part < grid.count(); part++) {
            Region region = grid.regionAt(part);
            ByteBuffer dense = buffer.slice(0, (int) (region.elements() * size)).order(spec.byteOrder());
            boolean stored = read.read(reader, region, dense.duplicate(), new Scratch(scratch.duplicate()));
            for (int i = 0; i < region.elements(); i++) {
                visitor.visit(region.start(0) + i, stored ? bits(dense, i * size, size) : fill);
            }
        }
        return true;
    }

    /** {@return the bits of an element, as those of a number that is extended with its sign} */
    static long bits(ArraySpec spec, byte[] element) {
        return bits(ByteBuffer.wrap(element).order(spec.byteOrder()), 0, element.length);
    }

    private static long bits(ByteBuffer elements, int at, int size) {
        return switch (size) {
            case 1 -> elements.get(at);
            case 2 -> elements.getShort(at);
            case 4 -> elements.getInt(at);
            default -> elements.getLong(at);
        };
    }

    /** {@return a value as text; empty for NaN, which is no coordinate} */
    private static Optional<String> text(DataType type, long bits) {
        if (type.equals(DataType.FLOAT32)) {
            float value = Float.intBitsToFloat((int) bits);
            return Float.isNaN(value) ? Optional.empty() : Optional.of(String.valueOf(value));
        }
        if (type.equals(DataType.FLOAT64)) {
            double value = Double.longBitsToDouble(bits);
            return Double.isNaN(value) ? Optional.empty() : Optional.of(String.valueOf(value));
        }
        return Optional.of(type.equals(DataType.UINT64) ? Long.toUnsignedString(bits) : String.valueOf(bits));
    }
}
