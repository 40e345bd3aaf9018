package dev.rechunker.io.ome;

import static dev.rechunker.io.ome.Samples.array;
import static dev.rechunker.io.ome.Samples.attributes;
import static dev.rechunker.io.ome.Samples.elements;
import static dev.rechunker.io.ome.Samples.groups;
import static dev.rechunker.io.ome.Samples.holding;
import static dev.rechunker.io.ome.Samples.job;
import static dev.rechunker.io.ome.Samples.json;
import static dev.rechunker.io.ome.Samples.spec;
import static dev.rechunker.io.ome.Samples.store;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Levels of images in OME-Zarr, and the metadata that say where their elements are. */
class OmeLevelsTest {
    @TempDir
    Path temporary;

    private Path out(String name) {
        return temporary.resolve(name);
    }

    private static Map<?, ?> multiscale(ChunkStore store, String path) throws IOException {
        Map<String, @Nullable Object> attributes = attributes(store, path);
        Object holder = attributes.get("ome") instanceof Map<?, ?> ome ? ome : attributes;
        return (Map<?, ?>) ((List<?>) Objects.requireNonNull(((Map<?, ?>) holder).get("multiscales"))).get(0);
    }

    private static String datasets(ChunkStore store, String path) throws IOException {
        return Json.compact(multiscale(store, path).get("datasets"))
                .replace("\"coordinateTransformations\":", "")
                .replace("\"type\":\"scale\",", "")
                .replace("\"type\":\"translation\",", "")
                .replace('"', '\'');
    }

    // ------------------------------------------------------------------ new metadata

    /** Extents are odd; the last box of each axis is smaller, which moves no other. */
    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void anArrayWithoutNamesBecomesAPyramid(OmeVersion version) throws Exception {
        ArraySpec unnamed = spec(Shape.of(5, 13, 31)).dimensionNames(List.of()).build();
        job(
                        holding("raw", unnamed),
                        OmeZarr.create(out("o"), version)
                                .axes("z", "y", "x")
                                .scale(0.7, 0.1, 0.3)
                                .units("um", "um", "um"))
                .levels(Levels.by("1,2,2", "2,2,3").count(3))
                .strict()
                .execute();
        ChunkStore written = Zarr.open(out("o"));
        assertEquals(
                "[{'path':'0',[{'scale':[0.7,0.1,0.3]}]},"
                        + "{'path':'1',[{'scale':[0.7,0.2,0.6]},{'translation':[0.0,0.05,0.15]}]},"
                        + "{'path':'2',[{'scale':[1.4,0.4,1.8]},{'translation':[0.35,0.15,0.75]}]}]",
                datasets(written, "raw"));
        assertEquals("mean", multiscale(written, "raw").get("type"));
        assertEquals(
                "dev.rechunker.Levels.mean",
                ((Map<?, ?>) Objects.requireNonNull(multiscale(written, "raw").get("metadata"))).get("method"));
        assertEquals(Shape.of(5, 7, 16), array(written, "raw/1").shape());
        assertEquals(Shape.of(3, 4, 6), array(written, "raw/2").shape());
        assertEquals(List.of("z", "y", "x"), array(written, "raw/2").dimensionNames());
        assertEquals(Set.of("0", "1", "2"), Set.copyOf(written.children("raw")));
    }

    @Test
    void theDocumentedPyramidIsMade() throws Exception {
        MemoryStore source =
                holding("", spec(Shape.of(30, 90, 60)).dimensionNames(List.of()).build());
        Path out = out("o");
        // snippet: levels
        Rechunker.from(source)
                .to(OmeZarr.create(out).axes("z", "y", "x").scale(2, 0.5, 0.5).units("um", "um", "um"))
                .chunks(16, 32, 32)
                .maxMem("10MB")
                .levels(Levels.auto().until(40))
                .execute();
        // end snippet
        assertEquals(List.of("0", "1", "2"), Zarr.open(out).children(""));
        assertEquals(Shape.of(30, 23, 15), array(Zarr.open(out), "2").shape());
    }

    /** Attributes of a pyramid that would be wrong of new levels are not copied to formats that do not change them. */
    @Test
    void otherFormatsDoNotKeepMetadataOfOldLevels() throws Exception {
        StoreException refusal = assertThrows(
                StoreException.class,
                () -> job(Samples.plate(), Zarr.create(out("z"), ZarrFormat.V2))
                        .levels(Levels.auto().count(2))
                        .plan());
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("A/1/0 has attributes that describe its levels"),
                refusal.getMessage());
        assertTrue(String.valueOf(refusal.getMessage()).contains("write it to OME-Zarr"), refusal.getMessage());
    }

    /** The nearest element of two is the first: where it is does not change. */
    @Test
    void theNearestElementIsWhereItWas() throws Exception {
        job(
                        holding("", spec(Shape.of(9, 9), "y", "x").build()),
                        OmeZarr.create(out("o")).scale(0.5, 0.5))
                .levels(Levels.by("2,4").nearest().count(2))
                .execute();
        assertEquals(
                "[{'path':'0',[{'scale':[0.5,0.5]}]},{'path':'1',[{'scale':[1.0,2.0]},{'translation':[0.0,0.5]}]}]",
                datasets(Zarr.open(out("o")), ""));
    }

    /** Axes of space are halved once the others have caught up, in whatever units they are. */
    @ParameterizedTest
    @CsvSource({"um, 1, '3,20,10,10'", "um, 1.5, '3,10,10,10'", "nm, 1500, '3,10,10,10'", "'', 1500, '3,10,20,20'"})
    void automaticLevelsFollowSpacingAndUnits(String unit, double spacing, String shape) throws Exception {
        job(
                        holding(
                                "",
                                spec(Shape.of(3, 20, 20, 20), "c", "z", "y", "x")
                                        .build()),
                        OmeZarr.create(out("o")).scale(1, 2, spacing, spacing).units("", "um", unit, unit))
                .levels(Levels.auto().count(2))
                .execute();
        assertEquals(
                "(" + shape.replace(",", ", ") + ")",
                array(Zarr.open(out("o")), "1").shape().toString());
    }

    @Test
    void theScaleOfTheGroupAboveIsThatOfItsArrays() throws Exception {
        MemoryStore source = store();
        source.writeGroup("", json("{'pixelResolution': {'unit': 'um', 'dimensions': [0.5, 0.5, 2.0]}}"));
        Data.of(spec(Shape.of(4, 8, 8), "z", "y", "x").build()).write(source, "raw");
        job(source, OmeZarr.create(out("o"))).levels(Levels.auto().count(2)).execute();
        assertEquals(
                "[{'path':'0',[{'scale':[2.0,0.5,0.5]}]},"
                        + "{'path':'1',[{'scale':[2.0,1.0,1.0]},{'translation':[0.0,0.25,0.25]}]}]",
                datasets(Zarr.open(out("o")), "raw"));
    }

    // ------------------------------------------------------------------ existing metadata

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void levelsOfAPlateAreReplaced(OmeVersion version) throws Exception {
        MemoryStore source = Samples.plate();
        job(source, OmeZarr.create(out("o"), version))
                .levels(Levels.auto().count(3))
                .execute();
        ChunkStore written = Zarr.open(out("o"));
        assertEquals(
                "[{'path':'0',[{'scale':[1.0,1.0,2.0,0.5,0.5]}]},"
                        + "{'path':'1',[{'scale':[1.0,1.0,2.0,1.0,1.0]},{'translation':[0.0,0.0,0.0,0.25,0.25]}]},"
                        + "{'path':'2',[{'scale':[1.0,1.0,2.0,2.0,2.0]},{'translation':[0.0,0.0,0.0,0.75,0.75]}]}]",
                datasets(written, "A/1/0"));
        assertEquals("mean", multiscale(written, "A/1/0").get("type"));
        assertEquals("field", multiscale(written, "A/1/0").get("name"));
        assertEquals("mode", multiscale(written, "A/1/0/labels/cells").get("type"));
        assertTrue(Json.compact(attributes(written, "A/1/0")).contains("DAPI"));
        assertTrue(Json.compact(attributes(written, "A/1/0/labels/cells")).contains("label-value"));
        assertEquals(groups(source).keySet(), groups(written).keySet());
        assertEquals(Shape.of(2, 1, 4, 3, 3), array(written, "A/1/0/2").shape());
        assertEquals(
                Shape.of(2, 1, 4, 3, 3), array(written, "A/1/0/labels/cells/2").shape());
        assertArrayEquals(elements(source, "A/1/0/0"), elements(written, "A/1/0/0"));
    }

    @Test
    void oneLevelOfAnImageWithSeveralIsRefused() throws Exception {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> job(Samples.plate(), OmeZarr.create(out("o")))
                        .levels(Levels.auto().count(1))
                        .plan());
        assertEquals(
                "one level is asked for, but A/1/0 has 2; to copy only one, name it as the source, such as A/1/0/0;"
                        + " to copy all, ask for no levels",
                refusal.getMessage());
    }

    /** A part of an image is where it was in the image, and so are the levels that are made of it. */
    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void aRegionIsWhereItWas(OmeVersion version) throws Exception {
        MemoryStore source = store();
        source.writeGroup(
                "",
                json(
                        "{'multiscales': [{'version': '0.4', 'name': 'n', 'axes': [{'name': 'y', 'type': 'space'}, {'name':"
                                + "'x', 'type': 'space'}], 'datasets': [{'path': '0', 'coordinateTransformations': [{'type':"
                                + "'scale', 'scale': [2.5, 0.5]}, {'type': 'translation', 'translation': [10.0, -3]}]}]}]}"));
        Data.of(spec(Shape.of(8, 16), "y", "x").build()).write(source, "0");
        job(source, OmeZarr.create(out("o"), version)).region("y=2:, x=4:12").execute();
        assertEquals(
                "[{'path':'0',[{'scale':[2.5,0.5]},{'translation':[15.0,-1.0]}]}]", datasets(Zarr.open(out("o")), ""));
        job(source, OmeZarr.create(out("l"), version))
                .region("y=2:, x=4:12")
                .levels(Levels.by("2,2").count(2))
                .execute();
        assertEquals(
                "[{'path':'0',[{'scale':[2.5,0.5]},{'translation':[15.0,-1.0]}]},"
                        + "{'path':'1',[{'scale':[5.0,1.0]},{'translation':[16.25,-0.75]}]}]",
                datasets(Zarr.open(out("l")), ""));
    }

    /** Levels below groups, with a position, a scale of the image and a member of another tool. */
    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void levelsBelowGroupsAreReplaced(OmeVersion version) throws Exception {
        MemoryStore source = store();
        String image = "'name': 'n', 'axes': [{'name': 'y', 'type': 'space'}, {'name': 'x', 'type': 'space'}],"
                + "'datasets': [{'path': 'scale0/image', 'coordinateTransformations': [{'type': 'scale', 'scale':"
                + "[2.5, 2.5]}, {'type': 'translation', 'translation': [10.0, -3]}]}, {'path': 'scale1/image',"
                + "'coordinateTransformations': [{'type': 'scale', 'scale': [5.0, 5.0]}]}],"
                + "'coordinateTransformations': [{'type': 'scale', 'scale': [0.1, 0.1]}],"
                + "'type': 'gaussian', 'metadata': {'method': 'skimage', 'args': '[true]', 'maker': 'me'}";
        source.writeGroup("", json("{'multiscales': [{'version': '0.4', " + image + "}]}"));
        source.writeGroup("scale0", Map.of());
        source.writeGroup("scale1", Map.of());
        Data.of(spec(Shape.of(8, 6), "y", "x").build()).write(source, "scale0/image");
        Data.of(spec(Shape.of(4, 3), "y", "x").build()).write(source, "scale1/image");
        job(source, OmeZarr.create(out("o"), version))
                .levels(Levels.auto().max().count(2))
                .strict()
                .execute();
        ChunkStore written = Zarr.open(out("o"));
        assertEquals(
                "[{'path':'0',[{'scale':[2.5,2.5]},{'translation':[10.0,-3]}]},"
                        + "{'path':'1',[{'scale':[5.0,5.0]},{'translation':[11.25,-1.75]}]}]",
                datasets(written, ""));
        Map<?, ?> multiscale = multiscale(written, "");
        assertEquals("max", multiscale.get("type"));
        Map<?, ?> metadata = (Map<?, ?>) multiscale.get("metadata");
        assertEquals("me", Objects.requireNonNull(metadata).get("maker"));
        assertFalse(metadata.containsKey("args"));
        assertEquals(
                "[{\"type\":\"scale\",\"scale\":[0.1,0.1]}]",
                Json.compact(multiscale.get("coordinateTransformations")));
        assertEquals(Set.of("0", "1"), Set.copyOf(written.children("")));
        assertEquals(List.of("y", "x"), array(written, "1").dimensionNames());
        Data.of(spec(Shape.of(8), "y").build()).write(source, "scale0/y");
        List<Loss> losses = job(source, OmeZarr.create(out("with-coordinates"), version))
                .levels(2)
                .plan()
                .losses();
        assertTrue(String.valueOf(Loss.sentences(losses)).contains("\"scale0/y\" is not copied"), losses::toString);
    }

    @Test
    void tablesBesideImagesGetNoLevels() throws Exception {
        MemoryStore source = Samples.plate();
        Data.of(spec(Shape.of(30, 40)).dimensionNames(List.of()).build()).write(source, "A/1/0/tables/X");
        job(source, OmeZarr.create(out("o"))).levels(Levels.auto().count(2)).execute();
        assertEquals(
                Shape.of(30, 40), array(Zarr.open(out("o")), "A/1/0/tables/X").shape());
    }

    @Test
    void whatCannotHaveLevelsIsRefused() throws Exception {
        String image = "{'version': '0.4', 'axes': [{'name': 'y', 'type': 'space'}, {'name': 'x', 'type': 'space'}],"
                + "'datasets': [{'path': '0', 'coordinateTransformations': [%s]}]}";
        String scale = image.formatted("{'type': 'scale', 'scale': [1, 1]}");
        refused(scale + "," + scale, "has 2 images in its multiscales");
        refused(image.formatted("{'type': 'affine'}"), "transformation {type=affine}");
        refused(image.formatted("{'type': 'scale', 'scale': [1, 1, 1]}"), "is not a number for each of 2 axes");
        refused(image.formatted("{'type': 'scale', 'path': 'a'}"), "scale null, which is not a number");
        refused(scale.replace("'path': '0'", "'path': '7'"), "there is no array at");
        refused(scale.replace("{'name': 'y', 'type': 'space'}, ", ""), "has 1 axes in its OME metadata");
    }

    private void refused(String multiscales, String message) throws Exception {
        MemoryStore source = store();
        source.writeGroup("", json("{'multiscales': [" + multiscales + "]}"));
        Data.of(spec(Shape.of(8, 6), "y", "x").build()).write(source, "0");
        StoreException refusal = assertThrows(
                StoreException.class,
                () -> job(source, OmeZarr.create(out("r")))
                        .levels(Levels.auto().count(2))
                        .plan());
        assertTrue(String.valueOf(refusal.getMessage()).contains(message), refusal.getMessage());
    }
}
