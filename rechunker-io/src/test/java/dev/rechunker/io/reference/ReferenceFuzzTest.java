package dev.rechunker.io.reference;

import dev.rechunker.io.Stores;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.JsonMutator;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Malformed references are read or refused. */
class ReferenceFuzzTest {
    private static final String ARRAY =
            "{\"zarr_format\": 2, \"shape\": [6, 7], \"chunks\": [2, 4], \"dtype\": \"<u2\", \"fill_value\": 9,"
                    + " \"order\": \"C\", \"filters\": %s, \"compressor\": %s}";
    private static final String DELTA =
            "[{\"id\": \"imagecodecs_delta\", \"axis\": -1, \"dist\": 1, \"dtype\": \"<u2\"," + " \"shape\": [2, 4]}]";

    @TempDir
    Path directory = Path.of("");

    private static byte[] seed(String members) {
        return members.getBytes(StandardCharsets.UTF_8);
    }

    private static String array(String filters, String compressor) {
        return "\"a/.zarray\": " + String.format(ARRAY, filters, compressor)
                + ", \"a/0.0\": [\"{{u}}\", 3, 16], \"a/0.1\": [\"data.bin\", 0, 16],"
                + " \"a/1.0\": \"base64:AAECAwQFBgcICQoLDA0ODw==\", \"a/1.1\": [\"{{ f(c='data') }}\", 9, 16]";
    }

    private static final List<byte[]> SEEDS = List.of(
            seed("{\"version\": 1, \"templates\": {\"u\": \"data.bin\", \"f\": \"{{c}}.bin\"}, \"refs\": {"
                    + array("null", "null") + "}}"),
            seed("{\"version\": 1, \"templates\": {\"u\": \"data.bin\", \"f\": \"{{c}}.bin\"}, \"refs\": {"
                    + array(DELTA, "{\"id\": \"imagecodecs_packbits\"}") + "}}"),
            seed("{\"version\": 1, \"templates\": {\"u\": \"data.bin\", \"f\": \"{{c}}.bin\"}, \"refs\": {"
                    + array("null", "{\"id\": \"imagecodecs_lzw\"}") + "}}"),
            seed(
                    "{\"version\": 1, \"templates\": {\"u\": \"data.bin\"}, \"gen\": [{\"key\": \"a/{{i}}.{{j}}\", \"url\":"
                            + " \"{{u}}\", \"offset\": \"{{(i * 2 + j) * 16 % 50}}\", \"length\": \"16\", \"dimensions\":"
                            + " {\"i\": {\"stop\": 3}, \"j\": [0, 1]}}], \"refs\": {\"a/.zarray\": "
                            + String.format(ARRAY, "null", "null") + "}}"),
            seed("{\".zgroup\": {\"zarr_format\": 2}, " + array("null", "null") + "}"));

    @Test
    void malformedDocumentsAreReadOrRefused() throws IOException {
        byte[] bytes = new byte[200];
        new Random(7).nextBytes(bytes);
        Files.write(directory.resolve("data.bin"), bytes);
        Path lie = directory.resolve("lie.json");
        Fuzz.check(
                "references",
                1000,
                1 << 30,
                lie.toString(),
                random ->
                        random.nextInt(4) == 0 ? ByteMutator.mutate(SEEDS, random) : JsonMutator.mutate(SEEDS, random),
                input -> {
                    Files.write(lie, input);
                    try (ChunkStore store = random(input) ? References.open(lie) : Stores.open(lie)) {
                        Walk.from(store, "", 300);
                    }
                });
    }

    private static boolean random(byte[] input) {
        return input.length % 2 == 0;
    }
}
