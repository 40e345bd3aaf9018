package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore.ArrayNode;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conversion from and to Java arrays: {@link MemoryStore#of(Object, long...)} and {@link MemoryStore#array}. */
class NestedArraysTest {
    private static ArraySpec spec(MemoryStore store) {
        return ((ArrayNode) store.node("").orElseThrow()).spec();
    }

    private static String refusal(Object values) {
        return assertThrows(IllegalArgumentException.class, () -> MemoryStore.of(values))
                .toString();
    }

    @Test
    void everyPrimitiveTypeIsConverted() {
        List<Object> arrays = List.of(
                new boolean[][] {{true, false, true}},
                new byte[] {1, -2, 3},
                new short[][] {{1, -2}, {3, 4}},
                new int[][][] {{{1, 2}, {3, 4}}, {{5, 6}, {7, Integer.MIN_VALUE}}},
                new long[] {Long.MIN_VALUE, 2},
                new float[][] {{1.5f, Float.NaN}},
                new double[][] {{1.5, -0.0}, {Double.MAX_VALUE, 4}});
        List<DataType> types = List.of(
                DataType.BOOL,
                DataType.INT8,
                DataType.INT16,
                DataType.INT32,
                DataType.INT64,
                DataType.FLOAT32,
                DataType.FLOAT64);
        for (int i = 0; i < types.size(); i++) {
            MemoryStore store = MemoryStore.of(arrays.get(i));
            assertEquals(types.get(i), spec(store).dataType());
            assertArrayEquals(new Object[] {arrays.get(i)}, new Object[] {store.array("")});
        }
    }

    @Test
    void positionsAreInCOrder() throws IOException, InterruptedException {
        int[][][] values = new int[3][4][5];
        for (int z = 0; z < 3; z++) {
            for (int y = 0; y < 4; y++) {
                for (int x = 0; x < 5; x++) {
                    values[z][y][x] = 100 * z + 10 * y + x;
                }
            }
        }
        MemoryStore source = MemoryStore.of(values, 1, 4, 2);
        assertEquals(
                ChunkGrid.regular(Shape.of(3, 4, 5), Shape.of(1, 4, 2)),
                spec(source).chunks());
        MemoryStore target = new MemoryStore();
        Rechunker.from(source).to(target).chunks(3, 1, 5).maxMem("10kB").execute();
        assertArrayEquals(values, (int[][][]) target.array(""));
        assertEquals(213, ((int[][][]) target.array(""))[2][1][3]);
    }

    @Test
    void emptyArraysKeepTheirShape() {
        assertEquals(Shape.of(0), spec(MemoryStore.of(new int[0])).shape());
        assertEquals(Shape.of(2, 0), spec(MemoryStore.of(new int[2][0])).shape());
        assertEquals(Shape.of(0, 0), spec(MemoryStore.of(new int[0][3])).shape());
        assertEquals(2, ((int[][]) MemoryStore.of(new int[2][0]).array("")).length);
    }

    @Test
    void unsignedIntegersAndBigEndianOnesAreRead() {
        ArraySpec unsigned = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.UINT16)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .build();
        assertArrayEquals(new short[] {1, -1}, (short[])
                MemoryStore.of(unsigned, new byte[] {0, 1, -1, -1}).array(""));
    }

    @Test
    void valuesThatAreNotArraysAreRefused() {
        assertTrue(refusal(new int[][] {{1, 2}, {3}}).contains("values[1] has 1"), "ragged");
        assertTrue(refusal("text").contains("String is not an array"), "no array");
        assertTrue(refusal(new String[] {"a"}).contains("String[] is not an array"), "no primitive");
        assertTrue(refusal(new char[] {'a'}).contains("char[]"), "no number");
        assertThrows(IllegalArgumentException.class, () -> MemoryStore.of(new int[2][2], 1));
        ArraySpec text = ArraySpec.builder(ChunkGrid.regular(Shape.of(1), Shape.of(1)), DataType.bytes(3))
                .build();
        assertThrows(
                IllegalArgumentException.class,
                () -> MemoryStore.of(text, new byte[3]).array(""));
    }
}
