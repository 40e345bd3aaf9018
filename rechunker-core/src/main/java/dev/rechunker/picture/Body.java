package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import java.util.ArrayList;
import java.util.List;

/**
 * An array as a body on paper: the last drawn axis to the right, the one before downwards, the one before that into the
 * depth, upwards to the right.
 */
final class Body {
    /** The least distance of two cuts; where they lie closer only every so many are drawn. */
    private static final double GAP = 4;

    private static final double DEPTH_X = 0.62;
    private static final double DEPTH_Y = 0.5;
    private static final int[] ROUND = {1, 2, 5};

    /** How thick an axis is that the array does not have. */
    private static final double THICK = 0.3;

    private final Axes axes;
    private final Region whole;
    private final double scale;
    private final double left;
    private final double top;

    /** Puts the array as large as it fits into the middle of a rectangle. */
    Body(Axes axes, Region whole, double x, double y, double width, double height) {
        this.axes = axes;
        this.whole = whole;
        double across = relative(0) + relative(2) * DEPTH_X;
        double down = relative(1) + relative(2) * DEPTH_Y;
        this.scale = Math.min(width / across, height / down);
        this.left = x + (width - across * scale) / 2;
        this.top = y + (height - down * scale) / 2 + relative(2) * DEPTH_Y * scale;
    }

    /** {@return the drawn axis of a direction (0 right, 1 down, 2 depth), or -1} */
    private int axis(int direction) {
        List<Integer> drawn = axes.drawn();
        return direction < drawn.size() ? drawn.get(drawn.size() - 1 - direction) : -1;
    }

    private double relative(int direction) {
        List<Integer> drawn = axes.drawn();
        if (direction < drawn.size()) {
            return axes.relative(drawn.size() - 1 - direction);
        }
        return direction == 2 ? 0 : drawn.isEmpty() ? 1 : THICK;
    }

    /** {@return where a position of an axis is, in pixels from the body's front upper left corner} */
    private double at(int direction, long position) {
        int axis = axis(direction);
        double share = axis < 0 ? (double) position : (double) position / whole.extent(axis);
        return relative(direction) * scale * share;
    }

    private double from(Region region, int direction) {
        return axis(direction) < 0 ? 0 : at(direction, region.start(axis(direction)));
    }

    private double to(Region region, int direction) {
        return axis(direction) < 0 ? at(direction, 1) : at(direction, region.end(axis(direction)));
    }

    private double x(double right, double depth) {
        return left + right + depth * DEPTH_X;
    }

    private double y(double down, double depth) {
        return top + down - depth * DEPTH_Y;
    }

    /** {@return the commands of a line between two points, each right, down, depth} */
    private String line(double... p) {
        return Svg.segment(x(p[0], p[2]), y(p[1], p[2]), x(p[3], p[5]), y(p[4], p[5]));
    }

    /** Draws a region as a solid: its three faces that are seen, lit from above. */
    void solid(Svg svg, Region region, String style) {
        Faces faces = faces(region);
        svg.path(faces.all(), style);
        svg.path(faces.above, "lit");
        svg.path(faces.side, "dim");
    }

    /** Draws the faces of a region once more in a style, such as a pattern. */
    void over(Svg svg, Region region, String style) {
        svg.path(faces(region).all(), style);
    }

    /** Draws what of a region is on the array's own faces in a style. */
    void mark(Svg svg, Region region, String style) {
        Faces faces = faces(region);
        boolean front = from(region, 2) == 0;
        boolean above = from(region, 1) == 0;
        boolean side = to(region, 0) == to(whole, 0);
        svg.path((front ? faces.front : "") + (above ? faces.above : "") + (side ? faces.side : ""), style);
    }

    /** The commands of the faces that are seen; empty for those of an array that has no depth. */
    private record Faces(String front, String above, String side) {
        String all() {
            return front + above + side;
        }
    }

    private Faces faces(Region region) {
        double x0 = from(region, 0);
        double x1 = to(region, 0);
        double y0 = from(region, 1);
        double y1 = to(region, 1);
        double z0 = from(region, 2);
        double z1 = to(region, 2);
        boolean deep = z1 > z0;
        return new Faces(
                face(x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0),
                deep ? face(x0, y0, z0, x1, y0, z0, x1, y0, z1, x0, y0, z1) : "",
                deep ? face(x1, y0, z0, x1, y1, z0, x1, y1, z1, x1, y0, z1) : "");
    }

    private String face(double... p) {
        double[] points = new double[p.length / 3 * 2];
        for (int i = 0; i < p.length / 3; i++) {
            points[2 * i] = x(p[3 * i], p[3 * i + 2]);
            points[2 * i + 1] = y(p[3 * i + 1], p[3 * i + 2]);
        }
        return Svg.polygon(points);
    }

    /** Draws the array's edges, those behind dashed. */
    void ghost(Svg svg) {
        double x = to(whole, 0);
        double y = to(whole, 1);
        double z = to(whole, 2);
        if (z > 0) {
            svg.path(line(0, y, 0, 0, y, z) + line(0, y, z, 0, 0, z) + line(0, y, z, x, y, z), "ghost hidden");
            svg.path(line(0, 0, 0, 0, 0, z) + line(0, 0, z, x, 0, z) + line(x, 0, z, x, 0, 0), "ghost");
            svg.path(line(x, 0, z, x, y, z) + line(x, y, z, x, y, 0), "ghost");
        }
        svg.path(face(0, 0, 0, x, 0, 0, x, y, 0, 0, y, 0), "ghost");
    }

    /**
     * Draws the cuts of a grid on the faces of a region.
     *
     * @return which of them are drawn, one phrase for each axis on which not all are
     */
    List<String> cuts(Svg svg, Region region, ChunkGrid grid, String style) {
        StringBuilder lines = new StringBuilder();
        List<String> some = new ArrayList<>();
        double x0 = from(region, 0);
        double x1 = to(region, 0);
        double y0 = from(region, 1);
        double y1 = to(region, 1);
        double z0 = from(region, 2);
        double z1 = to(region, 2);
        for (int direction = 0; direction < axes.drawn().size(); direction++) {
            int axis = axis(direction);
            Partition partition = grid.axis(axis);
            long first = partition.indexOf(region.start(axis));
            long last = partition.indexOf(region.end(axis) - 1);
            double room = at(direction, region.extent(axis)) * (direction == 2 ? Math.hypot(DEPTH_X, DEPTH_Y) : 1);
            long every = every(last - first, room);
            if (every > 1) {
                some.add(Words.every(every, "cut") + " of " + axes.name(axis));
            }
            for (long index = first + every; index <= last; index += every) {
                double p = at(direction, partition.start(index));
                switch (direction) {
                    case 0 ->
                        lines.append(line(p, y0, z0, p, y1, z0)).append(z1 > z0 ? line(p, y0, z0, p, y0, z1) : "");
                    case 1 ->
                        lines.append(line(x0, p, z0, x1, p, z0)).append(z1 > z0 ? line(x1, p, z0, x1, p, z1) : "");
                    default -> lines.append(line(x0, y0, p, x1, y0, p)).append(line(x1, y0, p, x1, y1, p));
                }
            }
        }
        svg.path(lines.toString(), "cuts " + style);
        return some;
    }

    /** {@return 1 if so many cuts have room, else the round number of them of which one has} */
    static long every(long cuts, double room) {
        double most = Math.max(1, room / GAP);
        long power = 1;
        while (true) {
            for (int round : ROUND) {
                if (cuts / (double) (round * power) <= most) {
                    return round * power;
                }
            }
            power *= 10;
        }
    }

    /** Writes the axes along the edges. */
    void labels(Svg svg) {
        double x = to(whole, 0);
        double y = to(whole, 1);
        double z = to(whole, 2);
        if (axis(0) >= 0) {
            String label = Svg.fit(axes.label(axis(0)), Svg.SMALL, Math.max(x, 136));
            double centre = Math.max(x / 2, Svg.width(label, Svg.SMALL) / 2);
            svg.text(x(centre, 0), y(y, 0) + 15, Svg.Anchor.MIDDLE, Svg.SMALL, "m", label, Math.max(x, 136));
        }
        if (axis(1) >= 0) {
            String label = Svg.fit(axes.label(axis(1)), Svg.SMALL, Math.max(y, 100));
            double centre = Math.min(y / 2, y - Svg.width(label, Svg.SMALL) / 2);
            svg.upwards(x(0, 0) - 7, y(centre, 0), Svg.SMALL, "m", label, Math.max(y, 100));
        }
        if (axis(2) >= 0) {
            svg.text(x(x, z / 2) + 8, y(y, z / 2) + 12, Svg.Anchor.START, Svg.SMALL, "m", axes.label(axis(2)), 110);
        }
    }

    /** Draws an arrow beside the body along the direction of an axis, if it is drawn. */
    void along(Svg svg, int axis) {
        double x = to(whole, 0);
        double y = to(whole, 1);
        double z = to(whole, 2);
        if (axis == axis(0)) {
            arrow(svg, x(0, 0), y(y, 0) + 9, x(x, 0), y(y, 0) + 9);
        } else if (axis == axis(1)) {
            arrow(svg, x(0, 0) - 9, y(0, 0), x(0, 0) - 9, y(y, 0));
        } else if (axis == axis(2)) {
            arrow(svg, x(x, 0) + 10, y(y, 0) + 4, x(x, z) + 10, y(y, z) + 4);
        }
    }

    private static void arrow(Svg svg, double x0, double y0, double x1, double y1) {
        double length = Math.max(1, Math.hypot(x1 - x0, y1 - y0));
        double ux = (x1 - x0) / length;
        double uy = (y1 - y0) / length;
        double bx = x1 - 9 * ux;
        double by = y1 - 9 * uy;
        svg.line(x0, y0, bx, by, "arrow");
        svg.path(Svg.polygon(bx - 4.5 * uy, by + 4.5 * ux, x1, y1, bx + 4.5 * uy, by - 4.5 * ux), "head");
    }
}
