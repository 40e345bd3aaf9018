package dev.rechunker.picture;

import dev.rechunker.plan.CopyPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The picture of a plan: for each array its grids, the tasks of its stages, the memory against the bound, and the time
 * of every strategy. Arrays whose plans are the same are drawn once.
 */
public final class PlanPicture {
    /** Pictures of more different plans than so many are left out, and counted. */
    private static final int MOST_PLANS = 8;

    private static final double WIDTH = 960;
    private static final double MARGIN = 24;

    private final String title;
    private final List<String> losses;
    private final Map<Like, List<String>> plans = new LinkedHashMap<>();

    /** What two arrays share that are drawn once. */
    private record Like(List<@Nullable String> axes, CopyPlan plan, long afterwards) {
        /** {@return the least bound that would do; searched for whenever asked} */
        long minimumMemory() {
            return Math.max(plan.minimumMemory(), afterwards);
        }
    }

    /**
     * An array and how it is copied.
     *
     * @param name what it is called, empty for an array alone
     * @param axes the names of its axes as far as they are known
     * @param plan how it is copied
     * @param afterwards the least bound, in bytes, that would do for what follows the copy; 0 if nothing does
     */
    public record PlannedArray(String name, List<@Nullable String> axes, CopyPlan plan, long afterwards) {
        /** Takes a copy of the names of axes, which may be null. */
        public PlannedArray {
            axes = Collections.unmodifiableList(new ArrayList<>(axes));
        }

        /** Of an array that is copied, and nothing else. */
        public PlannedArray(String name, List<@Nullable String> axes, CopyPlan plan) {
            this(name, axes, plan, 0);
        }
    }

    private PlanPicture(String title, List<PlannedArray> arrays, List<String> losses) {
        this.title = title;
        this.losses = List.copyOf(losses);
        for (PlannedArray array : arrays) {
            Like like = new Like(array.axes(), array.plan(), array.afterwards());
            plans.computeIfAbsent(like, none -> new ArrayList<>()).add(array.name());
        }
    }

    /** {@return the picture of an array's plan} */
    public static PlanPicture of(CopyPlan plan) {
        return of("", List.of(new PlannedArray("", List.of(), plan)), List.of());
    }

    /**
     * {@return the picture of the plans of several arrays}
     *
     * @param title what it is called, empty for nothing
     * @param losses sentences that the page lists as what is not kept
     */
    public static PlanPicture of(String title, List<PlannedArray> arrays, List<String> losses) {
        return new PlanPicture(title, arrays, losses);
    }

    /** {@return a page of HTML} */
    public String html() {
        return page().html();
    }

    /** {@return a page of HTML that says also what the run did} */
    public String html(RunPicture run) {
        return run.addTo(page()).html();
    }

    private Page page() {
        Page page = new Page(title.isEmpty() ? "plan" : title).drawing(svg());
        int words = 0;
        for (Map.Entry<Like, List<String>> entry : plans.entrySet()) {
            if (words++ < MOST_PLANS) {
                page.words(
                        entry.getValue().get(0),
                        entry.getKey().plan().explain(entry.getKey().minimumMemory()));
            }
        }
        return page.list("not kept", losses);
    }

    /** {@return an SVG document} */
    public String svg() {
        Svg svg = new Svg();
        double y = MARGIN;
        if (!title.isEmpty()) {
            svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.LARGE, "h", title, WIDTH - 2 * MARGIN);
            y += 34;
        }
        int drawn = 0;
        for (Map.Entry<Like, List<String>> entry : plans.entrySet()) {
            if (drawn == MOST_PLANS) {
                String rest = "… and " + Words.count(plans.size() - drawn, "more plan") + ", not drawn";
                svg.text(MARGIN, y + 14, Svg.Anchor.START, Svg.NORMAL, "m", rest, WIDTH - 2 * MARGIN);
                y += 30;
                break;
            }
            if (drawn++ > 0) {
                svg.line(MARGIN, y, WIDTH - MARGIN, y, "rule");
                y += 24;
            }
            y = array(svg, entry.getKey(), entry.getValue(), y);
        }
        return svg.document("plan", title.isEmpty() ? "plan" : title, WIDTH, y);
    }

    private static double array(Svg svg, Like like, List<String> names, double top) {
        CopyPlan plan = like.plan();
        double y = top;
        double width = WIDTH - 2 * MARGIN;
        String name = String.join(", ", names);
        if (!name.isEmpty()) {
            String count = names.size() == 1 ? "" : Words.count(names.size()) + " arrays: ";
            svg.text(MARGIN, y + 13, Svg.Anchor.START, Svg.NORMAL, "h", count + name, width);
            y += 24;
        }
        String grids =
                Words.bytes(plan.problem().bytes()) + " of " + plan.problem().source() + " to "
                        + plan.problem().target().chunkShape() + ", "
                        + Words.count(plan.problem().itemSize(), "byte")
                        + " per element";
        svg.text(MARGIN, y + 12, Svg.Anchor.START, Svg.NORMAL, "t", grids, width);
        y += 30;
        if (plan.stages().isEmpty()) {
            String nothing = "nothing to do: the array has no element";
            svg.text(MARGIN, y + 12, Svg.Anchor.START, Svg.NORMAL, "m", nothing, width);
            return y + 36;
        }
        Axes axes = new Axes(plan, like.axes());
        List<String> notes = new ArrayList<>(List.of("striped: one task, or what of it is in memory at once"));
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
        Costs costs = new Costs(plan, like.minimumMemory(), svg, MARGIN);
        costs.draw(y);
        return y + costs.height() + 20;
    }

    /** {@return the phrases, as many on a line as fit} */
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
