package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every block of Java in the documentation is code that is compiled and run: a piece of a test, or of an example that a
 * test runs, between {@code // snippet: name} and {@code // end snippet}. White space and comments may differ, and
 * {@code in("x.zarr")}, a path in the directory of the test, is {@code "x.zarr"} on the page.
 *
 * <p>A block begins with the imports that it needs, so that it can be pasted. With {@code -Drechunker.samples=write}
 * the imports are written to the pages.
 */
class SamplesTest {
    private static final Pattern SNIPPET = Pattern.compile("(?s)// snippet: (\\S+)\n(.*?)// end snippet\n");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import ([\\w.]+);\n");

    /** Names of types, those left out that are in another one. */
    private static final Pattern TYPE = Pattern.compile("(?<![.\\w])[A-Z]\\w*");

    /** What readers write themselves. */
    private static final String OF_THE_PAGE = "dev.rechunker.examples.";

    private static final boolean WRITE = "write".equals(System.getProperty("rechunker.samples"));
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

    /**
     * A piece of code.
     *
     * @param imports the names of types that it needs, sorted
     * @param code its code, without white space and comments
     */
    private record Snippet(SortedSet<String> imports, String code) {
        /** {@return a piece of a source file} */
        static Snippet of(String text, String piece) {
            Map<String, String> known = new HashMap<>();
            IMPORT.matcher(text).results().map(found -> found.group(1)).forEach(name -> known.put(simple(name), name));
            String home = text.substring("package ".length(), text.indexOf(';'));
            String plain = piece.replaceAll("(?m)//.*$", "").replaceAll("\"[^\"\n]*\"", "\"\"");
            SortedSet<String> imports = new TreeSet<>();
            for (Matcher name = TYPE.matcher(plain); name.find(); ) {
                String type = name.group();
                String full = known.getOrDefault(type, home + "." + type);
                boolean declared = plain.matches("(?s).*\\b(class|record|interface|enum) " + type + "\\b.*");
                if (!declared && !full.startsWith(OF_THE_PAGE) && (known.containsKey(type) || exists(full))) {
                    imports.add(full);
                }
            }
            return new Snippet(imports, squeezed(piece));
        }

        private static String simple(String name) {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        private static boolean exists(String type) {
            String file = type.replace('.', '/') + ".java";
            return Page.MODULES.stream()
                    .anyMatch(module -> Files.exists(
                            Page.ROOT.resolve(module).resolve("src/main/java").resolve(file)));
        }

        /** {@return the imports, as a block begins with them} */
        String declarations() {
            String lines =
                    imports.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining());
            return lines.isEmpty() ? "" : lines + "\n";
        }
    }

    /** {@return the snippets, by their names} */
    private static Map<String, Snippet> snippets() throws IOException {
        Map<String, Snippet> snippets = new LinkedHashMap<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            for (Matcher found = SNIPPET.matcher(text); found.find(); ) {
                Snippet snippet = Snippet.of(text, found.group(2));
                assertEquals(null, snippets.put(found.group(1), snippet), found.group(1) + " twice");
            }
        }
        return snippets;
    }

    @Test
    void everySampleIsASnippetAndEverySnippetASample() throws IOException {
        Map<String, Snippet> snippets = snippets();
        Set<String> unused = new LinkedHashSet<>(snippets.keySet());
        List<String> strangers = new ArrayList<>();
        List<String> imports = new ArrayList<>();
        for (Page page : Page.all()) {
            String text = page.text();
            for (String sample : page.blocks("java")) {
                String body = IMPORT.matcher(sample).replaceAll("").stripLeading();
                Optional<Map.Entry<String, Snippet>> shown = snippets.entrySet().stream()
                        .filter(each -> each.getValue().code().equals(squeezed(body)))
                        .findFirst();
                if (shown.isEmpty()) {
                    strangers.add(page + ":\n" + sample);
                    continue;
                }
                unused.remove(shown.get().getKey());
                String whole = shown.get().getValue().declarations() + body;
                if (!whole.equals(sample)) {
                    imports.add(page + ":\n" + whole);
                    text = text.replace("```java\n" + sample, "```java\n" + whole);
                }
            }
            if (WRITE) {
                Files.writeString(Page.ROOT.resolve(page.file()), text);
            }
        }
        assertEquals("", String.join("\n", strangers), "blocks that are not a snippet");
        assertEquals(Set.of(), unused, "snippets that no page shows");
        assertTrue(WRITE || imports.isEmpty(), () -> "blocks with other imports: " + String.join("\n", imports));
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
