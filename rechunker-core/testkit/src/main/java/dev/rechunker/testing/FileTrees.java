package dev.rechunker.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Comparison of directories of files, byte by byte. */
public final class FileTrees {
    private FileTrees() {}

    /** {@return the contents of all files in a directory and below, by relative path} */
    public static Map<String, byte[]> files(Path directory) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) found.filter(Files::isRegularFile)::iterator) {
                files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    /**
     * {@return the relative paths of the files that differ or are in only one of the directories}
     *
     * @throws AssertionError if the first directory has no files, so that nothing would be compared
     */
    public static List<String> differences(Path a, Path b) throws IOException {
        Map<String, byte[]> first = files(a);
        Map<String, byte[]> second = files(b);
        if (first.isEmpty()) {
            throw new AssertionError("there are no files in " + a);
        }
        List<String> differences = new ArrayList<>();
        first.forEach((name, bytes) -> {
            byte[] other = second.remove(name);
            if (other == null || !Arrays.equals(bytes, other)) {
                differences.add(name);
            }
        });
        differences.addAll(second.keySet());
        return differences;
    }
}
