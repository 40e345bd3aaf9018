package dev.rechunker.picture;

import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The picture of a plan. It shows the grids of the largest array, the tasks of each stage, the memory next to
 * {@code maxMem}, and the estimated time of each strategy. The other arrays have a line each in a table of the HTML
 * page, the largest first, as far as the page has space for them.
 */
public final class PlanPicture {
    private static final List<String> COLUMNS =
            List.of("array", "size", "chunks", "become", "strategy", "tasks", "memory", "time");

    private static final double WIDTH = 960;
    private static final double MARGIN = 24;

    private final String title;
    private final List<String> losses;
    /** The largest array; null if there are none. */
    private final @Nullable PlannedArray main;
    /** All arrays but the first. */
    private final List<PlannedArray> others;

    /**
     * An array and its plan.
     *
     * @param name the name of the array, empty if there is only one
     * @param axes the names of the axes; null for an axis without a name, and possibly fewer than there are axes
     * @param plan the plan of the copy
     * @param afterwards the least possible {@code maxMem}, in bytes, of the work after the copy; 0 if there is none
     * @param levels the levels of a pyramid that are made of the array; none if it is not the first of one
     * @param notes the lines on when they are made; empty if there are none
     */
    public record PlannedArray(
            String name,
            List<@Nullable String> axes,
            CopyPlan plan,
            long afterwards,
            List<DrawnLevel> levels,
            String notes) {
        /** Copies the lists. */
        public PlannedArray {
            axes = Collections.unmodifiableList(new ArrayList<>(axes));
            levels = List.copyOf(levels);
        }

        /** Creates an array with no work after the copy. */
        public PlannedArray(String name, List<@Nullable String> axes, CopyPlan plan) {
            this(name, axes, plan, 0, List.of(), "");
        }

        /** {@return the least possible {@code maxMem}; computed by a search each time} */
        private long minimumMemory() {
            return Math.max(plan.minimumMemory(), afterwards);
        }

        private long bytes() {
            return plan.problem().bytes();
        }
    }

    /**
     * A level of a pyramid after the first.
     *
     * @param shape its shape
     * @param waitingBytes the memory of its unfinished chunks; 0 if it is made later
     * @param inSamePass whether it is made while the first level is written
     */
    public record DrawnLevel(Shape shape, long waitingBytes, boolean inSamePass) {}

    private PlanPicture(String title, List<PlannedArray> arrays, List<String> losses) {
        this.title = title;
        this.losses = List.copyOf(losses);
        List<PlannedArray> sorted = arrays.stream()
                .sorted(Comparator.comparingLong(PlannedArray::bytes).reversed())
                .toList();
        this.main = sorted.isEmpty() ? null : sorted.get(0);
        this.others = sorted.subList(Math.min(1, sorted.size()), sorted.size());
    }

    /** {@return the picture of the plan of one array} */
    public static PlanPicture of(CopyPlan plan) {
        return of("", List.of(new PlannedArray("", List.of(), plan)), List.of());
    }

    /**
     * {@return the picture of the plans of several arrays}
     *
     * @param title the title of the picture, empty for none
     * @param losses sentences on what is not kept in the target, which the HTML page lists
     */
    public static PlanPicture of(String title, List<PlannedArray> arrays, List<String> losses) {
        return new PlanPicture(title, arrays, losses);
    }

    /** {@return the picture as an HTML page} */
    public String html() {
        return page().html();
    }

    /** {@return the picture as an HTML page, together with the picture of a run} */
    public String html(RunPicture run) {
        return run.addTo(page()).html();
    }

    private HtmlPage page() {
        HtmlPage page = new HtmlPage(title.isEmpty() ? "plan" : title).addDrawing(svg(false));
        if (main != null) {
            page.addDetails("The plan as text", main.plan().explain(main.minimumMemory()) + main.notes());
        }
        if (!others.isEmpty()) {
            int shown = Math.min(others.size(), HtmlPage.MOST_ITEMS);
            page.addTable(
                    others.size() == 1 ? "1 other array" : NumberText.count(others.size()) + " other arrays",
                    COLUMNS,
                    others.subList(0, shown).stream().map(PlanPicture::row).toList());
            List<PlannedArray> rest = others.subList(shown, others.size());
            if (!rest.isEmpty()) {
                double bytes = rest.stream().mapToDouble(PlannedArray::bytes).sum();
                page.addText("… and " + NumberText.count(rest.size(), "smaller array") + ", " + NumberText.bytes(bytes)
                        + " in all");
            }
        }
        return page.addList("Not kept in the target", losses);
    }

    private static List<HtmlPage.Cell> row(PlannedArray array) {
        CopyPlan plan = array.plan();
        double seconds = plan.cost().seconds();
        return List.of(
                HtmlPage.Cell.of(array.name()),
                bytes(plan.problem().bytes()),
                HtmlPage.Cell.of(plan.problem().source().chunkText()),
                HtmlPage.Cell.of(plan.problem().target().chunkText()),
                HtmlPage.Cell.of(plan.strategy().name()),
                HtmlPage.Cell.of(NumberText.count(plan.tasks())),
                bytes(plan.projectedMemory()),
                new HtmlPage.Cell(NumberText.seconds(seconds), NumberText.exact(seconds * 1e6, "microsecond")));
    }

    private static HtmlPage.Cell bytes(long bytes) {
        return new HtmlPage.Cell(NumberText.bytes(bytes), NumberText.exact(bytes, "byte"));
    }

    /** {@return the picture as an SVG document} */
    public String svg() {
        return svg(true);
    }

    /** {@return the picture; {@code alone} if it needs a title and a note on what is left out} */
    private String svg(boolean alone) {
        Svg svg = new Svg();
        double y = MARGIN;
        if (alone && !title.isEmpty()) {
            svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.LARGE, "h", title, WIDTH - 2 * MARGIN);
            y += 34;
        }
        if (main == null) {
            svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.NORMAL, "m", "nothing to do: there are no arrays", WIDTH);
            y += 36;
        } else {
            y = drawArray(svg, main, y);
        }
        if (alone && !others.isEmpty()) {
            String rest = "… and " + NumberText.count(others.size(), "smaller array") + ", not drawn";
            svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.NORMAL, "m", rest, WIDTH - 2 * MARGIN);
            y += 30;
        }
        return svg.document("plan", title.isEmpty() ? "plan" : title, WIDTH, y);
    }

    /** Draws an array. {@return the y coordinate below it} */
    private static double drawArray(Svg svg, PlannedArray drawn, double top) {
        CopyPlan plan = drawn.plan();
        double y = top;
        double width = WIDTH - 2 * MARGIN;
        if (!drawn.name().isEmpty()) {
            svg.text(MARGIN, y + 13, Svg.Anchor.START, Svg.NORMAL, "h", "array " + drawn.name(), width);
            y += 24;
        }
        String grids = NumberText.bytes(plan.problem().bytes()) + " of "
                + plan.problem().source() + " to "
                + plan.problem().target().chunkText() + ", "
                + NumberText.count(plan.problem().itemSize(), "byte")
                + " per element";
        String exact = NumberText.exact(plan.problem().bytes(), "byte") + ", "
                + NumberText.exact(plan.problem().source().shape().elements(), "element");
        svg.text(MARGIN, y + 12, Svg.Anchor.START, Svg.NORMAL, "t", grids, width, exact);
        y += 30;
        if (plan.stages().isEmpty()) {
            String nothing = "nothing to do: the array has no elements";
            svg.text(MARGIN, y + 12, Svg.Anchor.START, Svg.NORMAL, "m", nothing, width);
            return y + 36;
        }
        DrawnAxes axes = new DrawnAxes(plan, drawn.axes());
        List<String> notes = new ArrayList<>(List.of("striped: one task, or the part of it that is in memory at once"));
        for (int stage = 0; stage < plan.stages().size(); stage++) {
            notes.addAll(new StageRow(plan, stage, axes, svg, MARGIN, y).draw());
            y += StageRow.HEIGHT;
        }
        notes.addAll(axes.notes());
        for (String line : lines(notes, width)) {
            svg.text(MARGIN, y + 10, Svg.Anchor.START, Svg.SMALL, "m", line, width);
            y += 17;
        }
        y += 14;
        if (!drawn.levels().isEmpty()) {
            LevelPanel levels = new LevelPanel(plan, drawn.levels(), svg, MARGIN);
            levels.draw(y);
            y += levels.height() + 10;
        }
        String held = drawn.levels().stream().anyMatch(DrawnLevel::inSamePass) ? "levels" : "indexes";
        CostPanel costs = new CostPanel(plan, drawn.minimumMemory(), held, svg, MARGIN);
        costs.draw(y);
        return y + costs.height() + 20;
    }

    /** {@return the phrases joined to lines of at most a width} */
    private static List<String> lines(List<String> phrases, double width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String phrase : new LinkedHashSet<>(phrases)) {
            if (!line.isEmpty() && Svg.width(line + "; " + phrase, Svg.SMALL) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : "; ").append(phrase);
        }
        lines.add(line.toString());
        return lines;
    }
}
