package dev.rechunker.reduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.testing.Cases;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reduced elements are those that exact arithmetic gives. */
class ReducerTest {
    private static final List<DataType> TYPES = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.COMPLEX64,
            DataType.COMPLEX128,
            DataType.datetime64("s"),
            DataType.bytes(3),
            DataType.opaque(5, ""));

    @Test
    void equalsExactArithmetic() {
        Cases.check(6_000, cases -> {
            Random random = cases.random();
            DataType type = TYPES.get(random.nextInt(TYPES.size()));
            List<Method> possible = List.of(Method.values()).stream()
                    .filter(method -> method.obstacle(type).isEmpty())
                    .toList();
            Method method = possible.get(random.nextInt(possible.size()));
            Shape shape = cases.shape();
            int[] factors = new int[shape.rank()];
            for (int axis = 0; axis < factors.length; axis++) {
                factors[axis] = (int) cases.between(1, random.nextInt(4) == 0 ? 9 : 3);
            }
            byte[] elements = new byte[(int) shape.elements() * type.itemSize()];
            fill(elements, type, random);
            boolean hasMissing = random.nextInt(3) == 0;
            byte[] missing = new byte[type.itemSize()];
            if (elements.length > 0) {
                System.arraycopy(elements, 0, missing, 0, missing.length);
            }
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(shape, cases.regularGrid(shape).chunkShape()), type)
                    .byteOrder(cases.oneOf(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN))
                    .missingValue(hasMissing ? FillValue.of(missing) : FillValue.UNDEFINED)
                    .build();
            ReferenceReduction expected = new ReferenceReduction(spec, method, factors);
            byte[] reduced = new byte[(int) expected.shape().elements() * type.itemSize()];

            Reducer reducer = new Reducer(spec, method, factors);
            reducer.reduce(
                    ByteBuffer.wrap(elements),
                    shape,
                    ByteBuffer.wrap(reduced),
                    0,
                    StridedCopy.denseStrides(expected.shape().toArray(), type.itemSize()));

            assertEquals(expected.shape(), reducer.reduced(shape));
            assertArrayEquals(expected.of(elements), reduced, () -> method + " of " + spec + " by " + List.of(factors));
        });
    }

    /** Fills with few different values, in half of the cases, so that modes and missing elements are frequent. */
    private static void fill(byte[] elements, DataType type, Random random) {
        random.nextBytes(elements);
        int size = type.itemSize();
        if (type.kind() == DataType.Kind.BOOL) {
            for (int i = 0; i < elements.length; i++) {
                elements[i] &= 1;
            }
        }
        if (random.nextBoolean()) {
            for (int i = 3 * size; i + size <= elements.length; i += size) {
                System.arraycopy(elements, random.nextInt(3) * size, elements, i, size);
            }
        }
    }

    @Test
    void halvesAreRoundedToTheEvenInteger() {
        assertEquals(2, mean(DataType.INT8, 1, 2));
        assertEquals(2, mean(DataType.INT8, 2, 3));
        assertEquals(-2, mean(DataType.INT8, -1, -2));
        assertEquals(0, mean(DataType.INT8, -1, 0));
        assertEquals(0, mean(DataType.UINT8, 0, 1));
    }

    private static int mean(DataType type, int... values) {
        byte[] elements = {(byte) values[0], (byte) values[1]};
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), type)
                .build();
        ByteBuffer reduced = ByteBuffer.allocate(1);
        new Reducer(spec, Method.MEAN, new int[] {2})
                .reduce(ByteBuffer.wrap(elements), Shape.of(2), reduced, 0, new long[] {1});
        return reduced.get(0);
    }

    @Test
    void elementsThatAreNoNumbersHaveNoMean() {
        ArraySpec text = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.bytes(3))
                .build();
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new Reducer(text, Method.MEAN, new int[] {2}));
        assertTrue(String.valueOf(refused.getMessage()).contains("nearest or mode"), refused::getMessage);
        IllegalArgumentException unknown = assertThrows(IllegalArgumentException.class, () -> Method.of("average"));
        assertTrue(String.valueOf(unknown.getMessage()).contains("mean, mode, nearest"), unknown::getMessage);
    }
}
