package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.plan.NumberText;
import java.util.ArrayList;
import java.util.List;

/**
 * The drawing of an array as a box. The last drawn axis points right, the one before it down, and the one before that
 * into the depth, which is up and to the right on paper.
 */
final class BoxDrawing {
    /** The least distance in pixels between two cuts; where cuts are closer, only some of them are drawn. */
    private static final double GAP = 4;

    private static final double DEPTH_X = 0.62;
    private static final double DEPTH_Y = 0.5;
    private static final int[] ROUND = {1, 2, 5};

    /** The height of the box of an array with one drawn axis, relative to its length. */
    private static final double THICK = 0.3;

    private final DrawnAxes axes;
    private final Region whole;
    private final double scale;
    private final double left;
    private final double top;

    /** The least space at the right of a box, where the label of its depth is. */
    private static final double BESIDE = 46;

    private static final double LONGEST_LABEL = 110;

    /** Creates a drawing in the middle of a rectangle, as large as it fits with the label at its right. */
    BoxDrawing(DrawnAxes axes, Region whole, double x, double y, double space, double height) {
        this.axes = axes;
        this.whole = whole;
        double across = relative(0) + relative(2) * DEPTH_X;
        double down = relative(1) + relative(2) * DEPTH_Y;
        double label = axis(2) < 0 ? 0 : 12 + Svg.width(depthLabel(), Svg.SMALL);
        double labelBegins = across - relative(2) * DEPTH_X / 2;
        double width = space - BESIDE;
        double widest = Math.min(width / across, (space - label) / labelBegins);
        this.scale = Math.min(widest, height / down);
        double right = Math.max(across * scale + BESIDE, labelBegins * scale + label);
        this.left = x + (space - right) / 2;
        this.top = y + (height - down * scale) / 2 + relative(2) * DEPTH_Y * scale;
    }

    private String depthLabel() {
        return Svg.fit(axes.label(axis(2)), Svg.SMALL, LONGEST_LABEL);
    }

    /** {@return the axis that is drawn in a direction (0 right, 1 down, 2 depth), or -1 if there is none} */
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

    /** {@return the distance in pixels of a position on an axis from the front upper left corner of the box} */
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

    /** {@return the path commands of a line between two points, each given as right, down, depth} */
    private String line(double... p) {
        return Svg.segment(x(p[0], p[2]), y(p[1], p[2]), x(p[3], p[5]), y(p[4], p[5]));
    }

    /** Draws a region as a solid box: its three visible faces, lit from above. */
    void drawSolid(Svg svg, Region region, String style) {
        Faces faces = faces(region);
        svg.path(faces.all(), style);
        svg.path(faces.above, "lit");
        svg.path(faces.side, "dim");
    }

    /** Draws the visible faces of a region in a style, such as a pattern. */
    void drawFaces(Svg svg, Region region, String style) {
        svg.path(faces(region).all(), style);
    }

    /** Draws the faces of a region that lie on the surface of the array, in a style. */
    void drawOnSurface(Svg svg, Region region, String style) {
        Faces faces = faces(region);
        boolean front = from(region, 2) == 0;
        boolean above = from(region, 1) == 0;
        boolean side = to(region, 0) == to(whole, 0);
        svg.path((front ? faces.front : "") + (above ? faces.above : "") + (side ? faces.side : ""), style);
    }

    /** The path commands of the visible faces; those above and at the side are empty if there is no depth. */
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

    /** Draws the edges of the array; hidden ones are dashed. */
    void drawOutline(Svg svg) {
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
     * Draws the cuts of a grid on the visible faces of a region.
     *
     * @return one phrase for each axis of which only some cuts are drawn, such as "every 10th cut of time"
     */
    List<String> drawCuts(Svg svg, Region region, ChunkGrid grid, String style) {
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
            double space = at(direction, region.extent(axis)) * (direction == 2 ? Math.hypot(DEPTH_X, DEPTH_Y) : 1);
            long every = interval(last - first, space);
            if (every > 1) {
                some.add(NumberText.every(every, "cut") + " of " + axes.name(axis));
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

    /** {@return n if only every nth cut is to be drawn, so that cuts are not too close: 1, 2, 5, 10, 20 ...} */
    static long interval(long cuts, double space) {
        double most = Math.max(1, space / GAP);
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

    /** Draws the names and lengths of the axes along the edges. */
    void drawLabels(Svg svg) {
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
            svg.text(
                    x(x, z / 2) + 8,
                    y(y, z / 2) + 12,
                    Svg.Anchor.START,
                    Svg.SMALL,
                    "m",
                    axes.label(axis(2)),
                    LONGEST_LABEL);
        }
    }

    /** Draws an arrow next to the box in the direction of an axis, if that is drawn. */
    void drawDirection(Svg svg, int axis) {
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
