package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The copies of native code that compression libraries unpack into the directory of temporary files.
 *
 * <p>The libraries delete their copies when the JVM ends, but not if it is killed. On Linux, code that is loaded needs
 * its file no longer, so the files are deleted at once.
 */
final class NativeCopies {
    private static final Path LOADED = Path.of("/proc/self/maps");

    /** The names of the copies: lz4-java, zstd-jni and snappy-java. */
    private static final Pattern COPY =
            Pattern.compile("/\\S.*/(?:liblz4-java-\\d+|libzstd-jni-[\\d.-]+|snappy-[\\w.-]+-libsnappyjava)[.]so$");

    /** The libraries whose copies are deleted. */
    private static final Set<Library> DELETED = ConcurrentHashMap.newKeySet();

    private NativeCopies() {}

    /**
     * Deletes the copies of a library that this process has just loaded, the first time it is called. Does nothing on
     * other systems than Linux.
     */
    static void deleteThoseOf(Library library) {
        if (DELETED.add(library)) {
            deleteAll();
        }
    }

    private static void deleteAll() {
        List<String> maps;
        try {
            maps = Files.readAllLines(LOADED, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return; // not Linux, so they stay until the JVM ends
        }
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        maps.stream()
                .distinct()
                .map(COPY::matcher)
                .filter(Matcher::find)
                .map(Matcher::group)
                .distinct()
                .forEach(name -> {
                    Path file = Path.of(name);
                    if (temporary.equals(file.getParent())) {
                        delete(file);
                        delete(file.resolveSibling(file.getFileName() + ".lck"));
                    }
                });
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // the library will try it again when the JVM ends
        }
    }
}
