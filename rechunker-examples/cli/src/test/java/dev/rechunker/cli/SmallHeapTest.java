package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.ChildJvm.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes whose heap is too small, or hardly large enough, for hundreds of thousands of tiny chunks: each ends, with
 * the right data, or with status 3 and a message that names the setting.
 */
class SmallHeapTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Shape SHAPE = Shape.of(250, 800);

    @TempDir
    static Path temp = Path.of("");

    @BeforeAll
    static void write() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(250, 100)), DataType.UINT8)
                .codecs(CodecSpec.parse("zstd:level=1"))
                .build();
        byte[] elements = new byte[Math.toIntExact(spec.bytes())];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = (byte) (i % 251 + 1);
        }
        Fixtures.write(temp.resolve("encoded"), "", spec, elements);
        Fixtures.write(
                temp.resolve("plain"), "", spec.toBuilder().codecs(List.of()).build(), elements);
    }

    @ParameterizedTest
    @CsvSource({"encoded, 14", "encoded, 20", "encoded, 28", "encoded, 128", "plain, 16", "plain, 24"})
    void everyRunEnds(String source, int heap) throws IOException, InterruptedException {
        Path target = temp.resolve(source + heap + ".h5");
        Outcome outcome = ChildJvm.run(
                ChildJvm.of(
                        List.of("-Xmx" + heap + "m", "-XX:MaxDirectMemorySize=32m", "-XX:TieredStopAtLevel=1"),
                        Rechunk.class,
                        "copy",
                        temp.resolve(source).toString(),
                        target.toString(),
                        "--chunks=1,2",
                        "--max-mem=8MB",
                        "--threads=2"),
                temp.resolve("output"),
                LIMIT);
        if (outcome.exit() == 0) {
            Cli same = Cli.run("verify", temp.resolve(source).toString(), target + "#data", "--max-mem=64MB");
            assertEquals(0, same.status(), same.out() + same.err());
        } else {
            assertEquals(Rechunk.FAILED, outcome.exit(), outcome.output());
            assertTrue(outcome.output().contains("allow more with -Xmx"), outcome.output());
        }
    }

    @Test
    void missingDirectMemoryIsNamed() throws IOException, InterruptedException {
        Outcome outcome = ChildJvm.run(
                ChildJvm.of(
                        List.of("-Xmx64m", "-XX:MaxDirectMemorySize=200k", "-XX:TieredStopAtLevel=1"),
                        Rechunk.class,
                        "copy",
                        temp.resolve("encoded").toString(),
                        temp.resolve("direct.h5").toString(),
                        "--chunks=250,800",
                        "--max-mem=8MB"),
                temp.resolve("output"),
                LIMIT);
        assertEquals(Rechunk.FAILED, outcome.exit(), outcome.output());
        assertTrue(outcome.output().contains("-XX:MaxDirectMemorySize"), outcome.output());
    }
}
