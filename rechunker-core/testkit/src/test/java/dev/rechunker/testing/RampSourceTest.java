package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RampSourceTest {
    private static MemoryStore copied(RampSource source, long... chunks) throws IOException, InterruptedException {
        MemoryStore target = new MemoryStore();
        Rechunker.from(source)
                .to(target)
                .chunks(chunks)
                .maxMem("100kB")
                .executor(new SerialExecutor())
                .execute();
        return target;
    }

    @Test
    void elementIsTheNumberOfElementsBeforeIt() throws IOException, InterruptedException {
        assertArrayEquals(new int[][] {{0, 1, 2}, {3, 4, 5}}, (int[][])
                copied(RampSource.of(DataType.INT32, 2, 3), 1, 2).array(""));
        assertArrayEquals(new long[] {0, 1, 2}, (long[])
                copied(RampSource.of(DataType.INT64, 3).chunks(2), 3).array(""));
        assertArrayEquals(new float[][] {{0, 1}, {2, 3}}, (float[][])
                copied(RampSource.of(DataType.FLOAT32, 2, 2), 1, 1).array(""));
        assertArrayEquals(new double[] {0, 1}, (double[])
                copied(RampSource.of(DataType.FLOAT64, 2), 1).array(""));
        assertArrayEquals(new boolean[] {false, true, false}, (boolean[])
                copied(RampSource.of(DataType.BOOL, 3), 1).array(""));
        byte[] wrapped =
                (byte[]) copied(RampSource.of(DataType.UINT8, 300), 100).array("");
        assertEquals(299 % 256, Byte.toUnsignedInt(wrapped[299]));
        ByteBuffer complex = ByteBuffer.wrap(
                        copied(RampSource.of(DataType.COMPLEX64, 2), 1).elements(""))
                .order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(1, complex.getFloat(8));
        assertEquals(0, complex.getFloat(12));
    }

    static List<DataType> types() {
        return List.of(
                DataType.BOOL,
                DataType.INT8,
                DataType.UINT16,
                DataType.INT32,
                DataType.UINT64,
                DataType.FLOAT32,
                DataType.FLOAT64,
                DataType.COMPLEX128,
                DataType.bytes(11));
    }

    @ParameterizedTest
    @MethodSource("types")
    void dataChecksRampAndCopies(DataType type) throws IOException, InterruptedException {
        RampSource source = RampSource.of(type, 13, 5, 7);
        try (ArrayReader reader = source.openReader("")) {
            source.data().check(reader, unit -> true);
            source.data().checkParts(reader, new Random(1));
        }
        RampSource chunked = source.chunks(4, 5, 2);
        chunked.check(copied(chunked, 13, 1, 3), "");
        chunked.check(copied(chunked, 1, 1, 1), "");
        MemoryStore other = MemoryStore.of(
                chunked.data().spec(), new byte[(int) chunked.data().spec().bytes()]);
        assertThrows(AssertionError.class, () -> chunked.check(other, ""));
    }

    @Test
    void bigEndianRampIsBigEndian() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(4), Shape.of(2)), DataType.INT32)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .build();
        assertArrayEquals(
                new int[] {0, 1, 2, 3}, (int[]) copied(RampSource.of(spec), 3).array(""));
    }

    @Test
    void takesNoMemory() throws IOException {
        PlannedCopy plan = Rechunker.from(
                        RampSource.of(DataType.UINT16, 1_000_000, 1_000_000).chunks(1_000, 1_000))
                .to(new MemoryStore())
                .chunks(2_000, 2_000)
                .maxMem("100MB")
                .plan()
                .arrays()
                .get(0)
                .copy();
        assertEquals(2e12, plan.cost().bytesRead());
    }

    @Test
    void unsupportedTypesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> RampSource.of(DataType.FLOAT16, 3));
    }
}
