package dev.rechunker.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the documentation of a checkout as a site. A link that leads nowhere ends it with a message. */
public final class Site {
    /** What all pages need. */
    private static final List<String> RESOURCES = List.of("site.css", "site.js");

    private final Path root;
    private final Path target;
    private final String version;

    private Site(Path root, Path target, String version) {
        this.root = root;
        this.target = target;
        this.version = version;
    }

    /**
     * Writes the site.
     *
     * @param args the root of the checkout, the directory to write to, the version, and the directory of the Javadoc,
     *     which need not exist
     */
    public static void main(String[] args) throws IOException {
        write(Path.of(args[0]), Path.of(args[1]), args[2], Path.of(args[3]));
    }

    /**
     * Writes the site, in place of one that is there.
     *
     * @param javadoc a directory, which is copied if it has {@code index.html}
     * @throws IOException if a link leads nowhere; the message lists all of them
     */
    static void write(Path root, Path target, String version, Path javadoc) throws IOException {
        delete(target);
        Files.createDirectories(target);
        new Site(root, target, version).write(javadoc);
    }

    private void write(Path javadoc) throws IOException {
        boolean hasJavadoc = Files.exists(javadoc.resolve("index.html"));
        if (hasJavadoc) {
            copy(javadoc, target.resolve("api"));
        }
        List<Page> pages = pages();
        Links links = new Links(root, pages);
        for (Page page : pages) {
            links.follow(page);
        }
        links.requireAll();
        Template template = new Template(new Menu(pages), version, hasJavadoc);
        for (Page page : pages) {
            write(page.path(), template.page(page.path(), page.title(), page.html(), page.sections()));
        }
        for (Path file : links.files()) {
            if (Links.isPicture(file)) {
                Files.createDirectories(parent(target.resolve(file)));
                Files.copy(root.resolve(file), target.resolve(file));
            } else {
                String code = Template.escaped(Files.readString(root.resolve(file)));
                String html =
                        "<h1>" + Template.escaped(file.toString()) + "</h1>\n<pre><code>" + code + "</code></pre>\n";
                write(Links.path(file), template.page(Links.path(file), file.toString(), html, Map.of()));
            }
        }
        Files.writeString(target.resolve("search-index.js"), new SearchIndex(pages).script());
        for (String resource : RESOURCES) {
            Files.writeString(target.resolve(resource), resource(resource));
        }
    }

    /** {@return the pages: those at the root, then those in {@code docs}} */
    private List<Page> pages() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
            files.add(Path.of(name));
        }
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md"))
                    .map(root::relativize)
                    .sorted()
                    .forEach(files::add);
        }
        List<Page> pages = new ArrayList<>();
        for (Path file : files) {
            pages.add(Page.read(root, file));
        }
        return pages;
    }

    private void write(String path, String html) throws IOException {
        Path file = target.resolve(path);
        Files.createDirectories(parent(file));
        Files.writeString(file, html);
    }

    /** {@return the text of a resource} */
    static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Site.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Path copy = to.resolve(from.relativize(file));
                Files.createDirectories(parent(copy));
                Files.copy(file, copy);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
