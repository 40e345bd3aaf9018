package dev.rechunker.picture;

import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Cost;
import dev.rechunker.plan.NumberText;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import java.util.List;

/**
 * The drawing of the costs of a plan: the memory of each stage next to {@code maxMem}, and the estimated time next to
 * that of the other strategies.
 */
final class CostPanel {
    private static final double WIDTH = 912;
    private static final double LABEL = 130;
    private static final double BAR = 14;
    private static final double ROW = 24;
    private static final List<String> COLUMNS = List.of("time", "reads", "writes", "temporary", "requests", "memory");

    private final CopyPlan plan;
    private final long minimumMemory;
    private final String heldName;
    private final List<CopyPlan.Alternative> alternatives;
    private final Svg svg;
    private final double x;

    /**
     * Creates the drawing.
     *
     * @param heldName what is in memory as long as arrays are open: indexes of chunks, or unfinished chunks of levels
     */
    CostPanel(CopyPlan plan, long minimumMemory, String heldName, Svg svg, double x) {
        this.plan = plan;
        this.minimumMemory = minimumMemory;
        this.heldName = heldName;
        this.alternatives = plan.alternatives();
        this.svg = svg;
        this.x = x;
    }

    /** {@return the height of the drawing in pixels} */
    double height() {
        return memoryHeight() + 54 + ROW * (1 + alternatives.size());
    }

    private double memoryHeight() {
        return 48 + ROW * plan.stages().size() + 14;
    }

    void draw(double y) {
        drawMemory(y);
        drawStrategies(y + memoryHeight());
    }

    private void drawMemory(double y) {
        long bound = plan.resources().maxMem();
        String bounds = "projected " + NumberText.bytes(plan.projectedMemory()) + " of maxMem "
                + NumberText.bytes(bound) + "; the least possible maxMem is "
                + NumberText.bytes(ByteSize.of(minimumMemory).roundedUp().bytes());
        String exact = exact("projected", (double) plan.projectedMemory()) + " of " + NumberText.exact(bound, "byte")
                + "; the least possible maxMem is " + NumberText.exact(minimumMemory, "byte");
        svg.text(x, y + 14, Svg.Anchor.START, Svg.NORMAL, "h", "memory: " + bounds, WIDTH, exact);
        double space = plan.problem().heldBytes() > 0 ? 380 : 440; // more text beside it
        double perByte = space / Math.max(bound, plan.projectedMemory());
        double left = x + LABEL;
        double line = y + 30;
        for (Stage stage : plan.stages()) {
            Stage.Memory memory = stage.memory();
            double ring = (double) memory.ringBytes() + memory.wrapBytes();
            double resident = memory.residentBytes();
            double lanes = (double) memory.total() - ring - resident;
            svg.text(x, line + 11, Svg.Anchor.START, Svg.SMALL, "t", stage.name(), LABEL - 8);
            svg.rect(left, line, ring * perByte, BAR, "task");
            svg.rect(left, line, ring * perByte, BAR, "striped", exact("write units", ring));
            svg.rect(left + ring * perByte, line, lanes * perByte, BAR, "quiet", exact("lanes", lanes));
            double held = plan.problem().heldBytes();
            if (resident > 0) {
                svg.rect(
                        left + (ring + lanes) * perByte,
                        line,
                        resident * perByte,
                        BAR,
                        "task",
                        exact("pieces", resident));
            }
            if (held > 0) {
                double from = left + (ring + lanes + resident) * perByte;
                svg.rect(from, line, held * perByte, BAR, "spill", exact(heldName, held));
            }
            String parts = "write units " + NumberText.bytes(ring) + ", "
                    + NumberText.count(memory.lanes(), "lane") + " "
                    + NumberText.bytes(lanes) + (resident > 0 ? ", pieces " + NumberText.bytes(resident) : "")
                    + (held > 0 ? ", " + heldName + " " + NumberText.bytes(held) : "");
            svg.text(left + space + 14, line + 11, Svg.Anchor.START, Svg.SMALL, "m", parts, WIDTH - LABEL - space - 14);
            line += ROW;
        }
        double edge = left + bound * perByte;
        svg.line(edge, y + 24, edge, line - ROW + BAR + 6, "bound");
        String limit = "maxMem " + NumberText.bytes(bound);
        svg.text(edge, line + 8, Svg.Anchor.END, Svg.SMALL, "t", limit, 160, exact("maxMem", (double) bound));
    }

    private void drawStrategies(double y) {
        svg.text(x, y + 14, Svg.Anchor.START, Svg.NORMAL, "h", "estimated time of each strategy", 300);
        double most = plan.cost().seconds();
        for (CopyPlan.Alternative other : alternatives) {
            most = Math.max(most, other.cost().seconds());
        }
        drawRow(y + 36, "", COLUMNS.stream().map(HtmlPage.Cell::of).toList(), "m");
        drawRow(y + 36 + ROW, plan.strategy().name(), figures(plan.cost(), plan.projectedMemory()), "h");
        drawBar(y + 36 + ROW, plan.cost().seconds() / most, true);
        double line = y + 36 + 2 * ROW;
        for (CopyPlan.Alternative other : alternatives) {
            drawRow(line, other.strategy().name(), figures(other.cost(), other.projectedMemory()), "m");
            drawBar(line, other.cost().seconds() / most, false);
            line += ROW;
        }
    }

    private void drawBar(double baseline, double share, boolean chosen) {
        double width = Math.max(1, share * 180);
        svg.rect(x + LABEL, baseline - 11, width, BAR, chosen ? "strong" : "quiet");
    }

    private void drawRow(double baseline, String name, List<HtmlPage.Cell> figures, String style) {
        svg.text(x, baseline, Svg.Anchor.START, Svg.SMALL, style, name, LABEL - 8);
        double right = x + LABEL + 180 + 100;
        for (HtmlPage.Cell figure : figures) {
            svg.text(right, baseline, Svg.Anchor.END, Svg.SMALL, style, figure.text(), 96, figure.exact());
            right += 100;
        }
    }

    private static List<HtmlPage.Cell> figures(Cost cost, long memory) {
        return List.of(
                new HtmlPage.Cell(
                        NumberText.seconds(cost.seconds()), NumberText.exact(cost.seconds() * 1e6, "microsecond")),
                bytes(cost.bytesRead()),
                bytes(cost.bytesWritten()),
                cost.spillBytes() == 0 ? HtmlPage.Cell.of("none") : bytes((double) cost.spillPeakBytes()),
                new HtmlPage.Cell(NumberText.count(cost.requests()), NumberText.exact(cost.requests(), "request")),
                bytes((double) memory));
    }

    private static HtmlPage.Cell bytes(double bytes) {
        return new HtmlPage.Cell(NumberText.bytes(bytes), NumberText.exact(bytes, "byte"));
    }

    private static String exact(String what, double bytes) {
        return what + " " + NumberText.exact(bytes, "byte");
    }
}
