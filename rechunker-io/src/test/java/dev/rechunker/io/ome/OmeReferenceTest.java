package dev.rechunker.io.ome;

import static dev.rechunker.io.ome.Samples.elements;
import static dev.rechunker.io.ome.Samples.holding;
import static dev.rechunker.io.ome.Samples.job;
import static dev.rechunker.io.ome.Samples.spec;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ngff-zarr and ome-zarr.js open images that we write, and every group is valid by a schema of the specification. */
@ReferenceTest
class OmeReferenceTest {
    @TempDir
    Path temporary;

    private Path resource(String name) throws IOException {
        Path file = temporary.resolve(name);
        if (!Files.exists(file)) {
            try (InputStream in = Objects.requireNonNull(OmeReferenceTest.class.getResourceAsStream("/ome/" + name))) {
                Files.copy(in, file);
            }
        }
        return file;
    }

    /** {@return the results of the reference implementations for images, after comparing the levels that they read} */
    private JsonObject runReference(Path container, OmeVersion version, int groups, String... images) throws Exception {
        String modules = Objects.requireNonNull(
                System.getenv("RECHUNKER_NODE_MODULES"),
                "RECHUNKER_NODE_MODULES is not set; it names the directory with node_modules of the reference implementations");
        Path link = temporary.resolve("node_modules");
        if (!Files.exists(link)) {
            Files.createSymbolicLink(link, Path.of(modules).resolve("node_modules"));
        }
        Path dumps = Files.createTempDirectory(temporary, "dumps");
        List<String> command = new ArrayList<>(List.of(
                "node",
                resource("reference.mjs").toString(),
                resource("groups.schema.json").toString(),
                container.toString(),
                version.number(),
                dumps.toString()));
        command.addAll(List.of(images));
        Path log = dumps.resolve("reference.log");
        Process process = new ProcessBuilder(command)
                .directory(temporary.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = process.waitFor();
        Files.delete(link);
        assertEquals(0, status, Files.readString(log));
        JsonObject said = JsonParser.parseString(Files.readString(dumps.resolve("images.json")))
                .getAsJsonObject();
        assertEquals(groups, said.get("groups").getAsInt());
        ChunkStore store = Zarr.open(container);
        for (String image : images) {
            JsonObject found = said.getAsJsonObject("images").getAsJsonObject(image);
            assertEquals(version.number(), found.get("version").getAsString());
            for (JsonElement level : found.getAsJsonArray("levels")) {
                String name = level.getAsJsonObject().get("path").getAsString();
                Path dump = dumps.resolve((image + "/" + name).replace('/', '~') + ".bin");
                String path = image.equals(".") ? name : image + "/" + name;
                assertArrayEquals(elements(store, path), Files.readAllBytes(dump), path);
            }
        }
        return said.getAsJsonObject("images");
    }

    private static JsonObject level(JsonObject images, String image, int level) {
        return images.getAsJsonObject(image).getAsJsonArray("levels").get(level).getAsJsonObject();
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void anImageOfAnotherWriterIsRead(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out");
        Rechunker.from(Zarr.open(Samples.fixture(temporary)))
                .to(OmeZarr.create(out, version))
                .chunks("1, 2, 5, 6, 26")
                .maxMem("10MB")
                .execute();
        JsonObject images = runReference(out, version, 1, ".");
        assertEquals(
                "[\"t\",\"c\",\"z\",\"y\",\"x\"]",
                images.getAsJsonObject(".").get("axes").toString());
        assertEquals(
                "{\"t\":1,\"c\":1,\"z\":4,\"y\":1,\"x\":1}",
                level(images, ".", 1).get("scale").toString());
        assertEquals(
                "{\"t\":0,\"c\":0,\"z\":1,\"y\":0.25,\"x\":0.25}",
                level(images, ".", 1).get("translation").toString());
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void aPlateWithLabelsIsRead(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out");
        job(Samples.plate(), OmeZarr.create(out, version)).execute();
        JsonObject images = runReference(out, version, 7, "A/1/0", "A/1/0/labels/cells");
        assertEquals("[2,1,4,6,5]", level(images, "A/1/0", 1).get("shape").toString());
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void newLevelsAreRead(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out");
        job(Samples.plate(), OmeZarr.create(out, version))
                .levels(Levels.auto().count(3))
                .execute();
        JsonObject images = runReference(out, version, 7, "A/1/0", "A/1/0/labels/cells");
        for (String image : List.of("A/1/0", "A/1/0/labels/cells")) {
            JsonObject level = level(images, image, 2);
            assertEquals("[2,1,4,3,3]", level.get("shape").toString());
            assertEquals(
                    "{\"t\":1,\"c\":1,\"z\":2,\"y\":2,\"x\":2}",
                    level.get("scale").toString());
            assertEquals(
                    "{\"t\":0,\"c\":0,\"z\":0,\"y\":0.75,\"x\":0.75}",
                    level.get("translation").toString());
        }
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void imagesOfMicroscopesAreRead(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out");
        Rechunker.from(Fixtures.resource("microscopy/cells.ims", temporary))
                .to(OmeZarr.create(out, version))
                .chunks("1,1,2,4,8")
                .maxMem("10MB")
                .levels(Levels.auto().count(2))
                .execute();
        JsonObject level = level(runReference(out, version, 1, "."), ".", 1);
        assertEquals(
                "{\"t\":2.5,\"c\":1,\"z\":2,\"y\":0.5,\"x\":0.5}",
                level.get("scale").toString());
        assertEquals(
                "{\"t\":0,\"c\":0,\"z\":0,\"y\":-1.875,\"x\":10.125}",
                level.get("translation").toString());
    }

    @ParameterizedTest
    @EnumSource(OmeVersion.class)
    void aNewImageIsRead(OmeVersion version) throws Exception {
        Path out = temporary.resolve("out");
        Rechunker.Job job = Rechunker.from(
                        holding("raw", spec(Shape.of(7, 11, 13)).build()))
                .to(OmeZarr.create(out, version)
                        .axes("z", "y", "x")
                        .scale(2, 0.5, 0.25)
                        .units("um", "um", "nm"))
                .chunks(2, 3, 4)
                .maxMem("10MB");
        (version == OmeVersion.V0_5 ? job.shards("4, 6, 8") : job).execute();
        JsonObject level = level(runReference(out, version, 2, "raw"), "raw", 0);
        assertEquals("{\"z\":2,\"y\":0.5,\"x\":0.25}", level.get("scale").toString());
        assertEquals(
                "{\"z\":\"micrometer\",\"y\":\"micrometer\",\"x\":\"nanometer\"}",
                level.get("units").toString());
    }
}
