package dev.rechunker.distribution;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of the whole process, as the operating system sees it, exceeds the limit by at most 150 MB. */
class ResidentMemoryTest {
    private static final long LIMIT = 100_000_000;
    private static final long JVM = 150_000_000;

    @TempDir
    static Path temp = Path.of("");

    /** Writes columns, which become rows: each row needs all columns, so that a copy uses all the memory it may. */
    @BeforeAll
    static void write() throws IOException, InterruptedException {
        Shape shape = Shape.of(8000, 6000);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(8000, 20)), DataType.FLOAT32)
                .codecs(CodecSpec.parse("zstd:level=1"))
                .build();
        try (ChunkStore target = Zarr.create(temp.resolve("columns.zarr"))) {
            Rechunker.from(RampSource.of(spec))
                    .to(target)
                    .chunks(8000, 20)
                    .maxMem("200MB")
                    .execute();
        }
    }

    @Test
    void theProcessStaysNearTheLimit() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "this system does not say how much memory is resident");
        Installed rechunk = Installed.unpack(Path.of(System.getProperty("archive") + ".tar.gz"), temp);
        Path output = temp.resolve("output");
        Process process = rechunk.start(
                output,
                "copy",
                temp.resolve("columns.zarr").toString(),
                temp.resolve("rows.zarr").toString(),
                "--chunks=20,-1",
                "--verify",
                "--threads=4",
                "--max-mem=" + LIMIT);
        long most = 0;
        while (process.isAlive()) {
            most = Math.max(most, peak(process.pid()).orElse(0));
            Thread.sleep(5);
        }
        String printed = Installed.outcome(process, output).requireDone().out();
        assertTrue(printed.contains("verified: "), printed);
        assertTrue(most > LIMIT && most <= LIMIT + JVM, most + " bytes\n" + printed);
    }

    private static OptionalLong peak(long process) {
        try {
            return Files.readString(Path.of("/proc/" + process + "/status"))
                    .lines()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty(); // it has ended
        }
    }
}
