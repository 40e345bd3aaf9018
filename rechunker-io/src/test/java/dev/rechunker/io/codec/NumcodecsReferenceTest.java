package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.ReferenceTest;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that numcodecs decodes our chunks, with all codecs that it has. */
@ReferenceTest
class NumcodecsReferenceTest {
    private static final String PYTHON = "/usr/bin/python3";

    private static final String SCRIPT = """
        import json, sys
        import numcodecs
        import numpy as np
        bad = 0
        for case in json.load(open(sys.argv[1])):
            data = open(case["encoded"], "rb").read()
            expected = open(case["decoded"], "rb").read()
            try:
                for config in reversed(case["codecs"]):
                    data = numcodecs.get_codec(config).decode(data)
                data = data.tobytes() if isinstance(data, np.ndarray) else bytes(data)
            except Exception as e:
                data = repr(e).encode()
            if data != expected:
                bad += 1
                print("WRONG", case["codecs"], len(expected), len(data), data[:60])
        sys.exit(1 if bad else 0)
        """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final List<Map<String, Object>> cases = new ArrayList<>();

    @Test
    void numcodecsDecodesOurChunks() throws IOException, InterruptedException {
        Random random = new Random(30);
        for (CodecSpec spec : RoundTripTest.compressors()) {
            boolean known = !spec.name().equals("lz4block")
                    // of newer releases; see Zarr3CodecsReferenceTest
                    && !Set.of("crc32c", "fletcher32", "jenkins_lookup3").contains(spec.name())
                    && !spec.options().containsKey("location")
                    && !spec.options().containsKey("useZlib")
                    && !spec.options().containsKey("checksum");
            for (DataType type : known
                    ? List.of(DataType.UINT8, DataType.INT16, DataType.FLOAT32, DataType.FLOAT64)
                    : List.<DataType>of()) {
                for (int count : new int[] {1, 31, 33, 500, 20_000 + random.nextInt(20), 90_001}) {
                    String pattern = List.of("mixed", "noise", "steps").get(random.nextInt(3));
                    NumberType number =
                            NumberType.of(type, ByteOrder.LITTLE_ENDIAN).orElseThrow();
                    add(List.of(spec), Chunks.line(type, count), Chunks.elements(pattern, number, count));
                }
            }
        }
        for (GoldenTest.Golden golden : GoldenTest.all()) {
            boolean filter = golden.codecs().stream().anyMatch(codec -> "bitround".equals(codec.get("id")));
            if (!filter) {
                add(golden.specs(), golden.context(), golden.elements());
            }
        }
        runReference();
    }

    private void add(List<CodecSpec> specs, ElementContext context, byte[] decoded) throws IOException {
        List<Map<String, Object>> configs = new ArrayList<>();
        for (CodecSpec spec : specs) {
            Map<String, Object> config = new LinkedHashMap<>();
            config.put("id", spec.name());
            spec.options().forEach((key, value) -> {
                if (value != null) {
                    config.put(key, value);
                }
            });
            configs.add(config);
        }
        Path encodedFile = folder.resolve(cases.size() + ".encoded");
        Path decodedFile = folder.resolve(cases.size() + ".decoded");
        try (CodecChain chain = Codecs.chain(specs, context)) {
            byte[] encoded = Chunks.encode(chain, decoded);
            Files.write(encodedFile, encoded);
            Files.write(decodedFile, Chunks.decode(chain, encoded));
        }
        cases.add(Map.of("codecs", configs, "encoded", encodedFile.toString(), "decoded", decodedFile.toString()));
    }

    private void runReference() throws IOException, InterruptedException {
        Path index = folder.resolve("index.json");
        Files.writeString(index, new Gson().toJson(cases));
        Path output = folder.resolve("output");
        Process python = new ProcessBuilder(PYTHON, "-W", "ignore", "-c", SCRIPT, index.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertTrue(python.waitFor(5, TimeUnit.MINUTES), "Python is still running");
        assertEquals(0, python.exitValue(), () -> read(output));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
