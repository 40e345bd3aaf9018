package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Overwriting removes everything of the old array, and nothing else. */
class OverwriteTest {
    @TempDir
    Path directory = Path.of("");

    private static ArraySpec spec(Shape shape, Shape chunks, Map<String, String> hints) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.INT16)
                .fillValue(FillValue.zero(2))
                .hints(hints)
                .build();
    }

    private static ChunkStore create(String format, Path path) {
        return switch (format) {
            case "zarr2" -> Zarr.create(path, ZarrFormat.V2);
            case "zarr3" -> Zarr.create(path, ZarrFormat.V3);
            case "hdf5" -> Hdf5.create(path);
            default -> N5.create(path);
        };
    }

    private static Set<String> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            Set<String> names = new TreeSet<>();
            files.forEach(file -> names.add(root.relativize(file).toString()));
            return names;
        }
    }

    private static void copy(ChunkStore target, String path, boolean overwrite)
            throws IOException, InterruptedException {
        MemoryStore source = new MemoryStore();
        Data.of(spec(Shape.of(6, 5), Shape.of(6, 5), Map.of())).write(source, "");
        Rechunker.Job job =
                Rechunker.from(source).to(target.at(path)).chunks(3, 3).maxMem("1MB");
        (overwrite ? job.overwrite() : job).execute();
    }

    @ParameterizedTest
    @CsvSource({
        "zarr2, zarr2, .",
        "zarr2, zarr2, /",
        "zarr3, zarr3, .",
        "zarr3, zarr3, /",
        "zarr2, zarr3, .",
        "zarr2, zarr3, /",
        "zarr3, zarr2, /",
        "n5, n5, /"
    })
    void nothingIsLeftOfAnArrayThatHadMoreChunks(String before, String after, String separator) throws Exception {
        Map<String, String> hints = before.startsWith("zarr")
                ? Map.of("zarr.format", before.substring(4), "zarr.separator", separator)
                : Map.of();
        for (String path : new String[] {"", "a/b"}) {
            Path place = directory.resolve("old" + path.length());
            try (ChunkStore store = create(before, place)) {
                Data.of(store.resolve(spec(Shape.of(30, 20), Shape.of(2, 3), hints)))
                        .write(store, path);
                store.finish(true);
            }
            if (before.equals(after)) {
                assertThrows(IOException.class, () -> copy(create(after, place), path, false));
            }
            copy(create(after, place), path, true);
            Path fresh = directory.resolve("new" + path.length());
            copy(create(after, fresh), path, false);
            Set<String> found = files(place.resolve(path));
            assertEquals(files(fresh.resolve(path)), found);
        }
    }

    @ParameterizedTest
    @CsvSource({"zarr2", "zarr3", "n5"})
    void foreignFilesAreKept(String format) throws Exception {
        Path place = directory.resolve("x");
        ChunkStore store = create(format, place);
        Data.of(store.resolve(spec(Shape.of(30, 20), Shape.of(2, 3), Map.of("zarr.separator", "/"))))
                .write(store, "a");
        String chunks = format.equals("zarr3") ? "a/c/9" : "a/5";
        assertTrue(Files.isDirectory(place.resolve(chunks)));
        for (String name : new String[] {"a/thesis.tex", "a/mine/0", chunks + "/notes.txt"}) {
            Files.createDirectories(place.resolve(name.substring(0, name.lastIndexOf('/'))));
            Files.writeString(place.resolve(name), "precious");
        }
        copy(store, "a", true);
        for (String name : new String[] {"a/thesis.tex", "a/mine/0", chunks + "/notes.txt"}) {
            assertEquals("precious", Files.readString(place.resolve(name)));
        }
        assertTrue(
                files(place.resolve(chunks)).size() == 2,
                "more than the foreign file is left: " + files(place.resolve(chunks)));
    }

    @ParameterizedTest
    @CsvSource({"zarr2", "zarr3", "n5"})
    void aDirectoryThatIsNotAStoreIsNotChanged(String format) throws Exception {
        Path place = Files.createDirectories(directory.resolve("home/0/c"));
        Files.writeString(place.resolve("0"), "precious");
        Files.writeString(directory.resolve("home/thesis.tex"), "precious");
        Set<String> before = files(directory);
        for (String path : new String[] {"", "0", "0/c"}) {
            RefusedException refusal = assertThrows(
                    RefusedException.class, () -> copy(create(format, directory.resolve("home")), path, true));
            assertTrue(String.valueOf(refusal.getMessage()).contains("not changed"), refusal.getMessage());
            assertEquals(before, files(directory));
        }
    }

    @Test
    void aStoreOfAnotherFormatIsNotChanged() throws Exception {
        for (String[] pair : new String[][] {{"n5", "zarr2"}, {"n5", "zarr3"}, {"zarr2", "n5"}, {"zarr3", "n5"}}) {
            Path place = directory.resolve(pair[0] + pair[1]);
            copy(create(pair[0], place), "", false);
            Set<String> before = files(place);
            assertThrows(RefusedException.class, () -> copy(create(pair[1], place), "", true));
            assertEquals(before, files(place));
        }
    }

    @ParameterizedTest
    @CsvSource({"zarr2, 0", "zarr3, c", "n5, 0"})
    void aLinkIsRemovedButNotFollowed(String format, String link) throws Exception {
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere/0"));
        Files.writeString(elsewhere.resolve("0"), "precious");
        Path place = directory.resolve("x");
        ChunkStore store = create(format, place);
        Data.of(store.resolve(spec(Shape.of(3, 3), Shape.of(3, 3), Map.of("zarr.separator", "/"))))
                .write(store, "a", unit -> false);
        Files.createSymbolicLink(place.resolve("a").resolve(link), elsewhere.getParent());
        Files.createSymbolicLink(place.resolve("a/7"), elsewhere.resolve("0"));
        copy(store, "a", true);
        assertEquals("precious", Files.readString(elsewhere.resolve("0")));
        assertFalse(Files.isSymbolicLink(place.resolve("a").resolve(link)), "the link was not removed");
        assertFalse(Files.isSymbolicLink(place.resolve("a/7")), "the link was not removed");
    }

    @ParameterizedTest
    @CsvSource({"zarr2", "zarr3", "n5", "hdf5"})
    void aLinkToNothingIsRefused(String format) throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nothing"));
        for (Path place : List.of(link, link.resolve("x"))) {
            for (boolean overwrite : new boolean[] {false, true}) {
                RefusedException refusal =
                        assertThrows(RefusedException.class, () -> copy(create(format, place), "a", overwrite));
                assertEquals(
                        link
                                + " is a link whose target does not exist, so nothing can be created there; remove the link, or write"
                                + " elsewhere",
                        refusal.getMessage());
            }
        }
        assertEquals(Set.of("", "link"), files(directory));
    }
}
