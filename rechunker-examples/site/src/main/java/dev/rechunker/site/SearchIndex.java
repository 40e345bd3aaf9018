package dev.rechunker.site;

import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/** The text of all pages, section by section, as a script, because pages that are files may not read other files. */
final class SearchIndex {
    private final List<Section> sections = new ArrayList<>();

    /**
     * A section, or what comes before the first one.
     *
     * @param link the path of the page, with the anchor of the section
     * @param page the title of the page
     * @param heading the heading of the section; empty for the page itself
     * @param text its text
     */
    private record Section(String link, String page, String heading, String text) {}

    SearchIndex(List<Page> pages) {
        pages.forEach(this::add);
    }

    private void add(Page page) {
        String link = page.path();
        String heading = "";
        StringBuilder text = new StringBuilder();
        for (Node node = page.document().getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading start) {
                if (start.getLevel() > 1) {
                    sections.add(new Section(link, page.title(), heading, text.toString()));
                    text.setLength(0);
                    link = page.path() + "#" + page.anchors().get(start);
                    heading = Page.plain(start);
                }
            } else {
                text.append(Page.plain(node)).append(' ');
            }
        }
        sections.add(new Section(link, page.title(), heading, text.toString()));
    }

    /** {@return the script, which sets {@code searchIndex}} */
    String script() {
        return "window.searchIndex = " + new Gson().toJson(sections) + ";\n";
    }
}
