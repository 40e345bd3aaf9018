package dev.rechunker.site;

import java.io.IOException;
import java.util.Map;

/** Puts the contents of a page between what all pages have. */
final class Template {
    private final String text = Site.resource("page.html");
    private final Menu menu;
    private final String version;
    private final boolean javadoc;

    Template(Menu menu, String version, boolean javadoc) throws IOException {
        this.menu = menu;
        this.version = version;
        this.javadoc = javadoc;
    }

    /** {@return a text for use in HTML} */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /**
     * {@return a page}
     *
     * @param path its path in the site
     * @param html its contents
     * @param sections its sections, by their anchors
     */
    String page(String path, String title, String html, Map<String, String> sections) {
        String root = "../".repeat(path.length() - path.replace("/", "").length());
        Map<String, String> values = Map.of(
                "title",
                escaped(title.equals("Rechunker") ? title : title + " · Rechunker"),
                "root",
                root,
                "menu",
                menu.html(path, sections),
                "javadoc",
                javadoc ? "<a href=\"" + root + "api/index.html\">Javadoc</a>" : "",
                "version",
                escaped(version),
                "content",
                html);
        StringBuilder page = new StringBuilder();
        int done = 0;
        for (int start = text.indexOf("${"); start >= 0; start = text.indexOf("${", done)) {
            int end = text.indexOf('}', start);
            page.append(text, done, start).append(values.get(text.substring(start + 2, end)));
            done = end + 1;
        }
        return page.append(text.substring(done)).toString();
    }
}
