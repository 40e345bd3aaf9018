package dev.rechunker.io.ome;

import static dev.rechunker.io.ome.Samples.array;
import static dev.rechunker.io.ome.Samples.attributes;
import static dev.rechunker.io.ome.Samples.elements;
import static dev.rechunker.io.ome.Samples.groups;
import static dev.rechunker.io.ome.Samples.holding;
import static dev.rechunker.io.ome.Samples.job;
import static dev.rechunker.io.ome.Samples.json;
import static dev.rechunker.io.ome.Samples.spec;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ChunkRule;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OmeZarrTest {
    private static final List<String> ARRAYS = List.of("A/1/0/0", "A/1/0/1", "A/1/0/labels/cells/0");

    @TempDir
    Path temporary;

    private Path out(String name) {
        return temporary.resolve(name);
    }

    // ------------------------------------------------------------------ existing metadata

    @Test
    void metadataOfTheSameVersionAreNotChanged() throws Exception {
        Path copy = out("copy.zarr");
        try (ChunkStore source = Zarr.open(Samples.fixture(temporary));
                ChunkStore target = OmeZarr.create(copy)) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(ChunkRule.named("s0", "1, 1, 11, 19, 26").orElse(ChunkRule.named("s1", "1, 2, 3, 5, 7")))
                    .maxMem("10MB")
                    .strict()
                    .plan();
            plan.execute();
            ChunkStore written = Zarr.open(copy);
            assertEquals(
                    Json.compact(attributes(source, "")),
                    Json.compact(attributes(written, "")),
                    "every byte but space");
            for (String level : List.of("s0", "s1")) {
                assertArrayEquals(elements(source, level), elements(written, level), level);
                assertEquals(
                        List.of("t", "c", "z", "y", "x"), array(written, level).dimensionNames());
                assertEquals(
                        array(source, level).codecs(), array(written, level).codecs());
            }
            assertEquals(
                    Shape.of(1, 1, 11, 19, 26), array(written, "s0").chunks().chunkShape());
            assertEquals(Shape.of(1, 2, 3, 5, 7), array(written, "s1").chunks().chunkShape());
        }
    }

    @Test
    void from05To04AndBackIsTheSame() throws Exception {
        ChunkStore source = Zarr.open(Samples.fixture(temporary));
        job(source, OmeZarr.create(out("4"), OmeVersion.V0_4)).strict().execute();
        ChunkStore older = Zarr.open(out("4"));
        assertTrue(Files.exists(out("4").resolve("s0/0/0/2/1/3")), "separator /");
        Map<String, @Nullable Object> attributes = attributes(older, "");
        assertFalse(attributes.containsKey("ome"));
        Map<?, ?> image = (Map<?, ?>) ((List<?>) attributes.getOrDefault("multiscales", List.of())).get(0);
        assertEquals("0.4", image.get("version"));
        assertTrue(Files.readString(out("4").resolve("s0/.zattrs")).contains("_ARRAY_DIMENSIONS"));
        assertEquals(List.of("t", "c", "z", "y", "x"), array(older, "s0").dimensionNames());

        job(older, OmeZarr.create(out("5"))).strict().execute();
        ChunkStore again = Zarr.open(out("5"));
        assertEquals(attributes(source, ""), attributes(again, ""));
        for (String level : List.of("s0", "s1")) {
            assertArrayEquals(elements(source, level), elements(again, level), level);
            assertEquals(array(source, level).chunks(), array(again, level).chunks());
            assertEquals(
                    array(source, level).dimensionNames(), array(again, level).dimensionNames());
        }
    }

    @Test
    void platesWellsLabelsAndForeignAttributesAreKept() throws Exception {
        MemoryStore source = Samples.plate();
        job(source, OmeZarr.create(out("same"), OmeVersion.V0_4)).strict().execute();
        assertEquals(groups(source), groups(Zarr.open(out("same"))));

        job(source, OmeZarr.create(out("5"))).execute();
        ChunkStore newer = Zarr.open(out("5"));
        Map<String, @Nullable Object> root = attributes(newer, "");
        assertEquals(List.of("ome", "owner"), List.copyOf(root.keySet()));
        assertEquals(
                json("{'ome': {'version': '0.5', 'well': {'images': [{'path': '0', 'acquisition': 0}]}}}"),
                attributes(newer, "A/1"));
        assertEquals(json("{'ome': {'version': '0.5', 'labels': ['cells']}}"), attributes(newer, "A/1/0/labels"));
        assertEquals(json("{'ome': {'version': '0.5', 'series': ['A/1/0']}}"), attributes(newer, "OME"));
        assertEquals(Map.of(), attributes(newer, "A"));
        assertFalse(Json.compact(root).contains("0.4"));
        assertEquals(
                List.of("ome", "pixelResolution", "painteraData"),
                List.copyOf(attributes(newer, "A/1/0").keySet()));
        for (String path : ARRAYS) {
            assertEquals(List.of("t", "c", "z", "y", "x"), array(newer, path).dimensionNames(), path);
            assertArrayEquals(source.elements(path), elements(newer, path), path);
        }

        job(newer, OmeZarr.create(out("4"), OmeVersion.V0_4)).strict().execute();
        ChunkStore older = Zarr.open(out("4"));
        assertEquals(groups(source), groups(older));
        job(older, OmeZarr.create(out("5again"))).strict().execute();
        assertEquals(groups(newer), groups(Zarr.open(out("5again"))));
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void theMetadataFileOfAConverterIsListed(OmeVersion version) throws Exception {
        Path converted = out("converted.zarr");
        job(Samples.plate(), OmeZarr.create(converted, OmeVersion.V0_4)).execute();
        Files.writeString(converted.resolve("OME/METADATA.ome.xml"), "<OME/>");
        ChunkStore source = Zarr.open(converted);
        String loss = "#OME: the file \"METADATA.ome.xml\" is not an array or group and is left out";
        for (ChunkStore target : List.of(OmeZarr.create(out("ome"), version), Zarr.create(out("plain")))) {
            Plan plan = job(source, target).plan();
            assertEquals(
                    1,
                    Loss.sentences(plan.losses()).stream()
                            .filter(l -> l.endsWith(loss))
                            .count(),
                    Loss.sentences(plan.losses())::toString);
        }
    }

    @Test
    void levelsMayHaveDifferentChunks() throws Exception {
        Rechunker.from(Samples.plate())
                .to(OmeZarr.create(out("a")))
                .chunks(ChunkRule.named("**/labels/**", "1, 1, 1, 12, 10")
                        .orElse(ChunkRule.named("**/0", "1, 1, 4, 3, 5"))
                        .orElseKeep())
                .maxMem("10MB")
                .execute();
        ChunkStore written = Zarr.open(out("a"));
        assertEquals(
                Shape.of(1, 1, 4, 3, 5), array(written, ARRAYS.get(0)).chunks().chunkShape());
        assertEquals(
                Shape.of(1, 1, 2, 3, 2), array(written, ARRAYS.get(1)).chunks().chunkShape());
        assertEquals(
                Shape.of(1, 1, 1, 12, 10),
                array(written, ARRAYS.get(2)).chunks().chunkShape());
    }

    @Test
    void membersThatAVersionLacksAreListed() throws Exception {
        MemoryStore source = Samples.store();
        String image =
                "'multiscales': [{'name': 'i', 'axes': [{'name': 'y', 'type': 'space'}, {'name': 'x', 'type': 'space'}],"
                        + "'datasets': [{'path': '0', 'coordinateTransformations': [{'type': 'scale', 'scale': [1, 1]}]}]}]";
        source.writeGroup(
                "",
                json("{'ome': {'version': '0.5', '_creator': 'me', " + image + "},"
                        + " 'multiscales': 'mine', 'omero': 'mine'}"));
        Data.of(spec(Shape.of(4, 6), "y", "x").build()).write(source, "0");
        Rechunker.Job job = job(source, OmeZarr.create(out("a"), OmeVersion.V0_4));
        assertEquals(
                List.of(
                        "source as OME-Zarr 0.4: the member \"_creator\" of its OME metadata is unknown in version 0.4, and"
                                + " becomes an attribute",
                        "source as OME-Zarr 0.4: the attribute \"multiscales\" is not kept, because OME metadata replace it",
                        "source as OME-Zarr 0.4: the attribute \"omero\" becomes part of its OME metadata, which are"
                                + " attributes in version 0.4"),
                Loss.sentences(job.plan().losses()).stream().limit(3).toList());
        assertThrows(StoreException.class, job.strict()::plan);
        job.execute();
        assertEquals("me", attributes(Zarr.open(out("a")), "").get("_creator"));

        MemoryStore odd = Samples.store();
        odd.writeGroup("", json("{" + image.replace("'name': 'i'", "'version': '0.4'") + ", 'ome': 'mine'}"));
        Data.of(spec(Shape.of(4, 6), "a", "b").build()).write(odd, "0");
        List<String> losses =
                Loss.sentences(job(odd, OmeZarr.create(out("b"))).plan().losses());
        assertEquals(
                List.of(
                        "source as OME-Zarr 0.5: the attribute \"ome\" is not kept, because OME metadata replace it",
                        "source as OME-Zarr 0.5#0: the dimension names [a, b] become the axes of its image, [y, x]"),
                losses.stream().limit(2).toList());

        assertFalse(Files.exists(out("b")));
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void axesThatDoNotMatchALevelAreListed(OmeVersion version) throws Exception {
        List<StoreLocation> images = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            ArraySpec spec = spec(Shape.of(4, 6), "y", "x").build();
            job(holding("", spec), OmeZarr.create(out(name), version)).execute();
            images.add(Zarr.open(out(name)).at(""));
        }
        ChunkStore stacked = Concat.stack("z", images.toArray(StoreLocation[]::new));
        for (OmeVersion target : OmeVersion.values()) {
            Rechunker.Job job = job(stacked, OmeZarr.create(out("a"), target));
            assertEquals(
                    1,
                    Loss.sentences(job.plan().losses()).stream()
                            .filter(loss -> loss.contains("[y, x] of its image do not match its shape (2, 4, 6)"))
                            .count(),
                    () -> version + " to " + target);
            assertThrows(StoreException.class, job.strict()::plan);
        }
        assertFalse(Files.exists(out("a")));
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void dimensionNamesAreKeptInTheSameVersion(OmeVersion version) throws Exception {
        Path image = out("image");
        job(holding("", spec(Shape.of(4, 6), "y", "x").build()), OmeZarr.create(image, version))
                .execute();
        MemoryStore source = holding("0", spec(Shape.of(4, 6), "row", "column").build());
        source.writeGroup("", attributes(Zarr.open(image), ""));
        job(source, OmeZarr.create(out("a"), version)).strict().execute();
        assertEquals(List.of("row", "column"), array(Zarr.open(out("a")), "0").dimensionNames());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'multiscales': [{'version': '0.3', 'axes': ['y', 'x'], 'datasets': [{'path': '0'}]}]}|0.3",
                "{'ome': {'version': '0.6', 'multiscales': []}}|0.6",
                "{'plate': {'version': '0.1', 'wells': []}}|0.1"
            })
    void otherVersionsAreRefusedByName(String attributes, String version) throws Exception {
        MemoryStore source = holding("0", spec(Shape.of(4, 6), "y", "x").build());
        source.writeGroup("", json(attributes));
        for (OmeVersion target : OmeVersion.values()) {
            StoreException e = assertThrows(StoreException.class, job(source, OmeZarr.create(out("a"), target))::plan);
            assertTrue(String.valueOf(e.getMessage()).contains("version " + version), e.getMessage());
        }
        assertFalse(Files.exists(out("a")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'multiscales': [{'version': 0.4, 'axes': [], 'datasets': []}]}|0.4",
                "{'plate': {'version': 0.4, 'wells': []}}|0.4",
                "{'ome': {'version': 0.5, 'multiscales': []}}|0.5"
            })
    void aVersionThatIsANumberIsRefused(String attributes, String version) throws Exception {
        MemoryStore source = holding("0", spec(Shape.of(4, 6), "y", "x").build());
        source.writeGroup("", json(attributes));
        refused(
                StoreException.class,
                "source states the version of its OME metadata as the number " + version
                        + ", but it must be the text \"" + version
                        + "\"; to keep the metadata unchanged, copy to plain Zarr",
                job(source, OmeZarr.create(out("a"))));
    }

    @Test
    void otherNodesOfAnImageAreNotChanged() throws Exception {
        MemoryStore source = Samples.plate();
        ArraySpec table = spec(Shape.of(5)).build();
        Data.of(table).write(source, "A/1/0/tables/0");
        job(source, OmeZarr.create(out("a"))).execute();
        ChunkStore written = Zarr.open(out("a"));
        assertEquals(List.of(), array(written, "A/1/0/tables/0").dimensionNames());
        assertEquals(Map.of(), attributes(written, "A/1/0/tables"));
    }

    // ------------------------------------------------------------------ new metadata

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void anArrayBecomesAnImage(OmeVersion version) throws Exception {
        ArraySpec spec =
                spec(Shape.of(6, 8, 10)).attributes(Map.of("note", "mine")).build();
        MemoryStore source = holding("", spec);
        OmeZarr target = OmeZarr.create(out("a"), version)
                .axes("z", "y", "x")
                .scale(2, 0.5, 0.5)
                .units("um", "micrometer", "");
        Plan plan = Rechunker.from(source)
                .to(target)
                .chunks("z=1, ...=4")
                .maxMem("1MB")
                .plan();
        assertFalse(Files.exists(out("a")));
        assertEquals("0", plan.arrays().get(0).path());
        plan.execute();
        ChunkStore written = Zarr.open(out("a"));
        String image =
                "'name': 'source', 'axes': [{'name': 'z', 'type': 'space', 'unit': 'micrometer'}, {'name': 'y', 'type':"
                        + "'space', 'unit': 'micrometer'}, {'name': 'x', 'type': 'space'}], 'datasets': [{'path': '0',"
                        + "'coordinateTransformations': [{'type': 'scale', 'scale': [2.0, 0.5, 0.5]}]}]";
        String omero =
                "'omero': {'channels': [{'active': true, 'coefficient': 1, 'color': 'FFFFFF', 'family': 'linear',"
                        + " 'inverted': false, 'label': 'Channel 0', 'window': {'min': 0, 'max': 65535, 'start': 45, 'end':"
                        + " 65481}}], 'rdefs': {'defaultT': 0, 'defaultZ': 3, 'model': 'greyscale'}";
        assertEquals(
                json(
                        version == OmeVersion.V0_5
                                ? "{'ome': {'version': '0.5', 'multiscales': [{" + image + "}], " + omero + "}}}"
                                : "{'multiscales': [{" + image + ", 'version': '0.4'}], " + omero
                                        + ", 'version': '0.4'}}"),
                attributes(written, ""));
        ArraySpec level = array(written, "0");
        assertEquals(List.of("z", "y", "x"), level.dimensionNames());
        assertEquals(Map.of("note", "mine"), level.attributes());
        assertEquals(Shape.of(1, 4, 4), level.chunks().chunkShape());
        assertArrayEquals(source.elements(""), elements(written, "0"));
        assertEquals(version == OmeVersion.V0_5, Files.exists(out("a").resolve("zarr.json")));
        plan.execute();
        assertArrayEquals(source.elements(""), elements(written, "0"));
        // Metadata that were created are kept by further copies.
        job(written, OmeZarr.create(out("b"), version)).strict().execute();
        assertEquals(groups(written), groups(Zarr.open(out("b"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|1.0,1.0,1.0|,,",
                "{'element_size_um': [3, 0.5, 0.25]}|3.0,0.5,0.25|micrometer,micrometer,micrometer",
                "{'resolution': [0.25, 0.5, 3]}|3.0,0.5,0.25|,,",
                "{'resolution': [4, 4, 40], 'unit': 'nm'}|40.0,4.0,4.0|nanometer,nanometer,nanometer",
                "{'resolution': [4, 4, 40], 'units': ['nm', 'nm', 'furlong']}|40.0,4.0,4.0|,nanometer,nanometer",
                "{'pixelResolution': [1, 2, 3]}|3.0,2.0,1.0|,,",
                "{'pixelResolution': {'unit': 'um', 'dimensions': [1, 2, 3]}}|3.0,2.0,1.0|micrometer,micrometer,micrometer",
                "{'pixelResolution': {'unit': 'um', 'dimensions': [1, 2]}, 'resolution': [0, 1, 1]}|1.0,1.0,1.0|,,",
                "{'resolution': 'fine', 'element_size_um': ['a', 1, 2]}|1.0,1.0,1.0|,,",
                "{'resolution': [1, 2, 3], 'downsamplingFactors': [2, 2, 1]}|3.0,4.0,2.0|,,"
            })
    void resolutionsAreTakenFromAttributes(String attributes, String scale, String units) throws Exception {
        ArraySpec spec = spec(Shape.of(4, 4, 4), "z", "y", "x")
                .attributes(json(attributes))
                .build();
        job(holding("", spec), OmeZarr.create(out("a"))).execute();
        Map<?, ?> image = image(Zarr.open(out("a")), "");
        assertEquals("[" + scale.replace(",", ", ") + "]", scales(image).get(0).toString());
        String[] expected = units.split(",", -1);
        List<?> axes = list(image, "axes");
        for (int axis = 0; axis < 3; axis++) {
            assertEquals(
                    expected[axis].isEmpty() ? null : expected[axis], ((Map<?, ?>) axes.get(axis)).get("unit"), units);
        }
        assertEquals(spec.attributes(), array(Zarr.open(out("a")), "0").attributes());
    }

    private static List<?> list(Map<?, ?> object, String key) {
        return (List<?>) Objects.requireNonNull(object.get(key), key);
    }

    private static Map<?, ?> image(ChunkStore store, String path) throws IOException {
        Map<?, ?> ome = (Map<?, ?>) attributes(store, path).getOrDefault("ome", Map.of());
        return (Map<?, ?>) list(Objects.requireNonNull(ome), "multiscales").get(0);
    }

    private static List<Object> scales(Map<?, ?> image) {
        List<Object> scales = new ArrayList<>();
        for (Object dataset : list(image, "datasets")) {
            Map<?, ?> first = (Map<?, ?>)
                    list((Map<?, ?>) dataset, "coordinateTransformations").get(0);
            scales.add(list(first, "scale"));
        }
        return scales;
    }

    @Test
    void axesOfSpaceHaveResolutionsAndOthersHaveNone() throws Exception {
        ArraySpec spec = spec(Shape.of(2, 3, 4, 4, 4), "t", "c", "z", "y", "x")
                .attributes(json("{'pixelResolution': {'unit': 'um', 'dimensions': [1, 2, 3]}}"))
                .build();
        job(holding("", spec), OmeZarr.create(out("a"))).execute();
        Map<?, ?> image = image(Zarr.open(out("a")), "");
        assertEquals("[1.0, 1.0, 3.0, 2.0, 1.0]", scales(image).get(0).toString());
        assertEquals(
                "[{name=t, type=time}, {name=c, type=channel}, {name=z, type=space, unit=micrometer},"
                        + " {name=y, type=space, unit=micrometer}, {name=x, type=space, unit=micrometer}]",
                String.valueOf(image.get("axes")));
    }

    @Test
    void aPyramidBecomesOneImage() throws Exception {
        MemoryStore source = Samples.store();
        source.writeGroup("setup", json("{'resolution': [0.5, 0.5, 2], 'unit': 'um', 'owner': 'me'}"));
        List<Shape> shapes = List.of(Shape.of(11, 19, 26), Shape.of(6, 9, 13), Shape.of(6, 5, 7));
        for (int level = 0; level < 3; level++) {
            ArraySpec spec = spec(shapes.get(level), "z", "y", "x").build();
            Data.of(spec, level).write(source, "setup/s" + level);
        }
        job(source, OmeZarr.create(out("a"))).strict().execute();
        ChunkStore written = Zarr.open(out("a"));
        assertEquals(List.of("setup"), written.children(""));
        assertEquals(
                "[[2.0, 0.5, 0.5], [4.0, 1.0, 1.0], [4.0, 2.0, 2.0]]",
                scales(image(written, "setup")).toString());
        assertEquals("me", attributes(written, "setup").get("owner"));
        assertArrayEquals(source.elements("setup/s2"), elements(written, "setup/s2"));
    }

    @Test
    void levelsWithFactorsAreTranslated() throws Exception {
        MemoryStore source = Samples.store();
        for (int level = 0; level < 2; level++) {
            long f = 1L << level;
            ArraySpec spec = spec(Shape.of(8 / f, 8 / f), "y", "x")
                    .attributes(Map.of("downsamplingFactors", List.of(f, f)))
                    .build();
            Data.of(spec, level).write(source, Integer.toString(level));
        }
        job(source, OmeZarr.create(out("a")).scale(3, 5)).strict().execute();
        Map<?, ?> image = image(Zarr.open(out("a")), "");
        assertEquals(
                "[{path=0, coordinateTransformations=[{type=scale, scale=[3.0, 5.0]}]},"
                        + " {path=1, coordinateTransformations=[{type=scale, scale=[6.0, 10.0]},"
                        + " {type=translation, translation=[1.5, 2.5]}]}]",
                String.valueOf(image.get("datasets")));
    }

    @Test
    void otherArraysBecomeImagesOfTheirOwn() throws Exception {
        MemoryStore source = Samples.store();
        Data.of(spec(Shape.of(4, 6), "y", "x").build()).write(source, "raw");
        Data.of(spec(Shape.of(3, 4, 6), "c", "y", "x").build(), 1).write(source, "deep/seg");
        Data.of(spec(Shape.of(9), "x").build(), 2).write(source, "deep/line");
        source.writeGroup("deep", Map.of("title", "t"));
        Rechunker.Job job = job(source, OmeZarr.create(out("a")));
        Plan plan = job.plan();
        assertEquals(
                List.of("deep/line", "deep/seg/0", "raw/0"),
                plan.arrays().stream().map(array -> array.path()).toList());
        assertEquals(
                1,
                Loss.sentences(plan.losses()).stream()
                        .filter(loss -> loss.contains("does not become an image"))
                        .count());
        assertThrows(StoreException.class, job.strict()::plan);
        plan.execute();
        ChunkStore written = Zarr.open(out("a"));
        assertEquals("seg", image(written, "deep/seg").get("name"));
        assertEquals(Map.of("title", "t"), attributes(written, "deep"));
        for (String path : List.of("raw", "deep/seg")) {
            assertArrayEquals(source.elements(path), elements(written, path + "/0"), path);
        }
        assertArrayEquals(source.elements("deep/line"), elements(written, "deep/line"));
    }

    @Test
    void aNodeIsCopiedToANode() throws Exception {
        MemoryStore source = holding("a/raw", spec(Shape.of(4, 6), "y", "x").build());
        Rechunker.from(source.at("a/raw"))
                .to(OmeZarr.create(out("a")).at("images/one"))
                .chunks("keep")
                .maxMem("1MB")
                .execute();
        ChunkStore written = Zarr.open(out("a"));
        assertEquals("raw", image(written, "images/one").get("name"));
        assertArrayEquals(source.elements("a/raw"), elements(written, "images/one/0"));
    }

    @Test
    void shardsAreWrittenIn05() throws Exception {
        MemoryStore source =
                holding("", spec(Shape.of(12, 20, 20), "z", "y", "x").build());
        Rechunker.from(source)
                .to(OmeZarr.create(out("a")))
                .chunks(3, 5, 5)
                .maxMem("1MB")
                .shards("6, 20, 20")
                .execute();
        ChunkStore written = Zarr.open(out("a"));
        assertEquals(
                Shape.of(6, 20, 20),
                array(written, "0").shards().map(ChunkGrid::chunkShape).orElseThrow());
        assertArrayEquals(source.elements(""), elements(written, "0"));
        // 0.4 has no shards: those of the source are dropped, requested ones are refused.
        Rechunker.Job older = job(written, OmeZarr.create(out("b"), OmeVersion.V0_4));
        assertEquals(
                List.of("the shards become none instead of (6, 20, 20)"),
                Loss.sentences(older.plan().losses()).stream()
                        .map(loss -> loss.substring(loss.indexOf(": ") + 2))
                        .toList());
        assertThrows(StoreException.class, older.shards("6, 20, 20")::plan);
        older.execute();
        assertArrayEquals(source.elements(""), elements(Zarr.open(out("b")), "0"));
    }

    @Test
    void codecsAreThoseOfTheSpecification() throws Exception {
        ChunkStore source = Zarr.create(out("source"), ZarrFormat.V2);
        Data.of(spec(Shape.of(12, 20), "y", "x")
                        .codecs(CodecSpec.parse("zlib:level=1"))
                        .build())
                .write(source, "");
        Plan plan = job(source, OmeZarr.create(out("a"))).plan();
        assertTrue(
                Loss.sentences(plan.losses()).stream().anyMatch(loss -> loss.contains("the codecs become [blosc")),
                plan::explain);
        plan.execute();
        assertEquals("blosc", array(Zarr.open(out("a")), "0").codecs().get(0).name());
        assertArrayEquals(elements(source, ""), elements(Zarr.open(out("a")), "0"));
    }

    // ------------------------------------------------------------------ refusals

    private void refused(Class<? extends Exception> type, String part, Rechunker.Job job) {
        String message = String.valueOf(assertThrows(type, job::execute).getMessage());
        assertTrue(message.contains(part), message);
        assertFalse(Files.exists(out("a")), "the target exists");
    }

    @Test
    void givenAxesUnitsAndScaleMustMatch() throws Exception {
        MemoryStore source = holding("", spec(Shape.of(4, 4, 4)).build());
        OmeZarr target = OmeZarr.create(out("a"));
        refused(StoreException.class, "source has no names for its 3 axes", job(source, target));
        refused(
                IllegalArgumentException.class,
                "axes[y, x] is for 2 axes, but source has 3: (4, 4, 4)",
                job(source, target.axes("y", "x")));
        OmeZarr named = target.axes("z", "y", "x");
        refused(
                IllegalArgumentException.class,
                "scale[1.0] is for 1 axis, but source has 3: (4, 4, 4)",
                job(source, named.scale(1)));
        refused(
                IllegalArgumentException.class,
                "units[second, second] is for 2 axes, but source has 3: (4, 4, 4)",
                job(source, named.units("s", "s")));
        refused(
                IllegalArgumentException.class,
                "the order time, channel, space",
                job(source, target.axes("y", "x", "c")));
        refused(IllegalArgumentException.class, "the same name", job(source, target.axes("y", "x", "x")));
        refused(
                IllegalArgumentException.class,
                "one axis of time",
                job(holding("", spec(Shape.of(4, 4, 4, 4)).build()), target.axes("t", "time", "y", "x")));
        assertThrows(IllegalArgumentException.class, () -> target.units("furlong"));
        assertThrows(IllegalArgumentException.class, () -> target.scale(1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> target.scale(1, Double.NaN, 1));
        job(source, named).execute();
    }

    @Test
    void arraysThatCannotBeImagesAreRefused() throws Exception {
        OmeZarr target = OmeZarr.create(out("a"));
        refused(
                StoreException.class,
                "1 of them are axes of space",
                job(holding("", spec(Shape.of(4, 4, 4), "t", "c", "x").build()), target));
        refused(
                StoreException.class,
                "there are 1 axes, but an image has 2 to 5",
                job(holding("", spec(Shape.of(4), "x").build()), target));
        refused(
                IllegalArgumentException.class,
                "has OME metadata, which are kept",
                job(Samples.plate(), target.axes("z", "y", "x")));
    }

    @Test
    void anotherVersionOfZarrIsRefused() throws Exception {
        MemoryStore source = holding("", spec(Shape.of(4, 4), "y", "x").build());
        refused(
                StoreException.class,
                "format zarr2 was requested",
                job(source, OmeZarr.create(out("a"))).format("zarr2"));
        DataType numbers = DataType.sequence(DataType.INT32).upTo(8);
        ArraySpec sequences = ArraySpec.builder(ChunkGrid.regular(Shape.of(4, 4), Shape.of(2, 2)), numbers)
                .dimensionNames(List.of("y", "x"))
                .build();
        refused(StoreException.class, "source", job(holding("", sequences), OmeZarr.create(out("a"))));
    }
}
