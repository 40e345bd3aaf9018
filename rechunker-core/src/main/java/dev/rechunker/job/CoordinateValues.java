package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.view.CellReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** The values of one-dimensional arrays of numbers. */
final class CoordinateValues {
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
        CellReader chunks = new CellReader(reader, grid);
        if (Integer.bitCount(size) != 1 || size > 8 || !chunks.fits(Math.min(most, Integer.MAX_VALUE))) {
            return false;
        }
        for (long chunk = 0; chunk < grid.count(); chunk++) {
            Region region = grid.regionAt(chunk);
            ByteBuffer elements = chunks.read(region);
            for (int i = 0; i < region.elements(); i++) {
                visitor.visit(region.start(0) + i, bits(elements, i * size, size));
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
