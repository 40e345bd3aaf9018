package dev.rechunker.picture;

import dev.rechunker.plan.NumberText;
import java.util.List;

/**
 * A builder of an HTML page of drawings, tables and lists. The page needs no network, and its content security policy
 * allows nothing but its own script.
 */
final class HtmlPage {
    /** The most items that a list or a table shows. */
    static final int MOST_ITEMS = 200;

    private static final String STYLE = """
            :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--pale:#57606a;--rule:#d0d7de;--focus:#0072b2}
            *{box-sizing:border-box}
            body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;background:var(--paper);color:var(--ink)}
            main{max-width:1000px;margin:0 auto;padding:16px}
            h1{font-size:19px;line-height:1.3;margin:8px 24px;overflow-wrap:anywhere}
            h2{font-size:17px;margin:24px 24px 8px}
            p,ul,details,.table{margin:8px 24px}ul{padding-left:18px}li,p{overflow-wrap:anywhere}
            .box{overflow-x:auto}
            figure{margin:0 0 8px}figure svg{display:block;width:100%;min-width:760px;height:auto}
            table{border-collapse:collapse;white-space:nowrap}
            th{font-weight:600;text-align:left;color:var(--pale)}
            td,th{padding:2px 22px 2px 0;vertical-align:top}
            td+td,th+th,th+td{text-align:right;font-variant-numeric:tabular-nums}
            thead th{border-bottom:1px solid var(--rule)}td:first-child{min-width:9em;max-width:26em;overflow-wrap:anywhere;white-space:normal}
            pre{overflow-x:auto;font-size:13px}summary{cursor:pointer}
            :focus-visible{outline:2px solid var(--focus);outline-offset:2px}
            #tip{position:fixed;z-index:1;max-width:calc(100vw - 16px);padding:3px 8px;border-radius:4px;font-size:13px;pointer-events:none;background:var(--ink);color:var(--paper);overflow-wrap:anywhere}
            #tip[hidden]{display:none}
            @media (max-width:600px){h1,h2,p,ul,details,.table{margin-left:0;margin-right:0}}
            @media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--pale:#a3adb8;--rule:#30363d;--focus:#56b4e9}}
            """;

    private final String title;
    private final StringBuilder body = new StringBuilder();
    private PageScript script = PageScript.exactNumbers();
    private String policy = "";
    private String head = "";

    /**
     * A cell of a table.
     *
     * @param text what it shows
     * @param exact what is shown under the mouse pointer; empty for nothing
     */
    record Cell(String text, String exact) {
        static Cell of(String text) {
            return new Cell(text, "");
        }
    }

    /** Begins a page with a title, which is also its first heading. */
    HtmlPage(String title) {
        this.title = title;
        body.append("<h1>").append(Svg.escape(title)).append("</h1>\n");
    }

    /**
     * Adds a script that runs after that of the page, and what the page may load for it.
     *
     * @param text the script, without {@code <} and {@code &}
     * @param allowed directives of a content security policy
     * @param headElements elements of the head of the page
     */
    HtmlPage withScript(String text, String allowed, String headElements) {
        script = script.then(text);
        policy = ";" + allowed;
        head = headElements;
        return this;
    }

    /** Adds an element that a script fills. */
    HtmlPage addElement(String html) {
        body.append(html);
        return this;
    }

    /** Adds a paragraph. */
    HtmlPage addText(String text) {
        body.append("<p>").append(Svg.escape(text)).append("</p>\n");
        return this;
    }

    /** Adds an SVG document. */
    HtmlPage addDrawing(String svg) {
        body.append("<figure class=\"box\">\n").append(svg).append("</figure>\n");
        return this;
    }

    /** Adds a text that is folded: it is shown when the reader clicks on it. */
    HtmlPage addDetails(String name, String text) {
        body.append("<details><summary>")
                .append(Svg.escape(name))
                .append("</summary>\n<pre tabindex=\"0\">")
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

    /**
     * Adds a heading and a table.
     *
     * @param columns the names of the columns; none for a table without names
     */
    HtmlPage addTable(String heading, List<String> columns, List<List<Cell>> rows) {
        addHeading(heading).append("<div class=\"box table\">\n<table>\n");
        if (!columns.isEmpty()) {
            body.append("<thead><tr>");
            columns.forEach(name ->
                    body.append("<th scope=\"col\">").append(Svg.escape(name)).append("</th>"));
            body.append("</tr></thead>\n");
        }
        body.append("<tbody>\n");
        for (List<Cell> row : rows.subList(0, Math.min(MOST_ITEMS, rows.size()))) {
            body.append("<tr>");
            row.forEach(this::addCell);
            body.append("</tr>\n");
        }
        body.append("</tbody>\n</table>\n</div>\n");
        if (rows.size() > MOST_ITEMS) {
            addText("… and " + NumberText.count(rows.size() - MOST_ITEMS) + " more");
        }
        return this;
    }

    private void addCell(Cell cell) {
        body.append("<td>");
        if (cell.exact().isEmpty()) {
            body.append(Svg.escape(cell.text()));
        } else {
            body.append("<span title=\"")
                    .append(Svg.escape(cell.exact()))
                    .append("\">")
                    .append(Svg.escape(cell.text()))
                    .append("</span>");
        }
        body.append("</td>");
    }

    private StringBuilder addHeading(String text) {
        return body.append("<h2>").append(Svg.escape(text)).append("</h2>\n");
    }

    /** {@return what is on the page after its title, without the page} */
    String fragment() {
        return body.substring(body.indexOf("</h1>\n") + "</h1>\n".length());
    }

    /** {@return the page} */
    String html() {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                + "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';"
                + "script-src " + script.source() + policy + "\"/>\n" + head + "<title>" + Svg.escape(title)
                + "</title>\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n<main>\n" + body
                + "</main>\n" + script.element() + "</body>\n</html>\n";
    }
}
