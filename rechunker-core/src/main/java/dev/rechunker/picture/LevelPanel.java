package dev.rechunker.picture;

import dev.rechunker.picture.PlanPicture.DrawnLevel;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import java.util.List;

/**
 * The drawing of the levels of a pyramid: a bar for each, as long as its share of the bytes of the first one, with the
 * memory that its unfinished chunks take, or the note that it is made later.
 */
final class LevelPanel {
    private static final double WIDTH = 912;
    private static final double LABEL = 130;
    private static final double SPACE = 440;
    private static final double BAR = 14;
    private static final double ROW = 24;
    private static final double HEAD = 30;

    private final CopyPlan plan;
    private final List<DrawnLevel> levels;
    private final Svg svg;
    private final double x;

    LevelPanel(CopyPlan plan, List<DrawnLevel> levels, Svg svg, double x) {
        this.plan = plan;
        this.levels = levels;
        this.svg = svg;
        this.x = x;
    }

    /** {@return the height of the drawing in pixels} */
    double height() {
        return HEAD + ROW * (levels.size() + 1);
    }

    void draw(double y) {
        long made = levels.stream().filter(DrawnLevel::inSamePass).count();
        String summary = "levels: " + made + " of " + levels.size() + " made in the same pass";
        svg.text(x, y + 14, Svg.Anchor.START, Svg.NORMAL, "h", summary, WIDTH);
        double line = y + HEAD;
        double all = plan.problem().bytes();
        drawRow(line, "all elements", all, all, "task", "read, and written");
        for (DrawnLevel level : levels) {
            line += ROW;
            double bytes = (double) level.shape().elements() * plan.problem().itemSize();
            String note = level.inSamePass()
                    ? "in the same pass, " + NumberText.bytes(level.waitingBytes()) + " unfinished"
                    : "later, of the level before";
            drawRow(line, level.shape().toString(), bytes, all, level.inSamePass() ? "task" : "quiet", note);
        }
    }

    private void drawRow(double line, String name, double bytes, double all, String style, String note) {
        double left = x + LABEL;
        svg.text(x, line + 11, Svg.Anchor.START, Svg.SMALL, "t", name, LABEL - 8);
        svg.rect(left, line, Math.max(1, SPACE * bytes / Math.max(1, all)), BAR, style);
        String text = NumberText.bytes(bytes) + ", " + note;
        double width = WIDTH - LABEL - SPACE - 14;
        String exact = NumberText.exact(bytes, "byte");
        svg.text(left + SPACE + 14, line + 11, Svg.Anchor.START, Svg.SMALL, "m", text, width, exact);
    }
}
