package dev.rechunker.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this checkout, and of small ones that are not right. */
class SiteTest {
    static final Path ROOT = Path.of("..", "..");
    private static final Pattern REFERENCE = Pattern.compile("<(\\w+)[^>]*? (?:href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");

    @TempDir
    static Path temp = Path.of("");

    private static Path site = Path.of("");

    @BeforeAll
    static void write() throws IOException {
        Path javadoc = Files.createDirectories(temp.resolve("javadoc"));
        Files.writeString(javadoc.resolve("index.html"), "<p>Javadoc");
        site = temp.resolve("site");
        Site.write(ROOT, site, "1.2.3", javadoc);
    }

    private static List<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyReferenceLeadsToAFileAndAnAnchorOfTheSite() throws IOException {
        List<String> broken = new ArrayList<>();
        int checked = 0;
        for (Path page : files(site, ".html")) {
            for (MatchResult reference :
                    REFERENCE.matcher(Files.readString(page)).results().toList()) {
                String link = reference.group(2);
                if (link.contains(":")) {
                    assertTrue(reference.group(1).equals("a") || link.equals("data:,"), page + " loads " + link);
                    continue;
                }
                checked++;
                String[] parts = link.split("#", 2);
                Path file = parts[0].isEmpty()
                        ? page
                        : page.resolveSibling(parts[0]).normalize();
                if (!Files.isRegularFile(file)
                        || (parts.length > 1 && !ids(file).contains(parts[1]))) {
                    broken.add(site.relativize(page) + ": " + link);
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(checked > 2000, checked + " references");
    }

    private static Set<String> ids(Path page) throws IOException {
        return ID.matcher(Files.readString(page))
                .results()
                .map(id -> id.group(1))
                .collect(Collectors.toSet());
    }

    /** Pages have to work without a network. */
    @Test
    void nothingIsLoadedFromElsewhere() throws IOException {
        for (String name : List.of("site.css", "site.js")) {
            assertFalse(Files.readString(site.resolve(name)).matches("(?s).*(https?:|//[a-z]|@import|url\\().*"), name);
        }
    }

    @Test
    void everyPageIsInTheMenuAndInTheSearch() throws IOException {
        Set<String> menu = new TreeSet<>();
        String page = Files.readString(site.resolve("index.html"));
        String nav = page.substring(page.indexOf("<nav"), page.indexOf("</nav>"));
        REFERENCE.matcher(nav).results().forEach(link -> menu.add(link.group(2).replaceFirst("#.*", "")));
        menu.remove("");
        String index = Files.readString(site.resolve("search-index.js"));
        Set<String> pages = new TreeSet<>();
        for (Path file : files(ROOT.resolve("docs"), ".md")) {
            pages.add(ROOT.relativize(file).toString().replaceFirst("\\.md$", ".html"));
        }
        pages.addAll(List.of("index.html", "CHANGELOG.html", "CONTRIBUTING.html", "SECURITY.html"));
        assertEquals(pages, menu);
        for (String each : pages) {
            assertTrue(index.contains("\"link\":\"" + each), each);
        }
    }

    @Test
    void javadocIsLinkedIfItIsThere() throws IOException {
        assertTrue(Files.exists(site.resolve("api/index.html")));
        assertTrue(
                Files.readString(site.resolve("docs/java.html")).contains("<a href=\"../api/index.html\">Javadoc</a>"));
        Path other = temp.resolve("other");
        Site.write(ROOT, other, "1.2.3", temp.resolve("none"));
        assertFalse(Files.exists(other.resolve("api")));
        assertFalse(Files.readString(other.resolve("docs/java.html")).contains("api/"));
        Site.write(ROOT, other, "1.2.3", temp.resolve("none")); // in place of what is there
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        Page page = Page.of(Path.of("a.md"), """
                # The `copy` command: a--b_c (2nd)

                ## [A link](b.md), *marked*

                ## Twice

                ## Twice

                ## Größe, 大小 & 100%
                """);
        assertEquals(
                List.of("the-copy-command-a--b_c-2nd", "a-link-marked", "twice", "twice-1", "größe-大小--100"),
                List.copyOf(page.anchors().values()));
        assertEquals("The copy command: a--b_c (2nd)", page.title());
    }

    @Test
    void textIsEscapedAndTablesAreScrolled() {
        String html = Page.of(Path.of("a.md"), "# A < B\n\n|a|b|\n|---|---|\n|`<x>`|y|\n")
                .html();
        assertTrue(html.contains("A &lt; B") && html.contains("&lt;x&gt;"), html);
        assertTrue(html.contains("<div class=\"scroll\"><table>") && html.contains("</table></div>"), html);
    }

    private static String refusal(Path root) {
        return String.valueOf(
                assertThrows(IOException.class, () -> Site.write(root, root.resolve("site"), "1", root.resolve("none")))
                        .getMessage());
    }

    @Test
    void deadLinksAreRefusedAllAtOnce(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("docs"));
        for (String name : List.of("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
            Files.writeString(root.resolve(name), "# A page\n");
        }
        Files.writeString(
                root.resolve("README.md"),
                "# Read\n\n[a](docs/none.md) [b](docs/index.md#none) [c](docs/index.md#there) [d](https://example.org)"
                        + " ![e](docs/none.svg) ![f](https://example.org/f.svg)\n");
        Files.writeString(root.resolve("docs/index.md"), "# Index\n\n## There\n\n[up](../README.md) [x](#no)\n");
        assertEquals("""
                README.md links to docs/none.md, which does not exist
                README.md links to docs/index.md#none, which does not exist
                README.md links to docs/none.svg, which does not exist
                README.md shows a picture of another place: https://example.org/f.svg
                docs/index.md links to #no, which does not exist""", refusal(root));
    }
}
