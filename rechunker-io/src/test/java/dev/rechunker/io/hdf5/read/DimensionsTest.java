package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dimensions of groups in the files of make_described.py and make_small.py. */
class DimensionsTest {
    @TempDir
    Path directory = Path.of("");

    private static List<Dimension> dimensions(ChunkStore store, String group) throws IOException {
        return ((GroupNode) store.node(group).orElseThrow()).spec().dimensions();
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static byte[] read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    @Test
    void groupDeclaresItsDimensionsInTheirOrder() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("dimensions.nc", directory))) {
            assertEquals(
                    List.of(
                            new Dimension("time", 3, true),
                            new Dimension("south_north", 2, false),
                            new Dimension("lonely", 7, false),
                            new Dimension("eta", 5, true),
                            new Dimension("name", 3, false),
                            new Dimension("empty", 0, true)),
                    dimensions(store, ""));
            assertEquals(List.of(new Dimension("y", 4, false)), dimensions(store, "inner"));
            assertEquals(List.of("inner", "layer", "name", "time", "wind"), store.children(""));
            assertEquals(List.of("time", "south_north"), spec(store, "wind").dimensionNames());
            assertEquals(List.of("y", "time"), spec(store, "inner/deep").dimensionNames());
            assertEquals(List.of("eta"), spec(store, "layer").dimensionNames());
        }
    }

    /** Inside the file it has another name, because the dimension has this one. */
    @Test
    void variableWithTheNameOfADimensionThatItDoesNotHaveKeepsItsName() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("dimensions.nc", directory))) {
            assertEquals(List.of("south_north"), spec(store, "name").dimensionNames());
            assertArrayEquals(new byte[] {8, 9}, read(store, "name"));
            assertEquals(List.of("y"), spec(store, "inner/time").dimensionNames());
        }
    }

    @Test
    void filesThatNetcdfDidNotWriteHaveDimensionsToo() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("scales.h5", directory))) {
            assertEquals(
                    List.of(new Dimension("a", 4, false), new Dimension("z1", 3, true), new Dimension("z2", 3, false)),
                    dimensions(store, ""),
                    "the length is that of the scale, although an array is longer");
            assertEquals(List.of("z1", "a"), spec(store, "both").dimensionNames());
            assertEquals(Arrays.asList(null, "a"), spec(store, "label").dimensionNames());
            assertEquals(
                    List.of(
                            "the label \"z\" of axis 0 is left out, because its scale is called \"z1\"",
                            "axis 0 has 2 scales, and only the first is kept with it"),
                    store.omissions("both"));
            assertEquals(List.of(), store.omissions("label"));
        }
    }

    @Test
    void filesWithoutScalesHaveNoDimensions() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_latest.h5", directory))) {
            assertEquals(List.of(), dimensions(store, "arrays"));
            assertEquals(List.of(new Dimension("scale", 11, false)), dimensions(store, "others"));
        }
    }
}
