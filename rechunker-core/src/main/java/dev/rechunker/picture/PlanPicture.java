package dev.rechunker.picture;

import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The picture of a plan. It shows the grids of each array, the tasks of each stage, the memory next to {@code maxMem},
 * and the estimated time of each strategy. Arrays with equal plans are drawn once, the largest first; small arrays are
 * not drawn, but have a line each in the HTML page.
 */
public final class PlanPicture {
    /** The most plans that are drawn; the number of the others is noted. */
    private static final int MOST_PLANS = 8;

    /** The least share of all bytes of the arrays with a plan that is drawn, unless it is that of the most. */
    private static final double LARGE = 0.1;

    private static final double WIDTH = 960;
    private static final double MARGIN = 24;

    private final String title;
    private final List<String> losses;
    private final Map<DrawnPlan, List<String>> plans = new LinkedHashMap<>();
    private final List<DrawnPlan> large;

    /** What is equal in arrays that are drawn once. */
    private record DrawnPlan(
            List<@Nullable String> axes, CopyPlan plan, long afterwards, List<DrawnLevel> levels, String notes) {
        /** {@return the least possible {@code maxMem}; computed by a search each time} */
        long minimumMemory() {
            return Math.max(plan.minimumMemory(), afterwards);
        }
    }

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
        for (PlannedArray array : arrays) {
            DrawnPlan plan =
                    new DrawnPlan(array.axes(), array.plan(), array.afterwards(), array.levels(), array.notes());
            plans.computeIfAbsent(plan, none -> new ArrayList<>()).add(array.name());
        }
        double all = plans.keySet().stream().mapToDouble(this::bytes).sum();
        List<DrawnPlan> largest = plans.keySet().stream()
                .sorted(Comparator.comparingDouble(this::bytes).reversed())
                .limit(MOST_PLANS)
                .toList();
        this.large = largest.stream()
                .filter(plan -> bytes(plan) >= LARGE * all || plan.equals(largest.get(0)))
                .toList();
    }

    /** {@return the bytes of all arrays with a plan} */
    private double bytes(DrawnPlan plan) {
        return (double) plan.plan().problem().bytes() * names(plan).size();
    }

    private List<String> names(DrawnPlan plan) {
        return plans.getOrDefault(plan, List.of());
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
        HtmlPage page = new HtmlPage(title.isEmpty() ? "plan" : title).addDrawing(svg());
        for (DrawnPlan plan : large) {
            page.addDetails(names(plan).get(0), plan.plan().explain(plan.minimumMemory()) + plan.notes());
        }
        List<List<String>> rows = small().flatMap(plan -> names(plan).stream().map(name -> row(name, plan.plan())))
                .toList();
        if (!rows.isEmpty()) {
            page.addTable("other arrays", rows);
        }
        return page.addList("not kept in the target", losses);
    }

    /** {@return the plans that are not drawn} */
    private Stream<DrawnPlan> small() {
        return plans.keySet().stream().filter(plan -> !large.contains(plan));
    }

    private static List<String> row(String name, CopyPlan plan) {
        return List.of(
                name,
                NumberText.bytes(plan.problem().bytes()),
                plan.problem().source().chunkText() + " to "
                        + plan.problem().target().chunkText(),
                plan.strategy().name(),
                NumberText.count(plan.tasks(), "task"));
    }

    /** {@return the picture as an SVG document} */
    public String svg() {
        Svg svg = new Svg();
        double y = MARGIN;
        if (!title.isEmpty()) {
            svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.LARGE, "h", title, WIDTH - 2 * MARGIN);
            y += 34;
        }
        for (DrawnPlan plan : large) {
            if (!plan.equals(large.get(0))) {
                svg.line(MARGIN, y, WIDTH - MARGIN, y, "rule");
                y += 24;
            }
            y = drawArray(svg, plan, names(plan), y);
        }
        long left = small().mapToLong(plan -> names(plan).size()).sum();
        if (left > 0) {
            String rest = "… and " + NumberText.count(left, "smaller array") + ", not drawn";
            svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.NORMAL, "m", rest, WIDTH - 2 * MARGIN);
            y += 30;
        }
        return svg.document("plan", title.isEmpty() ? "plan" : title, WIDTH, y);
    }

    /** Draws an array. {@return the y coordinate below it} */
    private static double drawArray(Svg svg, DrawnPlan drawn, List<String> names, double top) {
        CopyPlan plan = drawn.plan();
        double y = top;
        double width = WIDTH - 2 * MARGIN;
        String name = String.join(", ", names);
        if (!name.isEmpty()) {
            String count = names.size() == 1 ? "" : NumberText.count(names.size()) + " arrays: ";
            svg.text(MARGIN, y + 13, Svg.Anchor.START, Svg.NORMAL, "h", count + name, width);
            y += 24;
        }
        String grids = NumberText.bytes(plan.problem().bytes()) + " of "
                + plan.problem().source() + " to "
                + plan.problem().target().chunkText() + ", "
                + NumberText.count(plan.problem().itemSize(), "byte")
                + " per element";
        svg.text(MARGIN, y + 12, Svg.Anchor.START, Svg.NORMAL, "t", grids, width);
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
