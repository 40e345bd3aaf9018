package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Prints the growth of the process per context. It runs in a new process, whose memory is not used yet. */
final class ZstdMemoryMain {
    private ZstdMemoryMain() {}

    /** Runs the program. Arguments: a level, the size of the input, and the number of contexts. */
    public static void main(String[] args) throws Exception {
        int level = Integer.parseInt(args[0]);
        int size = Integer.parseInt(args[1]);
        int contexts = Integer.parseInt(args[2]);
        ByteBuffer source = ByteBuffer.allocateDirect(size);
        Random random = new Random(level);
        while (source.hasRemaining()) {
            // Some values repeat, so that there are literals and sequences.
            source.put((byte) (random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(4)));
        }
        ByteBuffer target = ByteBuffer.allocateDirect(size + size / 128 + 1024);
        List<ZstdBlocks> all = new ArrayList<>();
        long before = 0;
        for (int i = 0; i <= contexts; i++) {
            ZstdBlocks blocks = new ZstdBlocks(level, false);
            all.add(blocks);
            blocks.compress(source, 0, size, target, 0);
            before = i == 0 ? residentBytes() : before; // after the library is loaded
        }
        System.out.println((residentBytes() - before) / contexts);
        all.forEach(ZstdBlocks::close);
    }

    static long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
