package dev.rechunker.picture;

/**
 * A builder of an SVG document. Coordinates are in pixels, x to the right and y downwards, rounded to tenths.
 *
 * <p>The width of text is an estimate, as the reader's font is not known: {@link #width} is that of a wide sans-serif
 * font.
 */
final class Svg {
    /** The size of notes inside a drawing. */
    static final int TINY = 11;

    /** The size of small text. */
    static final int SMALL = 12;

    /** The size of text. */
    static final int NORMAL = 13;

    /** The size of titles. */
    static final int LARGE = 17;

    private static final double EM_PER_CHARACTER = 0.6;
    private static final double WIDE = 1.05;
    private static final String ELLIPSIS = "…";

    private final StringBuilder text = new StringBuilder();

    /** The point of a text that is placed at its coordinates. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** {@return the estimated width of a text in pixels} */
    static double width(String text, double size) {
        return text.codePoints().mapToDouble(Svg::em).sum() * size;
    }

    /** {@return the estimated width of a character; those of East Asia and symbols are as wide as high} */
    private static double em(int c) {
        return c == 'm' || c == 'M' || c == 'W' || c == '%' || c == '@' || c >= 0x2E80 ? WIDE : EM_PER_CHARACTER;
    }

    /** {@return the text, shortened with an ellipsis if it is wider than {@code width}} */
    static String fit(String text, double size, double width) {
        if (width(text, size) <= width) {
            return text;
        }
        StringBuilder fitting = new StringBuilder();
        double left = width - width(ELLIPSIS, size);
        for (int at = 0; at < text.length() && left >= em(text.codePointAt(at)) * size; ) {
            int c = text.codePointAt(at);
            fitting.appendCodePoint(c);
            left -= em(c) * size;
            at += Character.charCount(c);
        }
        return fitting.toString().stripTrailing() + ELLIPSIS;
    }

    /** {@return a text escaped for XML; characters that XML does not allow are replaced} */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isXml(c) ? c : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    private static boolean isXml(int c) {
        boolean control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
        boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
        return !control && !surrogate && c != 0xFFFE && c != 0xFFFF;
    }

    /** {@return a coordinate as text} */
    static String number(double value) {
        long tenths = Math.round(value * 10);
        long rest = Math.abs(tenths % 10);
        return (tenths < 0 ? "-" : "") + Math.abs(tenths / 10) + (rest == 0 ? "" : "." + rest);
    }

    /**
     * Writes a text. One that is wider than {@code width} is shortened, and is shown in full under the mouse pointer.
     */
    Svg text(double x, double y, Anchor anchor, int size, String style, String content, double width) {
        return text(x, y, anchor, size, style, content, width, "", "");
    }

    /** Writes a text; {@code exact} is shown under the mouse pointer. */
    Svg text(double x, double y, Anchor anchor, int size, String style, String content, double width, String exact) {
        return text(x, y, anchor, size, style, content, width, "", exact);
    }

    /** Writes a text that is rotated to run upwards. */
    Svg upwards(double x, double y, int size, String style, String content, double width) {
        String turn = " transform=\"rotate(-90 " + number(x) + " " + number(y) + ")\"";
        return text(x, y, Anchor.MIDDLE, size, style, content, width, turn, "");
    }

    private Svg text(
            double x,
            double y,
            Anchor anchor,
            int size,
            String style,
            String content,
            double width,
            String turn,
            String exact) {
        String shown = fit(content, size, width);
        text.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
        text.append("\" font-size=\"")
                .append(size)
                .append("\" class=\"")
                .append(style)
                .append('"');
        if (anchor != Anchor.START) {
            text.append(" text-anchor=\"")
                    .append(anchor == Anchor.END ? "end" : "middle")
                    .append('"');
        }
        text.append(turn).append('>');
        String full = shown.equals(content) ? "" : content;
        text.append(title(full.isEmpty() || exact.isEmpty() ? full + exact : full + ": " + exact));
        text.append(escape(shown)).append("</text>\n");
        return this;
    }

    /** {@return what is shown under the mouse pointer} */
    private static String title(String exact) {
        return exact.isEmpty() ? "" : "<title>" + escape(exact) + "</title>";
    }

    /** Draws a rectangle. */
    Svg rect(double x, double y, double width, double height, String style) {
        return rect(x, y, width, height, style, "");
    }

    /** Draws a rectangle; {@code exact} is shown under the mouse pointer. */
    Svg rect(double x, double y, double width, double height, String style, String exact) {
        text.append("<rect x=\"").append(number(x)).append("\" y=\"").append(number(y));
        text.append("\" width=\"").append(number(Math.max(0, width)));
        text.append("\" height=\"").append(number(Math.max(0, height)));
        text.append("\" class=\"").append(style).append('"');
        text.append(exact.isEmpty() ? "/>\n" : ">" + title(exact) + "</rect>\n");
        return this;
    }

    /** Draws a circle; {@code exact} is shown under the mouse pointer. */
    Svg circle(double x, double y, double radius, String style, String exact) {
        text.append("<circle cx=\"").append(number(x)).append("\" cy=\"").append(number(y));
        text.append("\" r=\"").append(number(radius)).append("\" class=\"").append(style);
        text.append(exact.isEmpty() ? "\"/>\n" : "\">" + title(exact) + "</circle>\n");
        return this;
    }

    /** Draws a path. */
    Svg path(String commands, String style) {
        if (!commands.isEmpty()) {
            text.append("<path d=\"").append(commands.strip());
            text.append("\" class=\"").append(style).append("\"/>\n");
        }
        return this;
    }

    /** Draws a line. */
    Svg line(double x1, double y1, double x2, double y2, String style) {
        return path(segment(x1, y1, x2, y2), style);
    }

    /** Draws an arrow of a length to the right. */
    Svg arrow(double x, double y, double length, String style) {
        line(x, y, x + length - 6, y, style);
        return path(polygon(x + length - 9, y - 5, x + length, y, x + length - 9, y + 5), "head");
    }

    /** {@return the path commands of a line from one point to another} */
    static String segment(double x1, double y1, double x2, double y2) {
        return "M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2);
    }

    /** {@return the path commands of a closed line through points, given as x, y, x, y ...} */
    static String polygon(double... points) {
        return polyline(points) + "Z";
    }

    /** {@return the path commands of a line through points, given as x, y, x, y ...} */
    static String polyline(double... points) {
        StringBuilder commands = new StringBuilder();
        for (int i = 0; i < points.length; i += 2) {
            commands.append(i == 0 ? 'M' : 'L').append(number(points[i]));
            commands.append(' ').append(number(points[i + 1]));
        }
        return commands.toString();
    }

    /**
     * {@return the document; {@code name} distinguishes its styles and patterns from those of others on the same page}
     */
    String document(String name, String title, double width, double height) {
        String size = number(width) + " " + number(height);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + number(width)
                + "\" height=\"" + number(height) + "\" role=\"img\" class=\"rechunker " + name + "\">\n<title>"
                + escape(title) + "</title>\n" + StyleSheet.of(name)
                + "<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n" + text + "</svg>\n";
    }
}
