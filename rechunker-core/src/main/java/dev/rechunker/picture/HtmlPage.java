package dev.rechunker.picture;

import dev.rechunker.plan.NumberText;
import java.util.List;

/** A builder of an HTML page of drawings, tables and lists. */
final class HtmlPage {
    /** The most items that a list or a table shows. */
    private static final int MOST_ITEMS = 200;

    private static final String STYLE = """
            :root{color-scheme:light dark}
            body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;background:#fff;color:#1b1f24}
            main{max-width:960px;margin:0 auto;padding:16px}
            svg{display:block;width:100%;height:auto}
            h2{font-size:17px;margin:24px 24px 8px}
            ul,details,table{margin:8px 24px}ul{padding-left:18px}table{display:block;overflow-x:auto;white-space:nowrap}
            td{padding:2px 24px 2px 0;vertical-align:top}td+td{text-align:right;font-variant-numeric:tabular-nums}
            pre{overflow-x:auto;font-size:13px}summary{cursor:pointer}
            @media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}}
            """;

    private final String title;
    private final StringBuilder body = new StringBuilder();

    HtmlPage(String title) {
        this.title = title;
    }

    /** Adds an SVG document. */
    HtmlPage addDrawing(String svg) {
        body.append("<figure style=\"margin:0\">\n").append(svg).append("</figure>\n");
        return this;
    }

    /** Adds a text that is folded: it is shown when the reader clicks on it. */
    HtmlPage addDetails(String name, String text) {
        body.append("<details><summary>as text")
                .append(name.isEmpty() ? "" : ": " + Svg.escape(name))
                .append("</summary>\n<pre>")
                .append(Svg.escape(text))
                .append("</pre></details>\n");
        return this;
    }

    /** Adds a heading and a list, unless the list is empty. */
    HtmlPage addList(String heading, List<String> items) {
        if (!items.isEmpty()) {
            addHeading(heading).append("<ul>\n");
            items.stream().limit(MOST_ITEMS).forEach(this::addItem);
            if (items.size() > MOST_ITEMS) {
                addItem("… and " + NumberText.count(items.size() - MOST_ITEMS) + " more");
            }
            body.append("</ul>\n");
        }
        return this;
    }

    private void addItem(String text) {
        body.append("<li>").append(Svg.escape(text)).append("</li>\n");
    }

    /** Adds a heading and a table. */
    HtmlPage addTable(String heading, List<List<String>> rows) {
        addHeading(heading).append("<table>\n");
        for (List<String> row : rows.subList(0, Math.min(MOST_ITEMS, rows.size()))) {
            body.append("<tr>");
            row.forEach(cell -> body.append("<td>").append(Svg.escape(cell)).append("</td>"));
            body.append("</tr>\n");
        }
        body.append("</table>\n");
        if (rows.size() > MOST_ITEMS) {
            body.append("<ul>\n");
            addItem("… and " + NumberText.count(rows.size() - MOST_ITEMS) + " more");
            body.append("</ul>\n");
        }
        return this;
    }

    private StringBuilder addHeading(String text) {
        return body.append("<h2>").append(Svg.escape(text)).append("</h2>\n");
    }

    /** {@return the page} */
    String html() {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                + "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>" + Svg.escape(title)
                + "</title>\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n<main>\n" + body
                + "</main>\n</body>\n</html>\n";
    }
}
