package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the latest format of HDF5 2, in hdf5_2.h5 of make_hdf5_2.py. */
class Hdf5LatestTest {
    @TempDir
    Path directory;

    private final MemoryStore memory = new MemoryStore();

    @BeforeEach
    void copy() throws Exception {
        Fixtures.resource("hdf5/hdf5_2_first.h5", directory);
        Fixtures.resource("hdf5/hdf5_2_second.h5", directory);
        try (ChunkStore source = Hdf5.open(Fixtures.resource("hdf5/hdf5_2.h5", directory))) {
            Rechunker.from(source).to(memory).chunks("keep").maxMem("50MB").execute();
        }
    }

    private ArraySpec spec(String path) throws IOException {
        return ((ArrayNode) memory.node(path).orElseThrow()).spec();
    }

    private ByteBuffer elements(String path) throws IOException {
        return ByteBuffer.wrap(memory.elements(path)).order(spec(path).byteOrder());
    }

    private List<Integer> integers(String path) throws IOException {
        ByteBuffer elements = elements(path);
        return IntStream.range(0, elements.limit() / Integer.BYTES)
                .mapToObj(i -> elements.getInt(Integer.BYTES * i))
                .toList();
    }

    @Test
    void everyLayoutAndIndexIsRead() throws Exception {
        List<Integer> numbers = IntStream.range(0, 35).boxed().toList();
        for (String name : List.of("single", "fixed", "extensible", "tree")) {
            assertEquals(numbers, integers(name + "/plain"), name);
            assertEquals(numbers, integers(name + "/gzip"), name);
        }
        assertEquals(numbers, integers("contiguous"));
        assertEquals(numbers, integers("compact"));
        assertEquals(
                List.of(0), integers("single/unwritten").stream().distinct().toList());
    }

    @Test
    void mappingsShareNames() throws Exception {
        List<Integer> rows = integers("virtual");
        List<Integer> firsts =
                IntStream.range(0, 6).mapToObj(row -> rows.get(7 * row + 1)).toList();
        assertEquals(List.of(1, 101, 101, 1, 1, 15), firsts);
    }

    @Test
    void complexNumbersAreRead() throws Exception {
        assertEquals(DataType.COMPLEX64, spec("c8").dataType());
        assertEquals(DataType.COMPLEX128, spec("c16").dataType());
        assertEquals(ByteOrder.BIG_ENDIAN, spec("c16").byteOrder());
        ByteBuffer small = elements("c8");
        ByteBuffer large = elements("c16");
        for (int i = 0; i < 35; i++) {
            int imaginary = (4 - i / 7) * 7 + i % 7;
            assertEquals(i, small.getFloat(8 * i));
            assertEquals(imaginary, small.getFloat(8 * i + 4));
            assertEquals(i, large.getDouble(16 * i));
            assertEquals(imaginary, large.getDouble(16 * i + 8));
        }
    }

    @Test
    void compoundsAndTextsAreRead() throws Exception {
        assertEquals(
                "[[\"a\",\"<i2\"],[\"b\",\"<f8\",[2]]]",
                spec("record").dataType().detail());
        assertEquals(DataType.BOOL, spec("bool").dataType());
        assertEquals(DataType.Kind.TEXT, spec("text").dataType().kind());
        assertEquals("latest", spec("contiguous").attributes().get("title"));
    }
}
