package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads texts and sequences of variable length that h5py and netCDF4 have written, with make_variable.py. */
class VariableReaderTest {
    private static final String COPY = "copy";

    @TempDir
    Path temporary;

    /** {@return the text that element i has in all files} */
    private static String text(int i) {
        return List.of("", Integer.toString(i), "é€😀" + i, "x".repeat(i % 150)).get(i % 4);
    }

    private static List<String> texts(int count) {
        return IntStream.range(0, count).mapToObj(VariableReaderTest::text).toList();
    }

    private MemoryStore read(String file, String array, String chunks) throws Exception {
        MemoryStore memory = new MemoryStore();
        try (ChunkStore store = Hdf5.open(Corpus.copy(file, temporary))) {
            Rechunker.from(store.at(array))
                    .to(memory.at(COPY))
                    .chunks(chunks)
                    .maxMem("20MB")
                    .verify()
                    .execute();
        }
        return memory;
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static List<ByteBuffer> contents(MemoryStore memory) throws IOException {
        DataType type = spec(memory, COPY).dataType();
        ByteBuffer all = ByteBuffer.wrap(memory.elements(COPY)).order(ByteOrder.LITTLE_ENDIAN);
        List<ByteBuffer> contents = new ArrayList<>();
        for (int at = 0; at < all.limit(); at += type.itemSize()) {
            contents.add(all.slice(at + DataType.LENGTH_SIZE, all.getInt(at)).order(ByteOrder.LITTLE_ENDIAN));
        }
        return contents;
    }

    private static List<String> textsOf(MemoryStore memory) throws IOException {
        return contents(memory).stream()
                .map(bytes -> StandardCharsets.UTF_8.decode(bytes).toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "variable.h5; contiguous; 7; 60",
                "variable.h5; chunked; 3, 4; 66",
                "variable.h5; plain; 2, 6; 66",
                "variable.nc; name; 5; 12",
                "variable.nc; label; 3, 2; 36"
            })
    void readsTexts(String file, String array, String chunks, int count) throws Exception {
        assertEquals(texts(count), textsOf(read(file, array, chunks)));
    }

    @Test
    void readsSingleAsciiAndUnwrittenTexts() throws Exception {
        assertEquals(List.of(text(7)), textsOf(read("variable.h5", "scalar", "keep")));
        assertEquals(List.of("a", "", "bc"), textsOf(read("variable.h5", "ascii", "keep")));
        assertEquals(List.of("", "", "", "", ""), textsOf(read("variable.h5", "unwritten", "3")));
    }

    @Test
    void readsFillAndMissingValues() throws Exception {
        MemoryStore filled = read("variable.h5", "filled", "3");
        FillValue full = FillValue.ofContents("full".getBytes(StandardCharsets.UTF_8));
        assertEquals(full, spec(filled, COPY).fillValue());
        assertEquals(List.of("full", "full", "full", "full", "full"), textsOf(filled));
        MemoryStore label = read("variable.nc", "label", "3, 2");
        FillValue none = FillValue.ofContents("none".getBytes(StandardCharsets.UTF_8));
        assertEquals(none, spec(label, COPY).missingValue());
    }

    @Test
    void readsSequences() throws Exception {
        List<ByteBuffer> shorts = contents(read("variable.h5", "int16", "3"));
        List<ByteBuffer> doubles = contents(read("variable.h5", "big", "3"));
        List<ByteBuffer> bytes = contents(read("variable.h5", "bytes", "3"));
        for (int i = 0; i < 20; i++) {
            assertEquals(i % 5 * Short.BYTES, shorts.get(i).remaining());
            assertEquals(i % 5 * Double.BYTES, doubles.get(i).remaining());
            assertEquals(i % 5, bytes.get(i).remaining());
            for (int k = 0; k < i % 5; k++) {
                assertEquals(k * i, shorts.get(i).getShort());
                assertEquals(k * i, doubles.get(i).getDouble());
                assertEquals((byte) (k * i), bytes.get(i).get());
            }
        }
    }

    @Test
    void namesTypesAndRefusesSequencesOfSequences() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("variable.h5", temporary))) {
            assertEquals(DataType.text(), spec(store, "chunked").dataType());
            assertEquals(DataType.sequence(DataType.INT16), spec(store, "int16").dataType());
            assertEquals(DataType.binary(), spec(store, "bytes").dataType());
            StoreException refusal = assertThrows(StoreException.class, () -> store.node("nested"));
            assertTrue(refusal.toString().contains("sequences of sequences of variable length"), refusal.toString());
        }
    }
}
