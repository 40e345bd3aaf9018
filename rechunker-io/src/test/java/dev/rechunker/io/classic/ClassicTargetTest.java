package dev.rechunker.io.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of arrays and groups in a new file of the classic format. */
class ClassicTargetTest {
    @TempDir
    Path temporary;

    private static ArraySpec.Builder spec(DataType type, List<String> names, Set<Integer> unlimited, long... shape) {
        long[] chunk = shape.clone();
        for (int axis = 0; axis < chunk.length; axis++) {
            chunk[axis] = Math.max(1, chunk[axis] / 2);
        }
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type)
                .fillValue(FillValue.zero(type.itemSize()))
                .dimensionNames(names)
                .unlimitedAxes(unlimited);
    }

    private static MemoryStore source(Map<String, ArraySpec> arrays) throws IOException {
        MemoryStore source = new MemoryStore();
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            Data.of(array.getValue()).write(source, array.getKey());
        }
        return source;
    }

    /** Copies a store to a file, and checks its elements. */
    private Report copy(ChunkStore source, String name, String format) throws Exception {
        try (ChunkStore target = NetcdfClassic.create(temporary.resolve(name))) {
            return Rechunker.from(source)
                    .to(target)
                    .chunks("keep")
                    .maxMem("20MB")
                    .format(format)
                    .verify()
                    .execute();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.toList();
        }
    }

    private int kind(String name) throws IOException {
        return Files.readAllBytes(temporary.resolve(name))[3];
    }

    /** A time step is not one write: slices of several variables alternate, and are filled up to four bytes. */
    @Test
    void recordsOfSeveralVariablesAlternate() throws Exception {
        MemoryStore source = source(Map.of(
                "a", spec(DataType.INT8, List.of("time", "x"), Set.of(0), 7, 5).build(),
                "b", spec(DataType.INT16, List.of("time"), Set.of(0), 7).build(),
                "c", spec(DataType.bytes(3), List.of("time"), Set.of(0), 7).build(),
                "d", spec(DataType.BOOL, List.of("x"), Set.of(), 5).build(),
                "x", spec(DataType.FLOAT64, List.of("x"), Set.of(), 5).build()));
        copy(source, "a.nc3", "netcdf3");
        assertEquals(1, kind("a.nc3"));
        try (ChunkStore store = NetcdfClassic.open(temporary.resolve("a.nc3"))) {
            ArraySpec texts = ((ChunkStore.ArrayNode) store.node("c").orElseThrow()).spec();
            assertEquals(List.of("time", "string3"), texts.dimensionNames());
            ArraySpec flags = ((ChunkStore.ArrayNode) store.node("d").orElseThrow()).spec();
            assertEquals(Map.of("dtype", "bool"), flags.attributes());
        }
    }

    /** A caller that does not announce arrays need not know them in advance: they are put in order at the end. */
    @Test
    void arraysNeedNotBeAnnounced() throws Exception {
        Path file = temporary.resolve("a.nc3");
        Map<String, ArraySpec> arrays = Map.of(
                "a", spec(DataType.INT8, List.of("time", "x"), Set.of(0), 7, 5).build(),
                "b", spec(DataType.INT16, List.of("time"), Set.of(0), 7).build(),
                "x", spec(DataType.FLOAT64, List.of("x"), Set.of(), 5).build());
        try (ChunkStore target = NetcdfClassic.create(file)) {
            for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
                Data.of(target.resolve(target.rules().adopt(array.getValue()))).write(target, array.getKey());
            }
            assertFalse(Files.exists(file));
            target.finish(false);
        }
        try (ChunkStore store = NetcdfClassic.open(file)) {
            for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
                Data.of(((ChunkStore.ArrayNode) store.node(array.getKey()).orElseThrow()).spec())
                        .check(store, array.getKey());
            }
        }
        assertEquals(List.of(file), files());
    }

    @Test
    void theKindIsTheSmallestThatHasEverything() throws Exception {
        copy(source(Map.of("a", spec(DataType.INT32, List.of("x"), Set.of(), 4).build())), "a.nc3", "netcdf3");
        assertEquals(1, kind("a.nc3"));
        copy(source(Map.of("a", spec(DataType.INT32, List.of("x"), Set.of(), 4).build())), "b.nc3", "nc6");
        assertEquals(2, kind("b.nc3"));
        copy(source(Map.of("a", spec(DataType.UINT16, List.of("x"), Set.of(), 4).build())), "c.nc3", "netcdf3");
        assertEquals(5, kind("c.nc3"));
        copy(source(Map.of("a", spec(DataType.INT8, List.of("x"), Set.of(), 4).build())), "d.nc3", "cdf5");
        assertEquals(5, kind("d.nc3"));
        StoreException refused = assertThrows(
                StoreException.class,
                () -> copy(
                        source(Map.of(
                                "a",
                                spec(DataType.UINT16, List.of("x"), Set.of(), 4).build())),
                        "e.nc3",
                        "nc3"));
        assertTrue(String.valueOf(refused.getMessage()).contains("only CDF-5 has"), refused::getMessage);
    }

    /** The places of large variables, and the kind, follow from sizes alone. */
    @Test
    void largeFilesAreOfAnotherKind() throws Exception {
        Map<String, ArraySpec> arrays = Map.of(
                "a",
                NetcdfClassic.create(temporary.resolve("a.nc3"))
                        .resolve(spec(DataType.INT8, List.of("x"), Set.of(), 1L << 31)
                                .chunks(ChunkGrid.regular(Shape.of(1L << 31), Shape.of(1 << 20)))
                                .build()));
        assertEquals(
                Kind.CDF5, FileLayout.of("a", GroupSpec.EMPTY, arrays).header().kind());
        ArraySpec wide = NetcdfClassic.create(temporary.resolve("a.nc3"))
                .resolve(spec(DataType.FLOAT64, List.of("y", "x"), Set.of(), 1 << 15, 1 << 14)
                        .build());
        FileLayout layout = FileLayout.of("a", GroupSpec.EMPTY, Map.of("a", wide));
        assertEquals(Kind.CDF5, layout.header().kind());
        ArraySpec half = NetcdfClassic.create(temporary.resolve("a.nc3"))
                .resolve(spec(DataType.FLOAT32, List.of("y", "x"), Set.of(), 1 << 15, 1 << 14)
                        .build());
        assertEquals(
                Kind.CDF2,
                FileLayout.of("a", GroupSpec.EMPTY, Map.of("a", half)).header().kind());
    }

    private String refusal(ChunkStore source, String name) {
        return String.valueOf(assertThrows(StoreException.class, () -> copy(source, name, "netcdf3"))
                .getMessage());
    }

    @Test
    void whatCannotBeKeptIsRefusedOrListed() throws Exception {
        String several = refusal(
                source(Map.of(
                        "a",
                                spec(DataType.INT8, List.of("time", "x"), Set.of(0), 7, 5)
                                        .build(),
                        "b", spec(DataType.INT8, List.of("run"), Set.of(0), 3).build())),
                "several.nc3");
        assertTrue(several.contains("has only one"), several);
        MemoryStore source = source(Map.of(
                "a", spec(DataType.INT8, List.of("x", "time"), Set.of(1), 5, 7).build(),
                "g/b", spec(DataType.INT8, List.of(), Set.of(), 3).build(),
                "none", spec(DataType.INT8, List.of(), Set.of(), 0).build(),
                "half", spec(DataType.FLOAT16, List.of(), Set.of(), 3).build()));
        source.writeGroup(
                "",
                GroupSpec.of(Map.of("texts", List.of("a", "b"), "number", 1L, "large", 1L << 40))
                        .withDimensions(List.of(new Dimension("time", 7, true))),
                false);
        Report report = copy(source, "losses.nc3", "netcdf3");
        String losses = Loss.sentences(report.losses()).toString();
        for (String part : List.of("would be in a group", "float16", "no elements along axis 0", "unlimited")) {
            assertTrue(losses.contains(part), losses);
        }
        try (ChunkStore store = NetcdfClassic.open(temporary.resolve("losses.nc3"))) {
            ChunkStore.GroupNode root = (ChunkStore.GroupNode) store.node("").orElseThrow();
            assertEquals(Map.of("texts", List.of("a", "b"), "number", 1L, "large", 1L << 40), root.attributes());
            assertEquals(
                    AttributeType.of("int64", Shape.of(1)),
                    root.spec().attributeTypes().get("large"));
            assertEquals(List.of("a"), store.children(""));
        }
    }

    @Test
    void nothingIsSeenOfAFileThatIsNotFinished() throws Exception {
        Path file = temporary.resolve("a.nc3");
        ArraySpec spec = spec(DataType.INT8, List.of("x"), Set.of(), 4).build();
        try (ChunkStore target = NetcdfClassic.create(file)) {
            try (ArrayWriter writer =
                    target.create("a", target.resolve(target.rules().adopt(spec)), false)) {
                writer.commit();
            }
        }
        assertEquals(List.of(), files());
        copy(source(Map.of("a", spec)), "a.nc3", "netcdf3");
        String exists = refusal(source(Map.of("b", spec)), "a.nc3");
        assertTrue(exists.contains("allow overwriting"), exists);
    }

    @Test
    void zarrComesBack() throws Exception {
        Map<String, ArraySpec> arrays = Map.of(
                "t", spec(DataType.INT64, List.of("t"), Set.of(0), 6).build(),
                "v", spec(DataType.FLOAT32, List.of("t", "x"), Set.of(0), 6, 4).build());
        copy(source(arrays), "a.nc3", "netcdf3");
        try (ChunkStore from = NetcdfClassic.open(temporary.resolve("a.nc3"));
                ChunkStore to = Zarr.create(temporary.resolve("a.zarr"))) {
            Rechunker.from(from).to(to).chunks("keep").maxMem("20MB").execute();
            for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
                assertEquals(
                        array.getValue().unlimitedAxes(),
                        ((ChunkStore.ArrayNode) to.node(array.getKey()).orElseThrow())
                                .spec()
                                .unlimitedAxes());
            }
        }
    }
}
