package dev.rechunker.io.microscopy;

import static dev.rechunker.io.microscopy.MicroscopySamples.array;
import static dev.rechunker.io.microscopy.MicroscopySamples.check;
import static dev.rechunker.io.microscopy.MicroscopySamples.member;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.Stores;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.JsonMutator;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of Imaris are images. The file is written with h5py in the layout that Imaris describes. */
class ImarisTest {
    /** The metadata of {@link #file}: the groups with their attributes. */
    private static final String METADATA = """
            {"": {"ImarisDataSet": ["I", "m"], "DataSetDirectoryName": "DataSet"},
            "DataSetInfo/Image": {"Unit": "um", "ExtMin0": "0", "ExtMax0": "4", "ExtMin1": "1", "ExtMax1": "2.5",
            "ExtMin2": "-1", "ExtMax2": "1"},
            "DataSetInfo/Channel 0": {"Name": "a", "Color": "1 0 0", "ColorRange": "0 255"},
            "DataSetInfo/TimeInfo": {"TimePoint1": "2020-02-03 10:00:00"},
            "DataSet/ResolutionLevel 0/TimePoint 0/Channel 0": {"ImageSizeX": ["4"], "ImageSizeY": "3",
            "ImageSizeZ": "2"}}""";

    @TempDir
    Path temporary;

    private ChunkStore open() throws IOException {
        return Stores.open(Fixtures.resource("microscopy/cells.ims", temporary));
    }

    private static int element(long t, long c, long z, long y, long x) {
        return (int) ((t * 2 + c) * 1000 + z * 200 + y * 20 + x);
    }

    @Test
    void theFileIsAnImage() throws Exception {
        try (ChunkStore store = open()) {
            assertEquals(List.of("0", "1"), store.children(""));
            assertEquals(Shape.of(2, 2, 3, 7, 11), array(store, "0").shape());
            assertEquals(Shape.of(2, 2, 3, 3, 5), array(store, "1").shape());
            assertEquals(List.of("t", "c", "z", "y", "x"), array(store, "0").dimensionNames());
            assertEquals(DataType.UINT16, array(store, "0").dataType());
            check(store, "0", ImarisTest::element);
            check(store, "1", (t, c, z, y, x) -> element(t, c, z, 2 * y, 2 * x));
            String micrometer = ",'type':'space','unit':'micrometer'}";
            assertEquals(
                    "[{'name':'cells','axes':[{'name':'t','type':'time','unit':'second'},{'name':'c','type':'channel'},"
                            + "{'name':'z'" + micrometer + ",{'name':'y'" + micrometer + ",{'name':'x'" + micrometer
                            + "],'datasets':[{'path':'0','coordinateTransformations':["
                            + "{'type':'scale','scale':[2.5,1.0,2.0,0.25,0.25]},"
                            + "{'type':'translation','translation':[0.0,0.0,0.0,-2.0,10.0]}]},"
                            + "{'path':'1','coordinateTransformations':["
                            + "{'type':'scale','scale':[2.5,1.0,2.0,0.5,0.5]},"
                            + "{'type':'translation','translation':[0.0,0.0,0.0,-1.875,10.125]}]}]}]",
                    member(store, "", "multiscales"));
            String shown = member(store, "", "omero");
            assertTrue(shown.contains("'label':'DAPI','color':'FF0080'"), shown);
            assertTrue(shown.contains("'window':{'start':3,'end':2000.5}"), shown);
            assertTrue(shown.contains("'label':'GFP','color':'00FF00'"), shown);
        }
    }

    /** What is not part of the image keeps its path, and is listed as a loss. */
    @Test
    void otherObjectsAreAtTheirPaths() throws Exception {
        try (ChunkStore store = open()) {
            assertEquals(Shape.of(4, 16), array(store, "Thumbnail/Data").shape());
            assertEquals(
                    Shape.of(4, 8, 16),
                    array(store, "DataSet/ResolutionLevel 0/TimePoint 1/Channel 0/Data")
                            .shape());
            assertTrue(store.children("DataSetInfo").contains("Image"));
            assertTrue(store.node("2").isEmpty());
            assertTrue(store.node("0/1").isEmpty());
            assertThrows(StoreException.class, () -> store.openReader(""));
            List<String> losses = Loss.sentences(Rechunker.from(store)
                    .to(OmeZarr.create(temporary.resolve("o")))
                    .chunks("keep")
                    .maxMem("10MB")
                    .plan()
                    .losses());
            assertEquals(2, losses.size(), losses::toString);
            assertTrue(losses.get(1).contains("\"Thumbnail\" is left out"), losses::toString);
        }
        try (ChunkStore store = Hdf5.open(temporary.resolve("cells.ims"))) {
            assertEquals(List.of("DataSet", "DataSetInfo", "Thumbnail"), store.children(""));
        }
        MemoryStore other = new MemoryStore();
        assertSame(other, Imaris.view(other));
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void oneCopyMakesAPyramid(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out");
        try (ChunkStore store = open()) {
            Rechunker.from(store)
                    .to(OmeZarr.create(out, version))
                    .chunks("t=2, c=1, z=2, y=4, x=4")
                    .maxMem("10MB")
                    .levels(Levels.auto().until(3))
                    .verify()
                    .execute();
        }
        ChunkStore written = Zarr.open(out);
        assertEquals(List.of("0", "1", "2"), written.children(""));
        check(written, "0", ImarisTest::element);
        assertEquals(Shape.of(2, 2, 3, 4, 6), array(written, "1").shape());
        String shown = member(written, "", "omero");
        assertTrue(shown.contains("'window':{'start':3,'end':2000.5,'min':0,'max':65535}"), shown);
        assertTrue(shown.contains("'window':{'min':0,'max':65535,'start':10"), shown);
    }

    @Test
    void partsAndSharedRunsWork() throws Exception {
        Path file = temporary.resolve("plan.json");
        Path out = temporary.resolve("out.zarr");
        try (ChunkStore store = open();
                ChunkStore target = OmeZarr.create(out)) {
            JobFile.save(
                    Rechunker.from(store)
                            .to(target)
                            .chunks("2,2,1,4,4")
                            .maxMem("4MB")
                            .region("t=1:2")
                            .verify()
                            .plan(),
                    file);
        }
        MicroscopySamples.runAndFinish(file);
        check(Zarr.open(out), "0", (t, c, z, y, x) -> element(t + 1, c, z, y, x));
        Path crop = temporary.resolve("crop.zarr");
        try (ChunkStore store = open()) {
            Rechunker.from(store)
                    .to(OmeZarr.create(crop))
                    .chunks("keep")
                    .maxMem("4MB")
                    .region("t=1:2, x=3:11")
                    .levels(2)
                    .execute();
        }
        check(Zarr.open(crop), "0", (t, c, z, y, x) -> element(t + 1, c, z, y, x + 3));
        assertEquals(Shape.of(1, 2, 3, 4, 4), array(Zarr.open(crop), "1").shape());
    }

    // ------------------------------------------------------------------ damage

    private static MemoryStore file(Map<?, ?> groups) throws IOException {
        MemoryStore file = MemoryStore.builder().name("cells.ims").build();
        for (Map.Entry<?, ?> group : groups.entrySet()) {
            if (group.getValue() instanceof Map<?, ?> attributes) {
                file.writeGroup(String.valueOf(group.getKey()), JsonParser.object("a", json(attributes)));
            }
        }
        Shape shape = Shape.of(2, 4, 4);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, shape), DataType.UINT8)
                .build();
        Data.of(spec).write(file, "DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data");
        return file;
    }

    private static byte[] json(Map<?, ?> attributes) throws IOException {
        return Json.compact(attributes).getBytes(StandardCharsets.UTF_8);
    }

    private static MemoryStore file(String metadata) throws IOException {
        return file(JsonParser.object("metadata", metadata.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"ImageSizeX\": [\"4\"] | \"ImageSizeX\": \"0\" | its size of X is \"0\"",
                "\"ImageSizeX\": [\"4\"] | \"ImageSizeX\": \"5\" | without the elements of an image of (2, 3, 5)",
                "\"ImageSizeX\": [\"4\"] | \"ImageSizeX\": \"many\" | its size of X is \"many\"",
                "\"DataSet\" | \"Data\" | there is no \"TimePoint 0\" in it",
                "\"DataSet\" | \"../Data\" | its names of groups are",
            })
    void whatIsNotThereIsNamed(String text, String instead, String message) throws Exception {
        ChunkStore store = Imaris.view(file(METADATA.replace(text, instead)));
        StoreException refusal = assertThrows(StoreException.class, () -> {
            store.node("");
            store.node("0");
        });
        String said = String.valueOf(refusal.getMessage());
        assertTrue(said.contains("cells.ims") && said.contains(message), said);
        assertTrue(store.node("DataSet").isPresent());
    }

    /** Metadata that are missing or wrong, but that the elements do not depend on. */
    @Test
    void anImageNeedsOnlySizes() throws Exception {
        ChunkStore store = Imaris.view(file("""
                {"": {"ImarisDataSet": "ImarisDataSet"}, "DataSetInfo/Image": {"ExtMin0": "5", "ExtMax0": "5",
                "ExtMin1": "x", "Unit": "furlong"}, "DataSetInfo/Channel 0": {"Color": "2 0 0", "ColorRange": "9 1"}}"""));
        assertEquals(Shape.of(1, 1, 2, 4, 4), array(store, "0").shape());
        assertTrue(member(store, "", "multiscales").contains("'scale':[1.0,1.0,1.0,1.0,1.0]"));
        assertTrue(member(store, "", "omero").contains("'color':'FFFFFF'"));
        assertTrue(
                ((ArrayNode) store.node("0").orElseThrow()).spec().attributes().isEmpty());
    }

    @Test
    void damagedMetadataAreRefused() {
        List<byte[]> seeds = List.of(METADATA.getBytes(StandardCharsets.UTF_8));
        Fuzz.check("imaris", 1000, 64 << 20, "cells.ims", random -> JsonMutator.mutate(seeds, random), in -> {
            Map<?, ?> groups;
            MemoryStore file;
            try {
                groups = JsonParser.object("metadata", in);
                file = file(groups);
            } catch (StoreException | IllegalArgumentException e) {
                return; // not the metadata of a file
            }
            Walk.from(Imaris.view(file), "", 6);
        });
    }
}
