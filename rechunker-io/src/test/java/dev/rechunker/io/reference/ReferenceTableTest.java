package dev.rechunker.io.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.Listing;
import dev.rechunker.testing.Cases;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A table has the keys that were added, in any order. */
class ReferenceTableTest {
    private static final String[] NAMES = {"a", "b", "a.0", "a0", "0.1", "é", ".zarray", "x-y", "x"};

    @Test
    void keysAreThoseThatWereAdded() {
        Cases.check(300, cases -> {
            Map<String, String> added = new TreeMap<>();
            ReferenceTable.Builder builder = new ReferenceTable.Builder("refs.json");
            int count = (int) cases.between(0, 40);
            for (int i = 0; i < count; i++) {
                StringBuilder key = new StringBuilder(NAMES[(int) cases.between(0, NAMES.length - 1)]);
                for (long depth = cases.between(0, 2); depth > 0; depth--) {
                    key.append('/').append(NAMES[(int) cases.between(0, NAMES.length - 1)]);
                }
                if (added.putIfAbsent(key.toString(), "v" + i) == null) {
                    if (i % 2 == 0) {
                        builder.add(key.toString(), ("v" + i).getBytes(StandardCharsets.UTF_8));
                    } else {
                        builder.add(key.toString(), "v" + i, i, i);
                    }
                }
            }
            ReferenceTable table = builder.build();
            for (String key : added.keySet()) {
                assertEquals(added.get(key), value(table, key));
                assertTrue(table.find(key + "?").isEmpty());
            }
            for (String prefix : new String[] {"", "a", "b", "a.0", "x", "a/a", "none"}) {
                assertEquals(listing(added, prefix), table.list(prefix));
            }
        });
    }

    private static String value(ReferenceTable table, String key) {
        Optional<ReferenceTable.Target> found = table.find(key);
        if (found.orElseThrow() instanceof ReferenceTable.Inline inline) {
            ByteBuffer bytes = inline.bytes();
            return StandardCharsets.UTF_8.decode(bytes).toString();
        }
        ReferenceTable.Range range = (ReferenceTable.Range) found.get();
        return table.files().get(range.file());
    }

    private static Listing listing(Map<String, String> added, String prefix) {
        String start = prefix.isEmpty() ? "" : prefix + "/";
        TreeSet<String> values = new TreeSet<>();
        TreeSet<String> directories = new TreeSet<>();
        for (String key : added.keySet()) {
            if (key.startsWith(start)) {
                String rest = key.substring(start.length());
                int slash = rest.indexOf('/');
                (slash < 0 ? values : directories).add(slash < 0 ? rest : rest.substring(0, slash));
            }
        }
        return new Listing(values.stream().toList(), directories.stream().toList());
    }
}
