package dev.rechunker.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;

/** Turns the links between files of the repository into links between pages of the site, and finds those that break. */
final class Links {
    private final Path root;
    private final Map<Path, Page> pages;
    private final Set<Path> files = new TreeSet<>();
    private final List<String> broken = new ArrayList<>();

    Links(Path root, List<Page> pages) {
        this.root = root;
        this.pages = pages.stream().collect(Collectors.toMap(Page::file, Function.identity()));
    }

    /** {@return the path in the site of what is made of a file of the repository} */
    static String path(Path file) {
        String name = file.toString().replace('\\', '/');
        if (name.equals("README.md")) {
            return "index.html";
        }
        return isPicture(file) ? name : name.replaceFirst("\\.md$", "") + ".html";
    }

    /** {@return whether a file is copied as it is; others become pages} */
    static boolean isPicture(Path file) {
        return file.toString().matches(".*\\.(svg|png)");
    }

    /** Changes the links and pictures of a page. */
    void follow(Page page) {
        page.document().accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(destination(page, link.getDestination()));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                if (image.getDestination().contains(":")) {
                    broken.add(page.file() + " shows a picture of another place: " + image.getDestination());
                }
                image.setDestination(destination(page, image.getDestination()));
                visitChildren(image);
            }
        });
    }

    private String destination(Page page, String link) {
        if (link.contains(":")) {
            return link;
        }
        int sign = link.indexOf('#');
        String place = sign < 0 ? link : link.substring(0, sign);
        String anchor = sign < 0 ? "" : link.substring(sign);
        Path file = place.isEmpty()
                ? page.file()
                : page.file().resolveSibling(place).normalize();
        Page other = pages.get(file);
        boolean exists = other == null
                ? anchor.isEmpty() && Files.isRegularFile(root.resolve(file))
                : anchor.isEmpty() || other.anchors().containsValue(anchor.substring(1));
        if (!exists) {
            broken.add(page.file() + " links to " + link + ", which does not exist");
            return link;
        }
        if (other == null) {
            files.add(file);
        }
        return place.isEmpty() ? anchor : relative(page.path(), path(file)) + anchor;
    }

    /** {@return the link from one path of the site to another} */
    static String relative(String from, String to) {
        Path directory = Path.of(from).resolveSibling("");
        return directory.relativize(Path.of(to)).toString().replace('\\', '/');
    }

    /** {@return the files that pages link to and that are not pages, relative to the root} */
    Set<Path> files() {
        return files;
    }

    /** Refuses links that lead nowhere. */
    void requireAll() throws IOException {
        if (!broken.isEmpty()) {
            throw new IOException(String.join("\n", broken));
        }
    }
}
