package dev.rechunker.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A page of the documentation.
 *
 * @param file the path of its file, relative to the root of the checkout
 * @param document the parsed text
 * @param anchors the anchors of headings, in order; those of GitHub, so that links work in both places
 */
record Page(Path file, Node document, Map<Heading, String> anchors) {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    static Page read(Path root, Path file) throws IOException {
        return of(file, Files.readString(root.resolve(file)));
    }

    static Page of(Path file, String text) {
        Node document = PARSER.parse(text);
        Map<Heading, String> anchors = new LinkedHashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading) {
                String anchor = anchor(plain(heading));
                int count = counts.merge(anchor, 1, Integer::sum) - 1;
                anchors.put(heading, count == 0 ? anchor : anchor + "-" + count);
            }
        }
        return new Page(file, document, anchors);
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** {@return the text of a node, without marks} */
    static String plain(Node node) {
        PlainText text = new PlainText();
        node.accept(text);
        return text.toString();
    }

    /** {@return the path of the HTML page, relative to the root of the site} */
    String path() {
        return Links.path(file);
    }

    /** {@return the text of the first heading} */
    String title() {
        return anchors.keySet().stream().findFirst().map(Page::plain).orElse(file.toString());
    }

    /** {@return the headings of the second level, by their anchors} */
    Map<String, String> sections() {
        Map<String, String> sections = new LinkedHashMap<>();
        anchors.forEach((heading, anchor) -> {
            if (heading.getLevel() == 2) {
                sections.put(anchor, plain(heading));
            }
        });
        return sections;
    }

    /** {@return the page as HTML, each heading with a link to itself} */
    String html() {
        Map<Node, String> self = new HashMap<>();
        anchors.forEach((heading, anchor) -> {
            Link link = new Link("#" + anchor, null);
            link.appendChild(new Text("#"));
            self.put(link, plain(heading));
            heading.appendChild(link);
        });
        AttributeProvider attributes = (node, tag, values) -> {
            if (node instanceof Heading) {
                values.put("id", anchors.getOrDefault(node, ""));
            } else if (self.containsKey(node)) {
                values.put("class", "anchor");
                values.put("aria-label", "Link to " + self.get(node));
            }
        };
        String html = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> attributes)
                .build()
                .render(document);
        self.keySet().forEach(Node::unlink);
        return html.replace("<table>", "<div class=\"scroll\"><table>").replace("</table>", "</table></div>");
    }
}
