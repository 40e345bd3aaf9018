package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests and kits that pages name, as {@code `RoundTripTest`} or {@code `RoundTripTest.method`}, exist. */
class LedgerTest {
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*(?:Test|Contract|Store|Main))(?:\\.([a-z]\\w*))?`");

    /** {@return the texts of all classes of tests and kits, by their names; several may have the same one} */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new HashMap<>();
        List<Path> sources = new ArrayList<>(List.of(Path.of("rechunker-core/testkit/src/main")));
        Page.MODULES.forEach(module -> sources.add(Path.of(module, "src", "test")));
        for (Path source : sources) {
            try (Stream<Path> files = Files.walk(Page.ROOT.resolve(source))) {
                for (Path file :
                        (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                    String name = String.valueOf(file.getFileName()).replace(".java", "");
                    tests.merge(name, Files.readString(file), String::concat);
                }
            }
        }
        return tests;
    }

    @Test
    void everyNamedTestExists() throws IOException {
        Map<String, String> tests = tests();
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Page page : Page.all()) {
            boolean ledger = page.file().endsWith("correctness.md");
            for (Matcher name = NAME.matcher(page.text()); name.find(); ) {
                if (!ledger && !name.group(1).endsWith("Test")) {
                    continue;
                }
                named++;
                String text = tests.get(name.group(1));
                String method = name.group(2);
                if (text == null || (method != null && !text.contains(" " + method + "("))) {
                    missing.add(page + ": " + name.group());
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(named > 50, named + " names");
    }

    @Test
    void everyPromiseNamesATest() throws IOException {
        String ledger = Page.read(Page.DOCS.resolve("correctness.md")).text();
        List<String> bare = ledger.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| promise"))
                .filter(line -> !NAME.matcher(line).find())
                .toList();
        assertEquals(List.of(), bare);
    }
}
