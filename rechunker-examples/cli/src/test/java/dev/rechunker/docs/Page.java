package dev.rechunker.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param file the path of the page, relative to {@link #ROOT}
 * @param text the text of the page
 */
record Page(Path file, String text) {
    /** The root directory of the project. */
    static final Path ROOT = Path.of("..", "..");

    static final Path DOCS = Path.of("docs");

    /** The modules that have sources, relative to {@link #ROOT}. */
    static final List<String> MODULES = List.of(
            "rechunker-core",
            "rechunker-core/testkit",
            "rechunker-io",
            "rechunker-io/spark",
            "rechunker-io/beam",
            "rechunker-io/lambda",
            "rechunker-io/n5",
            "rechunker-examples",
            "rechunker-examples/bench",
            "rechunker-examples/cli",
            "rechunker-examples/site",
            "rechunker-examples/release");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /**
     * A fenced block.
     *
     * @param language the text after the opening fence
     * @param text the lines of the block
     */
    record Block(String language, String text) {}

    static List<Page> all() throws IOException {
        List<Page> pages = new ArrayList<>();
        pages.add(read(Path.of("README.md")));
        pages.add(read(Path.of("CHANGELOG.md")));
        pages.add(read(Path.of("CONTRIBUTING.md")));
        pages.add(read(Path.of("SECURITY.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve(DOCS))) {
            for (Path file : (Iterable<Path>)
                    files.filter(path -> path.toString().endsWith(".md")).sorted()::iterator) {
                pages.add(read(ROOT.relativize(file)));
            }
        }
        return pages;
    }

    static Page read(Path file) throws IOException {
        return new Page(file, Files.readString(ROOT.resolve(file)));
    }

    /** {@return the fenced blocks, in order} */
    List<Block> blocks() {
        return FENCED.matcher(text)
                .results()
                .map(block -> new Block(block.group(1), block.group(2)))
                .toList();
    }

    /** {@return the fenced blocks of a language} */
    List<String> blocks(String language) {
        return blocks().stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text)
                .toList();
    }

    /** {@return a page with the part of this one below a heading of the second level} */
    Page section(String heading) {
        String start = "\n## " + heading + "\n";
        if (!text.contains(start)) {
            throw new IllegalArgumentException(file + " has no heading " + heading);
        }
        String from = text.substring(text.indexOf(start) + start.length());
        return new Page(file, from.contains("\n## ") ? from.substring(0, from.indexOf("\n## ") + 1) : from);
    }

    /** {@return the rows of the first table whose header begins with some cells; each row is a list of its cells} */
    List<List<String>> table(String... header) {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : text.lines().toList()) {
            if (!line.startsWith("|")) {
                if (inside) {
                    return rows;
                }
                continue;
            }
            List<String> cells = Arrays.stream(line.substring(1).split("(?<!\\\\)\\|"))
                    .map(cell -> cell.strip().replace("\\|", "|"))
                    .toList();
            if (inside && !line.startsWith("|---")) {
                rows.add(cells);
            }
            inside |= cells.size() >= header.length
                    && cells.subList(0, header.length).equals(List.of(header));
        }
        throw new IllegalArgumentException(file + " has no table " + List.of(header) + " with an end");
    }

    /** {@return the targets of links and pictures} */
    List<String> links() {
        String prose = FENCED.matcher(text).replaceAll("").replaceAll("`[^`\n]*`", "`");
        return LINK.matcher(prose).results().map(link -> link.group(1)).toList();
    }

    /** {@return the names of headings, in the form that links have} */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        for (Matcher heading = HEADING.matcher(FENCED.matcher(text).replaceAll("")); heading.find(); ) {
            anchors.add(heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
