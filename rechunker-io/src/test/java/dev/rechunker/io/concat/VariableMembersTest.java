package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts of members whose longest elements have different lengths are joined. */
class VariableMembersTest {
    @TempDir
    Path temporary;

    private static byte[] elements(List<String> texts, int longest) {
        ByteBuffer all = ByteBuffer.allocate(texts.size() * (longest + DataType.LENGTH_SIZE))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < texts.size(); i++) {
            byte[] bytes = texts.get(i).getBytes(StandardCharsets.UTF_8);
            all.position(i * (longest + DataType.LENGTH_SIZE)).putInt(bytes.length);
            all.put(bytes);
        }
        return all.array();
    }

    private static List<String> texts(byte[] elements, int longest) {
        ByteBuffer all = ByteBuffer.wrap(elements).order(ByteOrder.LITTLE_ENDIAN);
        List<String> texts = new ArrayList<>();
        for (int at = 0; at < elements.length; at += longest + DataType.LENGTH_SIZE) {
            texts.add(new String(elements, at + DataType.LENGTH_SIZE, all.getInt(at), StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static int longest(List<String> texts) {
        return texts.stream()
                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .max()
                .orElse(0);
    }

    private void write(String place, String path, List<String> axes, String fill, String... texts)
            throws IOException, InterruptedException {
        int longest = Math.max(longest(List.of(texts)), fill.length());
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(texts.length), Shape.of(2)),
                        DataType.text().upTo(longest))
                .fillValue(FillValue.ofContents(fill.getBytes(StandardCharsets.UTF_8)))
                .dimensionNames(axes)
                .build();
        try (ChunkStore store =
                Zarr.create(temporary.resolve(place), place.startsWith("a") ? ZarrFormat.V2 : ZarrFormat.V3)) {
            if (!path.isEmpty()) {
                store.writeGroup("", Map.of());
            }
            Rechunker.from(MemoryStore.of(spec, elements(List.of(texts), longest)))
                    .to(store.at(path))
                    .chunks(2)
                    .maxMem("10MB")
                    .execute();
        }
    }

    private List<Concat.Source> sources() throws IOException {
        return Concat.files(temporary, "*", Zarr::open);
    }

    private static List<String> read(ChunkStore store, String path, int longest)
            throws IOException, InterruptedException {
        MemoryStore memory = new MemoryStore();
        Rechunker.from(store.at(path))
                .to(memory)
                .chunks("keep")
                .maxMem("10MB")
                .verify()
                .execute();
        return texts(memory.elements(""), longest);
    }

    @Test
    void joinsMembersOfDifferentLengths() throws Exception {
        write("a", "", List.of("x"), "", "one", "two", "three");
        write("b", "", List.of("x"), "", "a much longer element", "", "é€😀");
        List<String> all = List.of("one", "two", "three", "a much longer element", "", "é€😀");
        assertEquals(all, read(Concat.along("x", sources()), "", 21));
        assertEquals(all, read(Concat.stack("t", sources()), "", 21));
    }

    /** The longer fill value is that of chunks that do not exist, or of none. */
    @Test
    void joinsMembersOfDifferentFillValues() throws Exception {
        write("a", "", List.of("x"), "", "one", "two", "", "");
        write("b", "", List.of("x"), "a long fill", "a long fill", "a long fill", "2", "3");
        List<String> all = List.of("one", "two", "", "", "a long fill", "a long fill", "2", "3");
        assertEquals(all, read(Concat.along("x", sources()), "", 11));
        write("c", "", List.of("x"), "the longest fill of all", "x", "y", "z");
        List<String> more = new ArrayList<>(all);
        more.addAll(List.of("x", "y", "z"));
        assertEquals(more, read(Concat.along("x", sources()), "", 23));
    }

    @Test
    void comparesTextsThatAreNotJoined() throws Exception {
        for (String place : List.of("a", "b")) {
            write(place, "joined", List.of("x"), "", "one", place.repeat(20), "three");
            write(place, "names", List.of("y"), "", "north", "south");
        }
        ChunkStore joined = Concat.along("x", sources());
        assertEquals(List.of("north", "south"), read(joined, "names", 5));
        assertEquals(
                List.of("one", "a".repeat(20), "three", "one", "b".repeat(20), "three"), read(joined, "joined", 20));
        write("c", "joined", List.of("x"), "", "one");
        write("c", "names", List.of("y"), "", "north", "southern");
        StoreException refused = assertThrows(StoreException.class, () -> Concat.along("x", sources()));
        assertTrue(String.valueOf(refused.getMessage()).contains("has other elements than"), refused.toString());
    }

    @Test
    void refusesMemberThatHasChanged() throws Exception {
        write("a", "", List.of("x"), "", "one", "two", "three");
        write("b", "", List.of("x"), "", "one", "two", "four");
        ChunkStore joined = Concat.along("x", sources());
        var plan = Rechunker.from(joined)
                .to(new MemoryStore())
                .chunks(6)
                .maxMem("10MB")
                .plan();
        try (ChunkStore store = Zarr.open(temporary.resolve("b"))) {
            byte[] longer = elements(List.of("a longer element", "x", "y"), 16);
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(3), Shape.of(2)),
                            DataType.text().upTo(16))
                    .dimensionNames(List.of("x"))
                    .build();
            Rechunker.from(MemoryStore.of(spec, longer))
                    .into(store)
                    .at(0)
                    .maxMem("10MB")
                    .execute();
        }
        IOException failure = assertThrows(IOException.class, plan::execute);
        assertTrue(failure.toString().contains("make a new plan"), failure.toString());
    }
}
