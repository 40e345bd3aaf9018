package dev.rechunker.io.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.Attributes;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that attributes and names that a file does not keep are listed as losses, and that all others are read back.
 */
class Hdf5LossesTest {
    private static final long BEYOND_DOUBLES = (1L << 53) + 1;

    @TempDir
    Path directory = Path.of("");

    private static ArraySpec.Builder spec(DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(4, 3), Shape.of(2, 3)), type);
    }

    @Test
    void userBlockIsALossOfLayout() throws Exception {
        try (ChunkStore first = Hdf5.create(directory.resolve("x.h5"))) {
            Data.of(spec(DataType.INT16).build()).write(first, "v");
            first.finish(false);
        }
        Path file = directory.resolve("block.h5");
        Files.write(file, new byte[512]);
        Files.write(file, Files.readAllBytes(directory.resolve("x.h5")), StandardOpenOption.APPEND);
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore target = Hdf5.create(directory.resolve("y.h5"))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks("keep")
                    .maxMem("4MB")
                    .plan();
            assertEquals(
                    List.of(new Loss(
                            Loss.Kind.LAYOUT,
                            file + ": the user block of 512 bytes at the start of the file is left out")),
                    plan.losses());
        }
    }

    @Test
    void dimensionOfAnotherLengthIsALossInNetcdf() throws Exception {
        MemoryStore source = MemoryStore.builder().name("source").build();
        Data.of(spec(DataType.INT16).dimensionNames(List.of("y", "x")).build()).write(source, "a");
        Data.of(spec(DataType.INT16).dimensionNames(List.of("x", "y")).build()).write(source, "b");
        for (boolean isNetcdf : List.of(false, true)) {
            Path file = directory.resolve(isNetcdf + ".nc");
            try (ChunkStore target = isNetcdf ? Hdf5.createNetcdf4(file) : Hdf5.create(file)) {
                Plan plan = Rechunker.from(source)
                        .to(target)
                        .chunks("keep")
                        .maxMem("4MB")
                        .plan();
                List<String> all = Loss.sentences(plan.losses()).stream()
                        .filter(loss -> loss.contains("phony_dim"))
                        .toList();
                assertEquals(isNetcdf ? 2 : 0, all.size(), all::toString);
            }
        }
    }

    /** {@return the losses of a copy of an array {@code v} in a group with attributes} */
    private List<String> losses(ArraySpec spec, Map<String, ?> ofGroup) throws IOException, InterruptedException {
        MemoryStore source = MemoryStore.builder().name("source").build();
        source.writeGroup("", ofGroup);
        Data.of(spec).write(source, "v");
        try (ChunkStore target = Hdf5.create(directory.resolve("x.h5"))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks("keep")
                    .maxMem("4MB")
                    .overwrite()
                    .plan();
            plan.execute();
            return Loss.sentences(plan.losses());
        }
    }

    private Map<String, @Nullable Object> attributes(String path) throws IOException {
        try (ChunkStore store = Hdf5.open(directory.resolve("x.h5"))) {
            ChunkStore.Node node = store.node(path).orElseThrow();
            return node instanceof ChunkStore.ArrayNode array
                    ? array.spec().attributes()
                    : ((ChunkStore.GroupNode) node).attributes();
        }
    }

    /** {@return the missing value of the array {@code v}, or its attribute if that is not an element} */
    private Number stored() throws IOException {
        try (ChunkStore store = Hdf5.open(directory.resolve("x.h5"))) {
            ArraySpec spec = ((ChunkStore.ArrayNode) store.node("v").orElseThrow()).spec();
            Optional<byte[]> missing = spec.missingValue().bytes();
            if (missing.isEmpty()) {
                return (Number) Objects.requireNonNull(spec.attributes().get("_FillValue"));
            }
            ByteBuffer element = ByteBuffer.wrap(missing.get()).order(spec.byteOrder());
            if (spec.dataType().equals(DataType.FLOAT32)) {
                return (double) element.getFloat();
            }
            return spec.dataType().equals(DataType.FLOAT64)
                    ? (Number) element.getDouble()
                    : (Number) spec.dataType().value(spec.byteOrder(), missing.get());
        }
    }

    private void assertFillBecomes(DataType type, Number given, @Nullable Number listed)
            throws IOException, InterruptedException {
        List<String> losses =
                losses(spec(type).attributes(Map.of("_FillValue", given)).build(), Map.of());
        Number stored = stored();
        if (listed == null) {
            assertEquals(List.of(), losses, type + " " + given);
            assertEquals(given.floatValue(), stored.floatValue());
        } else {
            assertEquals(
                    List.of("source#v: the attribute \"_FillValue\" becomes " + listed + " instead of " + given),
                    losses);
            assertTrue(Attributes.same(listed, stored), () -> listed + " is listed, but stored is " + stored);
        }
    }

    @Test
    void fillValueThatElementsCannotRepresentIsRoundedAndListed() throws Exception {
        assertFillBecomes(DataType.FLOAT32, 1e-50, 0.0);
        assertFillBecomes(DataType.FLOAT32, 1e300, Double.POSITIVE_INFINITY);
        assertFillBecomes(DataType.FLOAT32, 0.123456789012, (double) (float) 0.123456789012);
        assertFillBecomes(DataType.FLOAT32, 16777217L, 16777216.0);
        assertFillBecomes(DataType.FLOAT64, BEYOND_DOUBLES, (double) BEYOND_DOUBLES);
        assertFillBecomes(DataType.INT8, -0.0, 0L);
    }

    @Test
    void fillValueThatElementsRepresentAsWrittenIsNotALoss() throws Exception {
        assertFillBecomes(DataType.FLOAT32, 0.1, null);
        assertFillBecomes(DataType.FLOAT32, 1e20, null);
        assertFillBecomes(DataType.FLOAT32, (double) 0.1f, null);
        assertFillBecomes(DataType.FLOAT32, -0.0, null);
        assertFillBecomes(DataType.FLOAT32, Double.NaN, null);
        assertFillBecomes(DataType.FLOAT32, -999L, null);
        assertFillBecomes(DataType.FLOAT64, 0.1f, null);
        assertFillBecomes(DataType.FLOAT64, 1e-50, null);
        assertFillBecomes(DataType.INT16, -999.0, null);
        assertFillBecomes(DataType.INT64, BEYOND_DOUBLES, null);
        assertFillBecomes(DataType.INT8, 0.5, null);
    }

    @Test
    void internalAttributesAreNotCopiedFromOtherFormats() throws Exception {
        Map<String, Object> internal = new TreeMap<>(Map.of(
                "CLASS",
                "DIMENSION_SCALE",
                "NAME",
                "v",
                "REFERENCE_LIST",
                List.of(1L, 2L),
                "DIMENSION_LIST",
                List.of("y", "x"),
                "DIMENSION_LABELS",
                List.of("y", "x"),
                "_Netcdf4Dimid",
                7L,
                "_Netcdf4Coordinates",
                List.of(5L, 6L),
                "_NCProperties",
                "version=2,netcdf=4.9.0",
                "_nc3_strict",
                1L));
        List<String> expected = new ArrayList<>();
        for (String node : List.of("source", "source#v")) {
            internal.keySet().forEach(name -> expected.add(node + ": the attribute \"" + name + "\" is not kept"));
        }
        Map<String, Object> all = new TreeMap<>(internal);
        all.put("units", List.of(1L));
        List<String> losses = losses(
                spec(DataType.INT16)
                        .dimensionNames(List.of("y", "x"))
                        .attributes(all)
                        .build(),
                all);
        assertEquals(expected, losses);
        for (String path : List.of("", "v")) {
            assertEquals(Map.of("units", List.of(1L)), attributes(path), path);
        }
    }

    @Test
    void classAndNameAreKeptIfAnObjectIsNotAScale() throws Exception {
        Map<String, Object> image = Map.of("CLASS", "IMAGE", "NAME", "me");
        assertEquals(List.of(), losses(spec(DataType.UINT8).attributes(image).build(), image));
        assertEquals(image, attributes(""));
        assertEquals(image, attributes("v"));
    }

    @Test
    void membersOfN5JsonBecomeAttributes() throws Exception {
        Map<String, Object> json = Map.of("N5_JSON_ROOT", "{\"a\": {\"b\": 1}}", "o", Map.of());
        assertEquals(
                List.of("source: the attribute \"N5_JSON_ROOT\" is not kept"),
                losses(spec(DataType.INT16).build(), json));
        assertEquals(Map.of("a", Map.of("b", 1L), "o", Map.of()), attributes(""));
        Map<String, Object> text = Map.of("N5_JSON_ROOT", "a text");
        assertEquals(List.of(), losses(spec(DataType.INT16).build(), text));
        assertEquals(text, attributes(""));
    }

    @Test
    void emptyAxisNameIsNoName() throws Exception {
        ArraySpec.Builder spec = spec(DataType.INT16);
        assertEquals(
                List.of("source#v: the dimension names become [null, x] instead of [, x]"),
                losses(spec.dimensionNames(List.of("", "x")).build(), Map.of()));
        assertEquals(
                List.of("source#v: the dimension names become none instead of [, ]"),
                losses(spec.dimensionNames(List.of("", "")).build(), Map.of()));
        assertEquals(
                List.of(), losses(spec.dimensionNames(Arrays.asList(null, "x")).build(), Map.of()));
    }
}
