package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests declared memory against memory that the library allocates, which is measured as the growth of a process. */
class ZstdBlocksTest {
    /** The largest growth for other reasons: compiled code and the heap. */
    private static final long NOISE = 24L << 20;

    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "1, 131072, 200",
        "1, 1048576, 200",
        "3, 1048576, 100",
        "4, 1048576, 80",
        "5, 262144, 80",
        "9, 1048576, 20",
        "15, 524288, 20",
        "19, 524288, 12"
    })
    @EnabledOnOs(OS.LINUX)
    void contextsTakeNoMoreThanDeclared(int level, int size, int contexts) throws Exception {
        long each = grownFor(ZstdMemoryMain.class, level, size, contexts);
        try (ZstdBlocks blocks = new ZstdBlocks(level, false)) {
            long counted = blocks.compressionMemory(size);
            assertTrue(each <= counted + NOISE / contexts, () -> each + " in use, " + counted + " declared");
            assertTrue(each >= counted / 8, () -> "nothing is measured: " + each + " of " + counted);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 9000000, 40", "19, 9000000, 20"})
    @EnabledOnOs(OS.LINUX)
    void windowsTakeNoMoreThanDeclared(int level, int size, int chunks) throws Exception {
        long each = grownFor(ZstdWindowMain.class, level, size, chunks);
        long counted = ZstdFrames.MEMORY + WholeStreamDecoder.INPUT + WholeStreamDecoder.OUTPUT;
        assertTrue(each <= counted + NOISE / chunks, () -> each + " in use, " + counted + " declared");
        assertTrue(level < 19 || each >= counted / 2, () -> "nothing is measured: " + each + " of " + counted);
    }

    private long grownFor(Class<?> main, int level, int size, int contexts) throws Exception {
        ProcessBuilder process = ChildJvm.of(List.of("-Xmx64m"), main, "" + level, "" + size, "" + contexts);
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("output.txt"), Duration.ofMinutes(2));
        assertEquals(0, outcome.exit(), outcome::output);
        String[] lines = outcome.output()
                .strip()
                .split("\\R"); // the last line, because JVMs can print warnings about native libraries before it
        return Long.parseLong(lines[lines.length - 1]);
    }
}
