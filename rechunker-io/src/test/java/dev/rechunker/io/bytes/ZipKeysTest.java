package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listings of zip files, which use an index of names. */
class ZipKeysTest {
    /** Names with characters that are sorted before and after the slash, and names that are prefixes of others. */
    private static final List<String> PARTS = List.of("a", "a-b", "a.b", "a0", "aa", "b", "\u00e9", "\ud83d\ude00");

    @TempDir
    Path temporary;

    private ZipKeys zip(Collection<String> names) throws IOException {
        Path file = Files.createTempFile(temporary, "names", ".zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.closeEntry();
            }
        }
        return ZipKeys.open(file);
    }

    /** {@return the listing by its definition, which visits every entry} */
    private static Listing listed(Collection<String> names, String prefix) {
        String start = prefix.isEmpty() ? "" : prefix + "/";
        TreeSet<String> values = new TreeSet<>();
        TreeSet<String> directories = new TreeSet<>();
        for (String name : names) {
            if (name.length() > start.length() && name.startsWith(start)) {
                String below = name.substring(start.length());
                int slash = below.indexOf('/');
                (slash < 0 ? values : directories).add(slash < 0 ? below : below.substring(0, slash));
            }
        }
        return new Listing(List.copyOf(values), List.copyOf(directories));
    }

    @Test
    void listsTheNamesBelowEachPrefix() throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            TreeSet<String> names = new TreeSet<>();
            TreeSet<String> prefixes = new TreeSet<>(List.of("", "c"));
            for (int i = random.nextInt(40); i >= 0; i--) {
                List<String> parts = new ArrayList<>();
                for (int depth = random.nextInt(4); depth >= 0; depth--) {
                    parts.add(PARTS.get(random.nextInt(PARTS.size())));
                    prefixes.add(String.join("/", parts));
                }
                names.add(String.join("/", parts) + (random.nextInt(5) == 0 ? "/" : ""));
            }
            List<String> shuffled = new ArrayList<>(names);
            Collections.shuffle(shuffled, random);
            try (ZipKeys keys = zip(shuffled)) {
                for (String prefix : prefixes) {
                    assertEquals(listed(names, prefix), keys.list(prefix), "seed " + seed + ", prefix " + prefix);
                }
            }
        }
    }

    /** The characters of each name are held as bytes by the JDK, and once more as text for listings. */
    @Test
    void memoryGrowsWithTheNames() throws IOException {
        try (ZipKeys none = zip(List.of());
                ZipKeys small = zip(List.of("a".repeat(10), "b".repeat(10)));
                ZipKeys large = zip(List.of("a".repeat(1010), "b".repeat(1010)))) {
            assertEquals(0, none.heldBytes());
            assertTrue(small.heldBytes() > 2 * (10 + Character.BYTES * 10));
            assertEquals(2 * (1000 + Character.BYTES * 1000), large.heldBytes() - small.heldBytes());
        }
    }

    @Test
    void malformedPrefixesAreRefused() throws IOException {
        try (ZipKeys keys = zip(List.of("a/b"))) {
            for (String prefix : List.of("..", "a/../a", "/a", "a//b", "a/")) {
                assertThrows(StoreException.class, () -> keys.list(prefix), prefix);
            }
        }
    }

    /** Listings that visited every entry would visit 10^10 of them. */
    @Test
    void listingsOfManyGroupsDoNotVisitAllEntries() throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            names.add("g" + i + "/.zgroup");
        }
        try (ZipKeys keys = zip(names)) {
            assertTimeout(Duration.ofMinutes(1), () -> {
                for (int i = 0; i < 100_000; i++) {
                    assertEquals(List.of(".zgroup"), keys.list("g" + i).values());
                }
            });
        }
    }
}
