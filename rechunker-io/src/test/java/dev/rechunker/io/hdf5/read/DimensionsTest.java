package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
            assertEquals(List.of("time", "wind", "layer", "name", "inner"), store.children(""));
            assertEquals(List.of("time", "south_north"), spec(store, "wind").dimensionNames());
            assertEquals(List.of("y", "time"), spec(store, "inner/deep").dimensionNames());
            assertEquals(List.of("eta"), spec(store, "layer").dimensionNames());
        }
    }

    @Test
    void dimensionWithoutAVariableIsNoNode() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("dimensions.nc", directory))) {
            for (String dimension : List.of("south_north", "lonely", "eta", "empty", "inner/y")) {
                assertEquals(Optional.empty(), store.node(dimension), dimension);
                assertThrows(StoreException.class, () -> store.openReader(dimension), dimension);
            }
        }
    }

    private MemoryStore copied(ChunkStore store, String variable, String region) throws Exception {
        MemoryStore target = new MemoryStore();
        Rechunker.from(store.at(variable))
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .region(region)
                .verify()
                .execute();
        return target;
    }

    @Test
    void copyOfAVariableHasItsDimensionsButNoArraysForThem() throws Exception {
        Dimension time = new Dimension("time", 3, true);
        try (ChunkStore store = Hdf5.open(Corpus.copy("dimensions.nc", directory))) {
            MemoryStore wind = copied(store, "wind", "0:2, :");
            assertEquals(List.of("time", "wind"), wind.children(""));
            assertEquals(
                    List.of(new Dimension("time", 2, true), new Dimension("south_north", 2, false)),
                    dimensions(wind, ""));
            MemoryStore deep = copied(store, "inner/deep", ":, :");
            assertEquals(List.of("deep"), deep.children(""), "time of its group has another axis");
            assertEquals(List.of(time, new Dimension("y", 4, false)), dimensions(deep, ""));
            MemoryStore layer = copied(store, "layer", ":");
            assertEquals(List.of("layer"), layer.children(""));
            assertEquals(List.of(new Dimension("eta", 5, true)), dimensions(layer, ""));
        }
    }

    @ReferenceTest
    @Test
    void softLinkToADimensionWithoutAVariableIsNoNodeEither() throws Exception {
        Path file = Corpus.copy("dimensions.nc", directory);
        ReferencePrograms.run(directory, List.of("/usr/bin/python3", "-c", """
                import sys, h5py
                with h5py.File(sys.argv[1], "a") as f:
                    f["soft"] = h5py.SoftLink("/lonely")
                    f["winds"] = h5py.SoftLink("/wind")
                    f["broken"] = h5py.SoftLink("/nothing")
                """, file.toString()));
        try (ChunkStore store = Hdf5.open(file)) {
            assertEquals(List.of("time", "wind", "layer", "name", "inner", "winds", "broken"), store.children(""));
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

    private static List<Object> values(ChunkStore store, String path) throws IOException {
        ArraySpec spec = spec(store, path);
        byte[] bytes = read(store, path);
        List<Object> values = new ArrayList<>();
        int size = spec.dataType().itemSize();
        for (int at = 0; at < bytes.length; at += size) {
            values.add(spec.dataType().value(spec.byteOrder(), Arrays.copyOfRange(bytes, at, at + size)));
        }
        return values;
    }

    /** NetCDF4-python reads the same, but zeros where two dimensions are longer. */
    @Test
    void variableIsAsLongAsItsUnlimitedDimension() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("short.nc", directory))) {
            assertEquals(Shape.of(9), spec(store, "filled").shape());
            assertEquals(Shape.of(9, 2), spec(store, "default").shape());
            assertEquals(Shape.of(3, 9), spec(store, "both").shape());
            assertEquals(
                    "[1.0, 2.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]",
                    values(store, "filled").toString());
            assertEquals(
                    "[1.0, 2.0, 3.0, 4.0, 5.0, -1.0, -1.0, -1.0, -1.0]",
                    values(store, "gzip").toString());
            String fills = ", -32767".repeat(12);
            assertEquals(
                    "[0, 1, 2, 3, 4, 5" + fills + "]", values(store, "default").toString());
            assertEquals(
                    "[1, 2, 3" + ", -32767".repeat(6) + "]",
                    values(store, "unfilled").toString());
            assertEquals(
                    "[1, 2, 3" + ", 18446744073709551614".repeat(6) + "]",
                    values(store, "unfilled_u8").toString());
            String sevens = ", -7, -7, -7, -7";
            assertEquals(
                    "[0, 1, 2, 3, 4" + sevens + ", 5, 6, 7, 8, 9" + sevens + ", -7".repeat(9) + "]",
                    values(store, "both").toString());
            assertEquals("[-7" + ", -7".repeat(8) + "]", values(store, "empty").toString());
            for (String name : store.children("")) {
                assertEquals(List.of(), store.omissions(name));
                try (ArrayReader reader = store.openReader(name)) {
                    assertEquals(spec(store, name).shape().rank() == 1 && name.startsWith("time"), isCopied(reader));
                }
            }
        }
    }

    private static boolean isCopied(ArrayReader reader) throws IOException {
        return reader.spec().dimensionNames().equals(List.of("time"))
                && reader.encoded().isPresent();
    }

    @Test
    void copyOfAShortVariableIsVerified() throws Exception {
        try (ChunkStore store = Hdf5.open(Corpus.copy("short.nc", directory))) {
            MemoryStore target = new MemoryStore();
            Rechunker.from(store)
                    .to(target)
                    .chunks("keep")
                    .maxMem("1MB")
                    .verify()
                    .execute();
            for (String name : store.children("")) {
                assertEquals(values(store, name), values(target, name), name);
            }
        }
    }
}
