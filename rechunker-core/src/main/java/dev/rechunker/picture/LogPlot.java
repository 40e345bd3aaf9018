package dev.rechunker.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** A plot of points with logarithmic scales, which begin and end at powers of ten. */
final class LogPlot {
    private static final double LEFT = 78;
    private static final double ABOVE = 30;
    private static final double BELOW = 44;

    /** How much wider bold text is. */
    private static final double BOLD = 1.12;

    /** The places beside a point: to the right or to the left, and by how much lower. */
    private static final double[][] SIDES = {{1, -6}, {1, 14}, {-1, -6}, {-1, 14}, {1, 4}, {-1, 4}, {1, -18}, {1, 26}};

    /** The least radius of a point that no name may cover. */
    private static final double LARGE = 4;

    private final List<Place> names = new ArrayList<>();
    private final Svg svg;
    private final double x;
    private final double y;
    private final double width;
    private final double height;
    private final Scale across;
    private final Scale up;

    /** The rectangle of a name. */
    private record Place(double left, double top, double right, double bottom) {
        boolean overlaps(Place other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    /** The powers of ten at which a scale begins and ends, and the text of a value. */
    record Scale(int from, int to, DoubleFunction<String> text) {
        /** {@return the scale for positive values} */
        static Scale of(double[] values, DoubleFunction<String> text) {
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (double value : values) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
            int from = (int) Math.floor(Math.log10(least));
            return new Scale(from, Math.max(from + 1, (int) Math.ceil(Math.log10(most))), text);
        }

        private double share(double value) {
            return (Math.log10(value) - from) / (to - from);
        }
    }

    /** Creates a plot in a rectangle. */
    LogPlot(Svg svg, double x, double y, double width, double height, Scale across, Scale up) {
        this.svg = svg;
        this.x = x + LEFT;
        this.y = y + ABOVE;
        this.width = width - LEFT - 20;
        this.height = height - ABOVE - BELOW;
        this.across = across;
        this.up = up;
    }

    private double right(double value) {
        return x + width * across.share(value);
    }

    private double down(double value) {
        return y + height * (1 - up.share(value));
    }

    /** Draws the scales with their names. */
    void drawScales(String nameAcross, String nameUp) {
        svg.text(x - LEFT, y - 14, Svg.Anchor.START, Svg.SMALL, "h", nameUp, width);
        svg.text(x + width, y + height + 36, Svg.Anchor.END, Svg.SMALL, "h", nameAcross, width);
        for (int power = up.from(); power <= up.to(); power++) {
            double value = Math.pow(10, power);
            svg.line(x, down(value), x + width, down(value), power == up.from() ? "ghost" : "rule");
            String label = up.text().apply(value);
            svg.text(x - 8, down(value) + 4, Svg.Anchor.END, Svg.SMALL, "m", label, LEFT - 8);
        }
        for (int power = across.from(); power <= across.to(); power++) {
            double value = Math.pow(10, power);
            svg.line(right(value), y, right(value), y + height, power == across.from() ? "ghost" : "rule");
            String label = across.text().apply(value);
            svg.text(right(value), y + height + 18, Svg.Anchor.MIDDLE, Svg.SMALL, "m", label, LEFT);
        }
    }

    /** Draws a point; {@code exact} is shown under the mouse pointer. */
    void drawPoint(double valueAcross, double valueUp, double radius, String style, String exact) {
        double centre = right(valueAcross);
        double level = down(valueUp);
        svg.circle(centre, level, radius, style, exact);
        if (radius >= LARGE) {
            names.add(new Place(centre - radius, level - radius, centre + radius, level + radius));
        }
    }

    /**
     * Writes a short text beside a point, where it is inside the plot and on no other text. A text for which there is
     * no such place is left out: it is also shown under the mouse pointer.
     */
    void drawName(double valueAcross, double valueUp, String name) {
        double wide = Svg.width(name, Svg.SMALL) * BOLD;
        for (double[] side : SIDES) {
            double from = right(valueAcross) + (side[0] < 0 ? -9 - wide : 9);
            double base = down(valueUp) + side[1];
            Place place = new Place(from, base - 11, from + wide, base + 3);
            boolean inside = from >= x && from + wide <= x + width + 20 && base - 11 >= y && base <= y + height;
            if (inside && names.stream().noneMatch(place::overlaps)) {
                names.add(place);
                svg.text(from, base, Svg.Anchor.START, Svg.SMALL, "h halo", name, wide);
                return;
            }
        }
    }
}
