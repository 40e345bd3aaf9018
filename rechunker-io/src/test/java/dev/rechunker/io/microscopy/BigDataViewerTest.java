package dev.rechunker.io.microscopy;

import static dev.rechunker.io.microscopy.MicroscopySamples.array;
import static dev.rechunker.io.microscopy.MicroscopySamples.check;
import static dev.rechunker.io.microscopy.MicroscopySamples.member;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Data sets of BigDataViewer are images. The HDF5 file is written with h5py in its layout. */
class BigDataViewerTest {
    private static final String SETUP = """
            <ViewSetup><id>%d</id><name>setup %d</name><size>11 7 5</size>
            <voxelSize><unit>um</unit><size>0.25 0.25 2</size></voxelSize>
            <attributes>%s</attributes></ViewSetup>""";

    private static final String CHANNELS = SETUP.formatted(0, 0, "<channel>1</channel><angle>0</angle>")
            + SETUP.formatted(1, 1, "<channel>2</channel><angle>0</angle>")
            + "<Attributes name=\"channel\"><Channel><id>1</id><name>DAPI</name></Channel><Channel><id>2</id>"
            + "<name>GFP</name></Channel></Attributes>";

    private static final String RANGE = "<Timepoints type=\"range\"><first>0</first><last>1</last></Timepoints>";

    private static final String HDF5 =
            "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"relative\">bdv.h5</hdf5></ImageLoader>";

    @TempDir
    Path temporary;

    private static String document(String loader, String setups, String times) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<SpimData version=\"0.2\"><BasePath type=\"relative\">.</BasePath>"
                + "<SequenceDescription>" + loader + "<ViewSetups>" + setups + "</ViewSetups>" + times
                + "</SequenceDescription><ViewRegistrations><ViewRegistration timepoint=\"0\" setup=\"0\">"
                + "<ViewTransform type=\"affine\"><affine>1 0 0 0 0 1 0 0 0 0 8 0</affine></ViewTransform>"
                + "</ViewRegistration></ViewRegistrations></SpimData>";
    }

    private Path document(String text) throws IOException {
        Fixtures.resource("microscopy/bdv.h5", temporary);
        return Files.writeString(temporary.resolve("cells.xml"), text);
    }

    private static int element(long t, long c, long z, long y, long x) {
        return (int) (30000 + (t * 2 + c) * 2000 + z * 200 + y * 20 + x);
    }

    private static int smaller(long t, long c, long z, long y, long x) {
        return element(t, c, z, 2 * y, 2 * x);
    }

    @Test
    void setupsOfChannelsAreAnImage() throws Exception {
        try (ChunkStore store = Stores.open(document(document(HDF5, CHANNELS, RANGE)))) {
            assertEquals(List.of("0", "1"), store.children(""));
            assertEquals(Shape.of(2, 2, 5, 7, 11), array(store, "0").shape());
            assertEquals(Shape.of(2, 2, 5, 3, 5), array(store, "1").shape());
            assertEquals(DataType.UINT16, array(store, "0").dataType());
            check(store, "0", BigDataViewerTest::element);
            check(store, "1", BigDataViewerTest::smaller);
            String images = member(store, "", "multiscales");
            assertTrue(images.contains("'name':'cells'"), images);
            assertTrue(images.contains("{'type':'scale','scale':[1.0,1.0,2.0,0.5,0.5]}"), images);
            assertTrue(images.contains("{'type':'translation','translation':[0.0,0.0,0.0,0.125,0.125]}"), images);
            assertTrue(images.contains("'unit':'micrometer'"), images);
            String shown = member(store, "", "omero");
            assertTrue(shown.contains("'label':'DAPI'") && shown.contains("'label':'GFP'"), shown);
            assertTrue(store.omissions("").toString().contains("registrations"), shown);
            assertEquals(DataType.INT16, array(store, "t00000/s00/0/cells").dataType());
        }
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void oneCopyMakesAPyramid(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out.zarr"); // in the same directory
        try (ChunkStore store = Stores.open(document(document(HDF5, CHANNELS, RANGE)))) {
            Rechunker.from(store)
                    .to(OmeZarr.create(out, version))
                    .chunks("2,1,2,4,4")
                    .maxMem("10MB")
                    .levels(Levels.auto().until(5))
                    .verify()
                    .execute();
        }
        ChunkStore written = Zarr.open(out);
        check(written, "0", BigDataViewerTest::element);
        assertEquals(List.of("0", "1", "2"), written.children(""));
        String shown = member(written, "", "omero");
        assertTrue(shown.contains("'window':{'min':0,'max':65535,'start':300"), shown);
    }

    /** Setups of several angles or tiles, or without channels, are images of their own. */
    @Test
    void otherSetupsAreSeveralImages() throws Exception {
        String tiles = SETUP.formatted(0, 0, "<tile>0</tile><channel>0</channel>")
                + SETUP.formatted(1, 1, "<tile>1</tile><channel>0</channel>");
        for (String setups : List.of(tiles, tiles.replaceAll("<attributes>.*?</attributes>", ""))) {
            Path out = Files.createTempDirectory(temporary, "out").resolve("out");
            try (ChunkStore store = Stores.open(document(document(HDF5, setups, RANGE)))) {
                assertEquals(List.of("0", "1"), store.children(""));
                assertEquals(List.of("0", "1"), store.children("1"));
                Rechunker.from(store)
                        .to(OmeZarr.create(out))
                        .chunks("keep")
                        .maxMem("10MB")
                        .levels(2)
                        .execute();
            }
            ChunkStore written = Zarr.open(out);
            assertEquals("3", member(written, "", "bioformats2raw.layout"));
            assertTrue(member(written, "1", "multiscales").contains("'name':'setup 1'"));
            assertTrue(member(written, "1", "omero").contains("'window':{'min':0"));
            check(written, "1/0", (t, c, z, y, x) -> element(t, 1, z, y, x));
            assertEquals(Shape.of(2, 1, 5, 4, 6), array(written, "1/1").shape());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<Timepoints type=\"pattern\"><integerpattern>1</integerpattern></Timepoints> | 1 | 1",
                "<Timepoints type=\"pattern\"><integerpattern>0-1:1</integerpattern></Timepoints> | 2 | 0",
                "<Timepoints type=\"pattern\"><integerpattern></integerpattern></Timepoints> | 1 | 0",
                "<Timepoints type=\"list\"><Timepoint><id>1</id></Timepoint></Timepoints> | 1 | 1",
            })
    void timePointsAreNumbered(String times, int count, int first) throws Exception {
        try (ChunkStore store = Stores.open(document(document(HDF5, CHANNELS, times)))) {
            assertEquals(count, array(store, "0").shape().extent(0));
            check(store, "0", (t, c, z, y, x) -> element(t + first, c, z, y, x));
        }
    }

    private Path n5() throws IOException {
        Path root = temporary.resolve("cells.n5");
        try (ChunkStore store = N5.create(root)) {
            for (int time = 0; time < 2; time++) {
                for (int level = 0; level < 2; level++) {
                    Shape shape = level == 0 ? Shape.of(5, 7, 11) : Shape.of(5, 4, 6);
                    ArraySpec spec = store.resolve(
                            ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(2, 4, 4)), DataType.UINT16)
                                    .build());
                    int of = level * 1000 + time * 500;
                    Data.of(spec, (position, element) -> {
                                element[0] = (byte) ((position + of) >> 8);
                                element[1] = (byte) (position + of);
                            })
                            .write(store, "setup0/timepoint" + time + "/s" + level);
                }
            }
        }
        Files.writeString(
                root.resolve("setup0/attributes.json"),
                "{\"downsamplingFactors\":[[1,1,1],[2,2,1]],\"dataType\":\"uint16\"}");
        return root;
    }

    @Test
    void n5IsReadToo() throws Exception {
        n5();
        String loader =
                "<ImageLoader format=\"bdv.n5\" version=\"1.0\"><n5 type=\"relative\">cells.n5</n5></ImageLoader>";
        String text = document(loader, SETUP.formatted(0, 0, "<channel>0</channel>"), RANGE);
        Path file = document(text);
        Path out = temporary.resolve("out.zarr");
        try (ChunkStore keyed = BigDataViewer.open(new DirectoryKeys(temporary), "cells.xml")) {
            check(keyed, "1", (t, c, z, y, x) -> (int) (1000 + t * 500 + (z * 4 + y) * 6 + x));
        }
        try (ChunkStore followed = Stores.openFollowingLinks(file)) {
            assertEquals(Shape.of(2, 1, 5, 7, 11), array(followed, "0").shape());
        }
        Path plan = temporary.resolve("plan.json");
        try (ChunkStore store = Stores.open(file);
                ChunkStore target = OmeZarr.create(out)) {
            JobFile.save(
                    Rechunker.from(store)
                            .to(target)
                            .chunks("2,1,5,7,3")
                            .maxMem("4MB")
                            .verify()
                            .plan(),
                    plan);
        }
        MicroscopySamples.runAndFinish(plan);
        check(Zarr.open(out), "0", (t, c, z, y, x) -> (int) (t * 500 + (z * 7 + y) * 11 + x));
        assertEquals(List.of("0", "1"), Zarr.open(out).children(""));
    }

    // ------------------------------------------------------------------ damage

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bdv.hdf5 | bdv.czi | images of the format \"bdv.czi\", but only bdv.hdf5 and bdv.n5",
                ">bdv.h5< | >../bdv.h5< | outside of its directory",
                ">bdv.h5< | >other.h5< | does not exist",
                "11 7 5 | 11 7 6 | without the elements of an image of (6, 7, 11)",
                "11 7 5 | 11 7 | not three positive numbers",
                "<last>1 | <last>2 | there is no node",
                "<last>1 | <last>-1 | its time points are 0 to -1",
                "<id>1</id><name>setup | <id>3</id><name>setup | there is no array with the factors of levels",
                "<channel>2 | <channel>1 | have the same channel",
                "<channel>2 | <channel>x | the channel of a setup is \"x\"",
                "</Timepoints> | </Timepoints><MissingViews><MissingView timepoint=\"1\" setup=\"0\"/></MissingViews>"
                        + " | setup 0 has no image of time point 1",
                "<SpimData version=\"0.2\"> | <!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><SpimData>&b; |"
                        + " a document type or an entity",
                "</SpimData> | </SpimDate> | is not well-formed XML",
            })
    void whatIsWrongIsNamed(String part, String instead, String message) throws Exception {
        Path file = document(document(HDF5, CHANNELS, RANGE).replace(part, instead));
        StoreException refusal = assertThrows(StoreException.class, () -> {
            try (ChunkStore store = Stores.open(file)) {
                store.node("");
                store.node("0");
                store.openReader("0").close();
            }
        });
        String said = String.valueOf(refusal.getMessage());
        if (!message.equals("there is no node")) {
            assertTrue(said.contains(message), said);
        }
        assertTrue(said.contains(temporary.toString()), said);
    }

    @Test
    void damagedDocumentsAreRefused() throws Exception {
        Path file = document("");
        byte[] valid = document(HDF5, CHANNELS, RANGE).getBytes(StandardCharsets.UTF_8);
        Fuzz.check(
                "bigdataviewer",
                500,
                64 << 20,
                temporary.toString(),
                random -> ByteMutator.mutate(List.of(valid), random),
                in -> {
                    Files.write(file, in);
                    try (ChunkStore store = BigDataViewer.open(file)) {
                        Walk.from(store, "", 6);
                    }
                });
    }

    @Test
    void lossesAreListed() throws Exception {
        try (ChunkStore store = Stores.open(document(document(HDF5, CHANNELS, RANGE)))) {
            List<String> losses = Loss.sentences(Rechunker.from(store)
                    .to(OmeZarr.create(temporary.resolve("o")))
                    .chunks("keep")
                    .maxMem("10MB")
                    .plan()
                    .losses());
            assertEquals(1, losses.size(), losses::toString);
        }
    }
}
