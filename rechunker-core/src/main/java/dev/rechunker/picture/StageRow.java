package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import dev.rechunker.plan.Stage;
import java.util.ArrayList;
import java.util.List;

/** The drawing of a stage as three panels: what it reads from, one task in memory, and what it writes to. */
final class StageRow {
    /** The height of a row in pixels. */
    static final double HEIGHT = 262;

    private static final double PANEL = 236;
    private static final double BETWEEN = 102;
    private static final double BODY = 150;
    private static final int LINE = 16;

    private final CopyPlan plan;
    private final int number;
    private final Stage stage;
    private final DrawnAxes axes;
    private final Region task;
    private final Region held;
    private final Svg svg;
    private final double x;
    private final double y;
    private final List<String> notes = new ArrayList<>();

    StageRow(CopyPlan plan, int number, DrawnAxes axes, Svg svg, double x, double y) {
        this.plan = plan;
        this.number = number;
        this.stage = plan.stages().get(number);
        this.axes = axes;
        this.task = stage.windows().regionAt(0);
        this.held = held();
        this.svg = svg;
        this.x = x;
        this.y = y;
    }

    /** {@return the part of the task that is in memory at once: all of it, or a band across its slowest axis} */
    private Region held() {
        int slow = stage.axisOrder().isEmpty() ? 0 : stage.axisOrder().get(0);
        double share = stage.kind().isEncoded()
                ? 1
                : (stage.memory().ringBytes() + stage.memory().wrapBytes()) / bytes(task.elements());
        if (share >= 0.995 || !axes.drawn().contains(slow)) {
            return task;
        }
        long extent = Math.max(1, Math.round(task.extent(slow) * share));
        long middle = task.start(slow) + (long) ((task.extent(slow) - extent) * 0.4);
        long[] origin = task.origin();
        origin[slow] = stage.units().axis(slow).start(stage.units().axis(slow).indexOf(middle));
        long[] extents = task.shape().toArray();
        extents[slow] = Math.min(extent, task.end(slow) - origin[slow]);
        return Region.of(origin, Shape.of(extents));
    }

    private boolean isBand() {
        return !held.equals(task);
    }

    private double bytes(long elements) {
        return (double) elements * plan.problem().itemSize();
    }

    /** Draws the row. {@return notes on what is left out, one phrase each} */
    List<String> draw() {
        String order = plan.stages().size() == 1 ? "" : "stage " + number + ", ";
        svg.text(x, y + 14, Svg.Anchor.START, Svg.NORMAL, "h", order + stage.name() + ": " + summary(), 912);
        double top = y + 26;
        double middle = x + PANEL + BETWEEN;
        double right = middle + PANEL + BETWEEN;
        if (stage.kind().readsSpill()) {
            drawSpill(x, top, false);
        } else {
            drawSource(x, top);
        }
        drawArrow(x + PANEL, top, "reads", bytesRead());
        drawTask(middle, top);
        drawArrow(middle + PANEL, top, "writes", bytesWritten());
        if (stage.kind().writesSpill()) {
            drawSpill(right, top, true);
        } else {
            drawTarget(right, top);
        }
        return notes;
    }

    /** {@return what the stage does, in a phrase} */
    private String summary() {
        String tasks = NumberText.count(stage.tasks(), "task");
        return switch (stage.kind()) {
            case ENCODED -> "copies stored chunks without decoding them, in " + tasks;
            case PACKED -> "puts stored chunks into other shards or files without decoding them, in " + tasks;
            case SPLIT -> "reads the source once and writes it in pieces to " + spillName() + ", in " + tasks;
            case REGROUP -> "joins pieces to larger ones in " + spillName() + ", in " + tasks;
            case MERGE -> "assembles windows of the target from their pieces, in " + tasks;
            case PARTS ->
                "moves along " + axes.name(stage.axisOrder().get(0)) + " and writes each write unit part by part, in "
                        + tasks;
            default ->
                isBand()
                        ? "moves along " + axes.name(stage.axisOrder().get(0))
                                + " and keeps only unfinished write units in memory, in " + tasks
                        : stage.tasks() == 1
                                ? "assembles the whole target in memory, in 1 task"
                                : "assembles one window of the target at a time in memory, in " + tasks;
        };
    }

    private double bytesRead() {
        return stage.kind().readsSpill()
                ? bytesOfOneSpill()
                : plan.cost().bytesRead() - plan.cost().spillBytes();
    }

    private double bytesWritten() {
        return stage.kind().writesSpill()
                ? bytesOfOneSpill()
                : plan.cost().bytesWritten() - plan.cost().spillBytes();
    }

    /** {@return the bytes of one temporary copy; there is one between each two stages} */
    private double bytesOfOneSpill() {
        return (double) plan.cost().spillBytes() / (plan.stages().size() - 1);
    }

    /** Draws an arrow between two panels. */
    private void drawArrow(double from, double top, String verb, double bytes) {
        double height = top + 18 + BODY * 0.5;
        double centre = from + BETWEEN / 2;
        svg.arrow(from + 8, height, BETWEEN - 16, "arrow");
        svg.text(centre, height - 26, Svg.Anchor.MIDDLE, Svg.SMALL, "m", verb, BETWEEN);
        String exact = verb + " " + NumberText.exact(bytes, "byte");
        svg.text(centre, height - 10, Svg.Anchor.MIDDLE, Svg.NORMAL, "h", NumberText.bytes(bytes), BETWEEN, exact);
        String often = "each byte " + NumberText.times(bytes / plan.problem().bytes());
        svg.text(centre, height + 20, Svg.Anchor.MIDDLE, Svg.TINY, "m", often, BETWEEN);
    }

    private BoxDrawing body(double left, double top) {
        return new BoxDrawing(
                axes, Region.whole(plan.problem().source().shape()), left + 24, top + 22, PANEL - 24, BODY);
    }

    private void drawSource(double left, double top) {
        ChunkGrid grid = plan.problem().source();
        Region read = stage.bandShape().isPresent() ? held : covered(stage.source(), held);
        drawGrid(left, top, "source", grid, "chunk", read);
    }

    private void drawTarget(double left, double top) {
        ChunkGrid grid = plan.problem().target();
        drawGrid(left, top, "target", grid, "write unit", isBand() ? covered(grid, held) : held);
    }

    private void drawGrid(double left, double top, String style, ChunkGrid grid, String noun, Region part) {
        Region whole = Region.whole(grid.shape());
        BoxDrawing body = body(left, top);
        body.drawSolid(svg, whole, style);
        body.drawOnSurface(svg, part, "striped");
        addNote(style, body.drawCuts(svg, whole, grid, style + "-cuts"));
        body.drawFaces(svg, whole, "edge " + style + "-cuts");
        body.drawLabels(svg);
        drawTitle(left, top, style);
        drawCaption(left, top, grid, noun);
    }

    private String count(ChunkGrid grid, String noun) {
        return NumberText.count(grid.count(), noun)
                + (grid.isRegular() ? " of " : " of at most ")
                + NumberText.bytes(bytes(grid.largestChunk().elements()));
    }

    /** {@return the region of all chunks that a region touches} */
    private static Region covered(ChunkGrid grid, Region region) {
        Region chunks = grid.chunksTouching(region);
        long[] origin = new long[grid.rank()];
        long[] extents = new long[grid.rank()];
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] = grid.axis(axis).start(chunks.start(axis));
            extents[axis] = grid.axis(axis).end(chunks.end(axis) - 1) - origin[axis];
        }
        return Region.of(origin, Shape.of(extents));
    }

    private void drawTask(double left, double top) {
        BoxDrawing body = body(left, top);
        Region whole = Region.whole(stage.windows().shape());
        body.drawOutline(svg);
        addNote("tasks of the " + stage.name() + " stage", body.drawCuts(svg, whole, stage.windows(), "ghost"));
        body.drawSolid(svg, held, "task");
        body.drawFaces(svg, held, "striped");
        addNote("the task of the " + stage.name() + " stage", body.drawCuts(svg, held, pieces(), "task-cuts"));
        body.drawFaces(svg, held, "edge task-cuts");
        if (isBand()) {
            body.drawDirection(svg, stage.axisOrder().get(0));
        }
        String ring =
                NumberText.bytes(stage.memory().ringBytes() + stage.memory().wrapBytes());
        drawTitle(left, top, isBand() ? "in memory at once: " + ring : "one task in memory");
        drawCaption(left, top, stage.windows(), "task");
    }

    /** {@return the grid of the parts of a task: pieces if there is a spill, else write units} */
    private ChunkGrid pieces() {
        return switch (stage.kind()) {
            case SPLIT, REGROUP ->
                number + 1 < plan.stages().size()
                        ? plan.stages().get(number + 1).windows()
                        : stage.units();
            case MERGE -> number > 0 ? plan.stages().get(number - 1).windows() : stage.source();
            default -> stage.units();
        };
    }

    private String spillName() {
        String where = plan.resources().remoteSpill().isPresent() ? "temporary values" : "temporary files";
        return stage.memory().residentBytes() == 0 ? where : "memory and " + where;
    }

    private void drawSpill(double left, double top, boolean written) {
        int copy = written ? number : number - 1;
        long resident = stage.memory().residentBytes();
        drawTitle(left, top, spillName());
        SpillPanel panel = new SpillPanel(
                plan.stages().get(copy).windows(),
                plan.strategy().copies().get(copy),
                plan.problem().itemSize(),
                resident);
        panel.draw(svg, left, top + 22, PANEL - 16, BODY, written);
        drawCaption(left, top, panel.pieces(), panel.blocks(), "");
        addNote(spillName(), panel.leftOut());
    }

    private void addNote(String where, List<String> some) {
        if (!some.isEmpty()) {
            notes.add(where + ": only " + String.join(" and ", some) + " is drawn");
        }
    }

    private void drawTitle(double left, double top, String title) {
        svg.text(left, top + 12, Svg.Anchor.START, Svg.SMALL, "m", title, PANEL);
    }

    private void drawCaption(double left, double top, ChunkGrid grid, String noun) {
        String exact = NumberText.exact(grid.count(), noun)
                + (grid.isRegular() ? " of " : " of at most ")
                + NumberText.exact(bytes(grid.largestChunk().elements()), "byte");
        drawCaption(left, top, count(grid, noun), grid.largestChunk().toString(), exact);
    }

    private void drawCaption(double left, double top, String first, String second, String exact) {
        double line = top + 22 + BODY + 32;
        svg.text(left, line, Svg.Anchor.START, Svg.SMALL, "t", first, PANEL + 30, exact);
        svg.text(left, line + LINE, Svg.Anchor.START, Svg.SMALL, "m", second, PANEL + 30);
    }
}
