package dev.rechunker.picture;

import dev.rechunker.plan.NumberText;

/** A chart of bytes over time in seconds. */
final class Chart {
    private static final double LEFT = 78;
    private static final double ABOVE = 46;
    private static final double BELOW = 24;
    private static final double LEGEND = 230;
    private static final int[] ROUND = {1, 2, 5};

    private final Svg svg;
    private final double x;
    private final double y;
    private final double width;
    private final double height;
    private final double seconds;
    private final double most;
    private final double left;
    private final double top;

    /** Creates a chart in a rectangle, for times from 0 to {@code seconds} and values from 0 to {@code most}. */
    Chart(Svg svg, double x, double y, double width, double height, double seconds, double most) {
        this.svg = svg;
        this.x = x;
        this.y = y;
        this.left = x + LEFT;
        this.top = y + ABOVE;
        this.width = width - LEFT - 8;
        this.height = height - ABOVE - BELOW;
        this.seconds = seconds > 0 ? seconds : 1;
        this.most = most > 0 ? most * 1.06 : 1;
    }

    private double at(double time) {
        return left + time / seconds * width;
    }

    private double level(double value) {
        return top + height - value / most * height;
    }

    void drawTitle(String title) {
        svg.text(x, y + 13, Svg.Anchor.START, Svg.NORMAL, "h", title, 210);
    }

    /** Draws the axes; {@code per} is appended to the unit of values, as in {@code MB/s}. */
    void drawAxes(String per) {
        double step = step(most, 4);
        for (int i = 0; i * step <= most; i++) {
            double line = level(i * step);
            svg.line(left, line, left + width, line, i == 0 ? "ghost" : "rule");
            svg.text(left - 8, line + 4, Svg.Anchor.END, Svg.SMALL, "m", NumberText.bytes(i * step) + per, LEFT - 8);
        }
        double every = step(seconds, 6);
        for (int i = 0; i * every <= seconds * (1 + 1e-9); i++) {
            String label = NumberText.seconds(i * every);
            Svg.Anchor anchor = i * every > seconds * 0.97 ? Svg.Anchor.END : Svg.Anchor.MIDDLE;
            svg.text(at(i * every), top + height + 17, anchor, Svg.SMALL, "m", i == 0 ? "0 s" : label, 100);
        }
    }

    /** {@return the least of 1, 2, 5, 10, 20 ... that divides a range into at most {@code parts} parts} */
    private static double step(double range, int parts) {
        double power = Math.pow(10, Math.floor(Math.log10(range / parts)));
        for (int round : ROUND) {
            if (range / (round * power) <= parts) {
                return round * power;
            }
        }
        return 10 * power;
    }

    /** Draws values as steps; each value is that of one of the equal parts of the time. */
    void drawSteps(double[] values, String style) {
        double[] points = new double[4 * values.length];
        for (int i = 0; i < values.length; i++) {
            points[4 * i] = at(seconds * i / values.length);
            points[4 * i + 2] = at(seconds * (i + 1) / values.length);
            points[4 * i + 1] = level(values[i]);
            points[4 * i + 3] = points[4 * i + 1];
        }
        svg.path(Svg.polyline(points), style);
    }

    /** Fills the area below values, each of which is constant until the next time. */
    void drawArea(double[] times, double[] values) {
        StringBuilder line = new StringBuilder(Svg.polyline(at(0), level(0)));
        for (int i = 0; i < times.length; i++) {
            double until = i + 1 < times.length ? times[i + 1] : times[i];
            line.append('L').append(Svg.polyline(at(times[i]), level(values[i])).substring(1));
            line.append('L').append(Svg.polyline(at(until), level(values[i])).substring(1));
        }
        double end = times.length == 0 ? 0 : times[times.length - 1];
        line.append('L').append(Svg.polyline(at(end), level(0)).substring(1)).append('Z');
        svg.path(line.toString(), "task");
        svg.path(line.toString(), "striped");
    }

    /** Adds an exact text to one of the equal parts of the time, over the height of the chart. */
    void addExact(int part, int parts, String exact) {
        double from = at(seconds * part / parts);
        svg.rect(from, top, at(seconds * (part + 1) / parts) - from, height, "over", exact);
    }

    /** Draws a horizontal line at a value. */
    void drawLevel(double value, String style) {
        svg.line(left, level(value), left + width, level(value), style);
    }

    /** Draws entry {@code place} of the legend at the top, with the meaning of a style. */
    void drawLegend(String style, String text, int place) {
        double start = left + 132 + place * LEGEND;
        if (style.equals("task")) {
            svg.rect(start, y + 4, 22, 10, "task").rect(start, y + 4, 22, 10, "striped");
        } else {
            svg.line(start, y + 9, start + 22, y + 9, style);
        }
        svg.text(start + 28, y + 13, Svg.Anchor.START, Svg.SMALL, "t", text, LEGEND - 34);
    }

    /** Draws the name of a time span above the chart, if there is space for it. */
    void drawSpan(double from, double to, String name) {
        double space = at(to) - at(from);
        if (!name.isEmpty() && space > Svg.width(name, Svg.TINY) + 8) {
            svg.line(at(from), top - 14, at(from), top, "rule");
            svg.text(at(from) + 4, top - 4, Svg.Anchor.START, Svg.TINY, "m", name, space);
        }
    }
}
