package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the library really allocates, by the growth of the process. Levels ascend, so that none finds memory that
 * another has left behind.
 */
class ZstdBlocksTest {
    /** What else may grow meanwhile: compiled code and the heap. */
    private static final long NOISE = 24L << 20;

    @ParameterizedTest
    @CsvSource({"1, 1048576, 300", "3, 1048576, 150", "4, 1048576, 80", "9, 1048576, 20"})
    @EnabledOnOs(OS.LINUX)
    void contextsHoldNoMoreThanIsCounted(int level, int size, int contexts) throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(size);
        Random random = new Random(level);
        while (source.hasRemaining()) {
            // Values that repeat now and then, so that there are literals and sequences.
            source.put((byte) (random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(4)));
        }
        ByteBuffer target = ByteBuffer.allocateDirect(size + size / 128 + 1024);
        try (ZstdBlocks first = new ZstdBlocks(level, false)) {
            first.compress(source, 0, size, target, 0);
        }
        List<ZstdBlocks> all = new ArrayList<>();
        long before = residentBytes();
        try {
            for (int i = 0; i < contexts; i++) {
                ZstdBlocks blocks = new ZstdBlocks(level, false);
                all.add(blocks);
                blocks.compress(source, 0, size, target, 0);
            }
            long each = (residentBytes() - before) / contexts;
            long counted = all.get(0).compressionMemory(size);
            assertTrue(each <= counted + NOISE / contexts, () -> each + " held, " + counted + " counted");
            assertTrue(each > counted / 16, () -> "nothing is measured: " + each + " of " + counted);
        } finally {
            all.forEach(ZstdBlocks::close);
        }
    }

    private static long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
