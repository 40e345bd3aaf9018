package dev.rechunker.picture;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.NumberText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The page of suggested chunks: what each of them costs the ways of reading, and how they cut the array. */
public final class ChoicePicture {
    private static final double WIDTH = 960;
    private static final double MARGIN = 24;
    private static final double PLOT = 330;
    private static final int IN_ROW = 4;
    private static final double BOX = 190;

    /** The most plots; the first way of reading is compared with as many others. */
    private static final int MOST_PLOTS = 3;

    private final String title;
    private final List<? extends @Nullable String> axes;
    private final List<String> ways;
    private final List<Drawn> candidates;
    private final List<List<Double>> others;

    /**
     * Chunks that are drawn.
     *
     * @param name a short name
     * @param chunks the chunks
     * @param units the number of chunks, or of shards
     * @param seconds the time of a read in each way
     * @param isPresent whether they are the present chunks of the array
     */
    public record Drawn(String name, ChunkGrid chunks, long units, List<Double> seconds, boolean isPresent) {}

    /**
     * Creates the picture.
     *
     * @param title the name of the array; possibly empty
     * @param axes the names of the axes; null for an axis without a name, and possibly fewer than there are axes
     * @param ways the texts of the ways of reading
     * @param candidates the chunks that are drawn; at least one
     * @param others the times of the chunks that are not
     */
    public ChoicePicture(
            String title,
            List<? extends @Nullable String> axes,
            List<String> ways,
            List<Drawn> candidates,
            List<List<Double>> others) {
        this.title = title.isEmpty() ? "chunks for ways of reading" : title;
        this.axes = axes;
        this.ways = ways;
        this.candidates = candidates;
        this.others = others;
    }

    /**
     * {@return the page}
     *
     * @param rows the table of the candidates, with the names of the columns first
     * @param text the same for the reader who wants to copy it
     */
    public String html(List<List<String>> rows, String text) {
        return new HtmlPage(title)
                .addTable(
                        "Costs",
                        rows.get(0),
                        rows.subList(1, rows.size()).stream()
                                .map(row -> row.stream().map(HtmlPage.Cell::of).toList())
                                .toList())
                .addDrawing(svg())
                .addDetails("The table as text", text)
                .html();
    }

    private String svg() {
        Svg svg = new Svg();
        double y = MARGIN;
        for (int plot = 0; plot < Math.max(1, Math.min(MOST_PLOTS, ways.size() - 1)); plot++) {
            drawPlot(svg, y, plot + 1);
            y += PLOT + 20;
        }
        for (int first = 0; first < candidates.size(); first += IN_ROW) {
            for (int at = first; at < Math.min(first + IN_ROW, candidates.size()); at++) {
                double width = (WIDTH - 2 * MARGIN) / IN_ROW;
                drawChunks(svg, MARGIN + (at - first) * width, y, width, candidates.get(at));
            }
            y += BOX + 60;
        }
        return svg.document("choice", title, WIDTH, y);
    }

    /** Draws the time of the first way against that of another one, or against the number of chunks. */
    private void drawPlot(Svg svg, double y, int other) {
        boolean units = other >= ways.size();
        List<List<Double>> all = Stream.concat(
                        candidates.stream().map(Drawn::seconds), units ? Stream.of() : others.stream())
                .toList();
        double[] across = all.stream().mapToDouble(seconds -> seconds.get(0)).toArray();
        double[] up = units
                ? candidates.stream().mapToDouble(Drawn::units).toArray()
                : all.stream().mapToDouble(seconds -> seconds.get(other)).toArray();
        LogPlot plot = new LogPlot(
                svg,
                MARGIN,
                y,
                WIDTH - 2 * MARGIN,
                PLOT,
                LogPlot.Scale.of(across, NumberText::seconds),
                LogPlot.Scale.of(up, units ? NumberText::count : NumberText::seconds));
        plot.drawScales("time of " + ways.get(0), units ? "number of chunks" : "time of " + ways.get(other));
        if (!units) {
            others.forEach(seconds -> plot.drawPoint(seconds.get(0), seconds.get(other), 2, "strong", ""));
        }
        for (Drawn drawn : candidates) {
            double value = units ? drawn.units() : drawn.seconds().get(other);
            plot.drawPoint(drawn.seconds().get(0), value, 5.5, style(drawn), exact(drawn));
        }
        for (Drawn drawn : candidates) {
            double value = units ? drawn.units() : drawn.seconds().get(other);
            plot.drawName(drawn.seconds().get(0), value, drawn.name());
        }
    }

    private static String style(Drawn drawn) {
        return drawn.isPresent() ? "source" : "target";
    }

    private String exact(Drawn drawn) {
        List<String> parts =
                new ArrayList<>(List.of(drawn.chunks().chunkText(), NumberText.count(drawn.units(), "chunk")));
        for (int way = 0; way < ways.size(); way++) {
            parts.add(ways.get(way) + ": " + NumberText.seconds(drawn.seconds().get(way)));
        }
        return String.join("; ", parts);
    }

    private void drawChunks(Svg svg, double x, double y, double width, Drawn drawn) {
        ChunkGrid grid = drawn.chunks();
        Region whole = Region.whole(grid.shape());
        BoxDrawing box = new BoxDrawing(drawnAxes(grid.shape()), whole, x + 24, y + 22, width - 24, BOX - 30);
        box.drawSolid(svg, whole, style(drawn));
        box.drawOnSurface(svg, grid.regionAt(0), "striped");
        box.drawCuts(svg, whole, grid, style(drawn) + "-cuts");
        box.drawFaces(svg, whole, "edge " + style(drawn) + "-cuts");
        box.drawLabels(svg);
        svg.text(x, y + 8, Svg.Anchor.START, Svg.SMALL, "h", drawn.name() + ": " + grid.chunkText(), width - 8);
        String count = NumberText.count(grid.count(), "chunk");
        svg.text(x, y + BOX + 24, Svg.Anchor.START, Svg.SMALL, "m", count, width - 8);
    }

    /** {@return the longest axes} */
    private DrawnAxes drawnAxes(Shape shape) {
        long[] ones = new long[shape.rank()];
        Arrays.fill(ones, 1);
        return new DrawnAxes(
                ChunkGrid.regular(shape, shape), ChunkGrid.regular(shape, Shape.of(ones)), List.of(), axes);
    }
}
