package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every block of Java in the documentation is code that is compiled and run: a piece of a test, or of an example that a
 * test runs, between {@code // snippet: name} and {@code // end snippet}. White space and comments may differ, and
 * {@code in("x.zarr")}, a path in the directory of the test, is {@code "x.zarr"} on the page.
 */
class SamplesTest {
    private static final Pattern SNIPPET = Pattern.compile("(?s)// snippet: (\\S+)\n(.*?)// end snippet\n");
    private static final Pattern PLACE = Pattern.compile("\\bin\\((\"[^\"]*\")\\)");

    /** {@return code without white space, comments, and calls of {@code in}} */
    private static String squeezed(String code) {
        return PLACE.matcher(code.replaceAll("(?m)(?<!:)//.*$", "").replaceAll("(?s)/\\*\\*.*?\\*/", ""))
                .replaceAll("$1")
                .replaceAll("\\s", "");
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : Page.MODULES) {
            try (Stream<Path> files = Files.walk(Page.ROOT.resolve(module).resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
            }
        }
        return sources;
    }

    /** {@return the code of snippets, by their names} */
    private static Map<String, String> snippets() throws IOException {
        Map<String, String> snippets = new LinkedHashMap<>();
        for (Path source : sources()) {
            for (Matcher found = SNIPPET.matcher(Files.readString(source)); found.find(); ) {
                assertEquals(null, snippets.put(found.group(1), squeezed(found.group(2))), found.group(1) + " twice");
            }
        }
        return snippets;
    }

    @Test
    void everySampleIsASnippetAndEverySnippetASample() throws IOException {
        Map<String, String> snippets = snippets();
        Set<String> unused = new LinkedHashSet<>(snippets.keySet());
        List<String> strangers = new ArrayList<>();
        for (Page page : Page.all()) {
            for (String sample : page.blocks("java")) {
                String code = squeezed(sample);
                if (!snippets.containsValue(code)) {
                    strangers.add(page + ":\n" + sample);
                }
                unused.removeIf(name -> code.equals(snippets.get(name)));
            }
        }
        assertEquals("", String.join("\n", strangers), "blocks that are not a snippet");
        assertEquals(Set.of(), unused, "snippets that no page shows");
    }

    @Test
    void everySnippetIsRunByATest() throws IOException {
        List<Path> sources = sources();
        for (Path source : sources) {
            String file = String.valueOf(source.getFileName());
            if (SNIPPET.matcher(Files.readString(source)).find() && !file.endsWith("Test.java")) {
                String name = file.replace(".java", "");
                boolean named = false;
                for (Path test : sources) {
                    named |= test.toString().endsWith("Test.java")
                            && Files.readString(test).contains(name);
                }
                assertTrue(named, "no test runs " + name);
            }
        }
    }
}
