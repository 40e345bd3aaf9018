package dev.rechunker.site;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;

/** The menu: the headings of the index of the documentation, and the pages below each, once each. */
final class Menu {
    private static final String INDEX = "docs/index.html";

    /** The text of a link by the path of its page, by heading. */
    private final Map<String, Map<String, String>> groups = new LinkedHashMap<>();

    /** Reads the menu from the index, whose links are those of the site. */
    Menu(List<Page> pages) {
        Map<String, String> start = new LinkedHashMap<>();
        start.put("index.html", "Rechunker");
        start.put("docs/getting-started.html", "Getting started");
        start.put(INDEX, "All pages");
        groups.put("Start", start);
        Map<String, Page> known = pages.stream().collect(Collectors.toMap(Page::path, page -> page));
        Optional.ofNullable(known.get(INDEX))
                .ifPresent(index -> index.document().accept(new AbstractVisitor() {
                    private Map<String, String> group = start;

                    @Override
                    public void visit(Heading heading) {
                        if (heading.getLevel() == 2) {
                            group = groups.computeIfAbsent(Page.plain(heading), name -> new LinkedHashMap<>());
                        }
                    }

                    @Override
                    public void visit(Link link) {
                        String path = path(link.getDestination());
                        if (known.containsKey(path) && !contains(path)) {
                            String text = link.getFirstChild() == null ? path : Page.plain(link.getFirstChild());
                            group.put(path, text);
                        }
                    }
                }));
    }

    private static String path(String link) {
        String place = link.replaceFirst("#.*", "");
        return place.startsWith("../") ? place.substring(3) : "docs/" + place;
    }

    private boolean contains(String path) {
        return groups.values().stream().anyMatch(group -> group.containsKey(path));
    }

    /** {@return the menu as lists, with links from a page, below which its sections are listed} */
    String html(String from, Map<String, String> sections) {
        StringBuilder html = new StringBuilder();
        groups.forEach((name, group) -> {
            html.append("<h2>").append(Template.escaped(name)).append("</h2>\n<ul>\n");
            group.forEach((path, text) -> html.append(item(from, path, text, sections)));
            html.append("</ul>\n");
        });
        return html.toString();
    }

    private static String item(String from, String path, String text, Map<String, String> sections) {
        boolean here = path.equals(from);
        StringBuilder html = new StringBuilder("<li><a href=\"" + Links.relative(from, path) + "\"");
        html.append(here ? " aria-current=\"page\">" : ">")
                .append(Template.escaped(text))
                .append("</a>");
        if (here && !sections.isEmpty()) {
            html.append("\n<ul>\n");
            sections.forEach((anchor, heading) -> html.append("<li><a href=\"#")
                    .append(anchor)
                    .append("\">")
                    .append(Template.escaped(heading))
                    .append("</a></li>\n"));
            html.append("</ul>\n");
        }
        return html.append("</li>\n").toString();
    }
}
