package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import java.util.ArrayList;
import java.util.List;

/** A stage as three panels: what it reads from, one task in memory, what it writes to. */
final class StageRow {
    /** How high a row is. */
    static final double HEIGHT = 262;

    private static final double PANEL = 236;
    private static final double BETWEEN = 102;
    private static final double BODY = 150;
    private static final int LINE = 16;

    private final CopyPlan plan;
    private final int number;
    private final Stage stage;
    private final Axes axes;
    private final Region task;
    private final Region held;
    private final Svg svg;
    private final double x;
    private final double y;
    private final List<String> notes = new ArrayList<>();

    StageRow(CopyPlan plan, int number, Axes axes, Svg svg, double x, double y) {
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
        double share = stage.kind() == Stage.Kind.ENCODED
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

    /** Draws the row; {@return what it leaves out, in phrases} */
    List<String> draw() {
        String order = plan.stages().size() == 1 ? "" : "stage " + (number + 1) + ", ";
        svg.text(x, y + 14, Svg.Anchor.START, Svg.NORMAL, "h", order + stage.name() + ": " + idea(), 912);
        double top = y + 26;
        double middle = x + PANEL + BETWEEN;
        double right = middle + PANEL + BETWEEN;
        if (stage.kind().readsSpill()) {
            spill(x, top, false);
        } else {
            source(x, top);
        }
        arrow(x + PANEL, top, "reads", bytesRead());
        task(middle, top);
        arrow(middle + PANEL, top, "writes", bytesWritten());
        if (stage.kind().writesSpill()) {
            spill(right, top, true);
        } else {
            target(right, top);
        }
        return notes;
    }

    /** {@return what happens, in a sentence} */
    private String idea() {
        String tasks = Words.count(stage.tasks(), "task");
        return switch (stage.kind()) {
            case ENCODED -> "stored chunks are copied as they are, without decoding, in " + tasks;
            case SPLIT -> "the source is read once, and its pieces go to " + spillName() + ", in " + tasks;
            case REGROUP -> "pieces are put together to larger ones in " + spillName() + ", in " + tasks;
            case MERGE -> "windows of the target are assembled from their pieces, in " + tasks;
            case PARTS ->
                "goes along " + axes.name(stage.axisOrder().get(0))
                        + "; write units grow part by part in their files, in " + tasks;
            default ->
                isBand()
                        ? "goes along " + axes.name(stage.axisOrder().get(0)) + ", holding only what still waits, in "
                                + tasks
                        : stage.tasks() == 1
                                ? "the whole target is assembled in memory at once, in 1 task"
                                : "one window of the target after the other is assembled in memory, in " + tasks;
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

    /** {@return what goes through one of the temporary copies, of which there is one between two stages} */
    private double bytesOfOneSpill() {
        return (double) plan.cost().spillBytes() / (plan.stages().size() - 1);
    }

    /** Draws an arrow between two panels. */
    private void arrow(double from, double top, String verb, double bytes) {
        double height = top + 18 + BODY * 0.5;
        double centre = from + BETWEEN / 2;
        svg.arrow(from + 8, height, BETWEEN - 16, "arrow");
        svg.text(centre, height - 26, Svg.Anchor.MIDDLE, Svg.SMALL, "m", verb, BETWEEN);
        svg.text(centre, height - 10, Svg.Anchor.MIDDLE, Svg.NORMAL, "h", Words.bytes(bytes), BETWEEN);
        String often = "each byte " + Words.times(bytes / plan.problem().bytes());
        svg.text(centre, height + 20, Svg.Anchor.MIDDLE, Svg.TINY, "m", often, BETWEEN);
    }

    private Body body(double left, double top) {
        return new Body(axes, Region.whole(plan.problem().source().shape()), left + 24, top + 22, PANEL - 70, BODY);
    }

    private void source(double left, double top) {
        ChunkGrid grid = plan.problem().source();
        Region read = stage.bandShape().isPresent() ? held : covered(stage.source(), held);
        grid(left, top, "source", grid, "chunk", read);
    }

    private void target(double left, double top) {
        ChunkGrid grid = plan.problem().target();
        grid(left, top, "target", grid, "write unit", isBand() ? covered(grid, held) : held);
    }

    private void grid(double left, double top, String style, ChunkGrid grid, String noun, Region part) {
        Region whole = Region.whole(grid.shape());
        Body body = body(left, top);
        body.solid(svg, whole, style);
        body.mark(svg, part, "striped");
        note(style, body.cuts(svg, whole, grid, style + "-cuts"));
        body.over(svg, whole, "edge " + style + "-cuts");
        body.labels(svg);
        title(left, top, style);
        caption(left, top, count(grid, noun), grid.largestChunk().toString());
    }

    private String count(ChunkGrid grid, String noun) {
        return Words.count(grid.count(), noun)
                + (grid.isRegular() ? " of " : " of at most ")
                + Words.bytes(bytes(grid.largestChunk().elements()));
    }

    /** {@return what the chunks that a region touches cover together} */
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

    private void task(double left, double top) {
        Body body = body(left, top);
        Region whole = Region.whole(stage.windows().shape());
        body.ghost(svg);
        note("tasks of " + stage.name(), body.cuts(svg, whole, stage.windows(), "ghost"));
        body.solid(svg, held, "task");
        body.over(svg, held, "striped");
        note("the task of " + stage.name(), body.cuts(svg, held, pieces(), "task-cuts"));
        body.over(svg, held, "edge task-cuts");
        if (isBand()) {
            body.along(svg, stage.axisOrder().get(0));
        }
        String ring = Words.bytes(stage.memory().ringBytes() + stage.memory().wrapBytes());
        title(left, top, isBand() ? "in memory at once: " + ring : "one task in memory");
        caption(
                left,
                top,
                count(stage.windows(), "task"),
                stage.windows().largestChunk().toString());
    }

    /** {@return what a task is cut into: pieces, where the stage before or after cuts otherwise, else write units} */
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

    private void spill(double left, double top, boolean written) {
        int copy = written ? number : number - 1;
        long resident = stage.memory().residentBytes();
        title(left, top, spillName());
        SpillPanel panel = new SpillPanel(
                plan.stages().get(copy).windows(),
                ((Strategy.Spill) plan.strategy()).copies().get(copy),
                plan.problem().itemSize(),
                resident);
        panel.draw(svg, left, top + 22, PANEL - 16, BODY, written);
        caption(left, top, panel.pieces(), panel.blocks());
        note(spillName(), panel.some());
    }

    private void note(String where, List<String> some) {
        if (!some.isEmpty()) {
            notes.add(where + ": " + String.join(" and ", some) + " drawn");
        }
    }

    private void title(double left, double top, String title) {
        svg.text(left, top + 12, Svg.Anchor.START, Svg.SMALL, "m", title, PANEL);
    }

    private void caption(double left, double top, String first, String second) {
        double line = top + 22 + BODY + 32;
        svg.text(left, line, Svg.Anchor.START, Svg.SMALL, "t", first, PANEL + 30);
        svg.text(left, line + LINE, Svg.Anchor.START, Svg.SMALL, "m", second, PANEL + 30);
    }
}
