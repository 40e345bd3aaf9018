package dev.rechunker.picture;

import dev.rechunker.plan.NumberText;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The picture of a run: bytes read and written per second, and memory in use next to {@code maxMem}, over time. */
public final class RunPicture {
    private static final double WIDTH = 960;
    private static final double MARGIN = 24;
    private static final double CHART = 216;

    /** The most parts into which the time is divided; the rate of each part is shown. */
    private static final int MOST_PARTS = 60;

    private final List<Moment> moments;
    private final List<Fact> facts;
    private final double maxMem;
    private final double projectedMemory;
    private final List<String> losses;

    /**
     * The state of a run at some time.
     *
     * @param seconds seconds since the run started, at least those of the moment before
     * @param stage the name of the stage that was running
     * @param bytesRead uncompressed bytes read so far
     * @param bytesWritten uncompressed bytes written so far
     * @param memoryHeld bytes of memory in use
     */
    public record Moment(double seconds, String stage, double bytesRead, double bytesWritten, double memoryHeld) {}

    /** The unit of a number. */
    public enum Unit {
        /** Bytes. */
        BYTES,
        /** A number without a unit. */
        COUNT,
        /** Seconds. */
        SECONDS
    }

    /**
     * A number that the page lists.
     *
     * @param name what the number is
     * @param value the number
     * @param unit the unit of the number
     */
    public record Fact(String name, double value, Unit unit) {
        private HtmlPage.Cell shown() {
            return switch (unit) {
                case BYTES -> new HtmlPage.Cell(NumberText.bytes(value), NumberText.exact(value, "byte"));
                case COUNT -> HtmlPage.Cell.of(NumberText.count(value));
                case SECONDS ->
                    new HtmlPage.Cell(NumberText.seconds(value), NumberText.exact(value * 1e6, "microsecond"));
            };
        }
    }

    private RunPicture(List<Moment> moments, List<Fact> facts, long maxMem, long projectedMemory, List<String> losses) {
        this.moments = List.copyOf(moments);
        this.facts = List.copyOf(facts);
        this.maxMem = (double) maxMem;
        this.projectedMemory = (double) projectedMemory;
        this.losses = List.copyOf(losses);
    }

    /**
     * {@return the picture of a run}
     *
     * @param moments the state of the run at increasing times
     * @param facts additional numbers that the HTML page lists
     * @param maxMem the memory bound in bytes
     * @param projectedMemory the memory that the plan projected, in bytes
     * @param losses sentences on what is not kept in the target, which the HTML page lists
     */
    public static RunPicture of(
            List<Moment> moments, List<Fact> facts, long maxMem, long projectedMemory, List<String> losses) {
        return new RunPicture(moments, facts, maxMem, projectedMemory, losses);
    }

    /** {@return the picture of what a run did} */
    public static RunPicture of(Report report) {
        List<Moment> moments = report.samples().stream()
                .map(sample -> new Moment(
                        sample.elapsed().toNanos() / 1e9,
                        sample.stage(),
                        sample.bytesRead(),
                        sample.bytesWritten(),
                        sample.memoryHeld()))
                .toList();
        List<Fact> facts = List.of(
                new Fact("time", report.elapsed().toNanos() / 1e9, Unit.SECONDS),
                new Fact("memory measured", report.measuredMemory(), Unit.BYTES),
                new Fact("memory projected", report.projectedMemory(), Unit.BYTES),
                new Fact("memory allowed", report.maxMem(), Unit.BYTES),
                new Fact("read, uncompressed", report.bytesRead(), Unit.BYTES),
                new Fact("read, as stored", report.storedBytesRead(), Unit.BYTES),
                new Fact("written, uncompressed", report.bytesWritten(), Unit.BYTES),
                new Fact("written, as stored", report.storedBytesWritten(), Unit.BYTES),
                new Fact("temporary files, at most at once", report.spillPeakBytes(), Unit.BYTES),
                new Fact("reads of source chunks", report.sourceChunkReads(), Unit.COUNT),
                new Fact("write units written", report.unitsWritten(), Unit.COUNT),
                new Fact("write units left out, with nothing but the fill value", report.unitsEmpty(), Unit.COUNT),
                new Fact("tasks", report.tasks(), Unit.COUNT),
                new Fact("tasks that an earlier run had done", report.tasksDoneBefore(), Unit.COUNT),
                new Fact("operations tried again", report.retries(), Unit.COUNT));
        return of(moments, facts, report.maxMem(), report.projectedMemory(), Loss.sentences(report.losses()));
    }

    /** {@return the picture as an HTML page} */
    public String html() {
        return addTo(new HtmlPage("run"))
                .addList("Not kept in the target", losses)
                .html();
    }

    /** Adds the charts and the facts to a page. */
    HtmlPage addTo(HtmlPage page) {
        return page.addDrawing(svg())
                .addTable(
                        "Run",
                        List.of(),
                        facts.stream()
                                .map(fact -> List.of(HtmlPage.Cell.of(fact.name()), fact.shown()))
                                .toList());
    }

    /** {@return the picture as an SVG document} */
    public String svg() {
        Svg svg = new Svg();
        double end = moments.isEmpty() ? 0 : moments.get(moments.size() - 1).seconds();
        double[] read = rates(end, Moment::bytesRead);
        double[] written = rates(end, Moment::bytesWritten);
        double held = moments.stream().mapToDouble(Moment::memoryHeld).max().orElse(0);
        Chart rates = new Chart(svg, MARGIN, MARGIN, WIDTH - 2 * MARGIN, CHART, end, Math.max(max(read), max(written)));
        rates.drawTitle("throughput, uncompressed");
        rates.drawAxes("/s");
        rates.drawSteps(read, "read");
        rates.drawSteps(written, "written");
        rates.drawLegend("read", "read, mean " + mean(Moment::bytesRead, end), 0);
        rates.drawLegend("written", "written, mean " + mean(Moment::bytesWritten, end), 1);
        drawStages(rates);
        for (int part = 0; part < read.length; part++) {
            String exact = span(part, read.length, end) + ": read " + NumberText.exact(read[part], "byte")
                    + "/s, written " + NumberText.exact(written[part], "byte") + "/s";
            rates.addExact(part, read.length, exact);
        }
        double below = 2 * MARGIN + CHART;
        Chart memory = new Chart(svg, MARGIN, below, WIDTH - 2 * MARGIN, CHART, end, Math.max(held, maxMem));
        memory.drawTitle("memory");
        memory.drawAxes("");
        memory.drawArea(moments.stream().mapToDouble(Moment::seconds).toArray(), held());
        memory.drawLevel(maxMem, "bound");
        memory.drawLevel(projectedMemory, "projected");
        memory.drawLegend("bound", "maxMem " + NumberText.bytes(maxMem), 0);
        memory.drawLegend("projected", "projected " + NumberText.bytes(projectedMemory), 1);
        memory.drawLegend("task", "in use, at most " + NumberText.bytes(held), 2);
        for (int part = 0; part < read.length; part++) {
            String most = NumberText.exact(mostHeld(end * part / read.length, end * (part + 1) / read.length), "byte");
            memory.addExact(part, read.length, span(part, read.length, end) + ": at most " + most + " in use");
        }
        return svg.document("run", "run", WIDTH, below + CHART + MARGIN);
    }

    private static String span(int part, int parts, double end) {
        return NumberText.seconds(end * part / parts) + " to " + NumberText.seconds(end * (part + 1) / parts);
    }

    /** {@return the most memory in use in a span of time} */
    private double mostHeld(double from, double to) {
        double most = 0;
        double before = 0;
        for (Moment moment : moments) {
            if (moment.seconds() > to) {
                break;
            }
            most = Math.max(most, moment.seconds() >= from ? moment.memoryHeld() : 0);
            before = moment.memoryHeld();
        }
        return Math.max(most, before);
    }

    private double[] held() {
        return moments.stream().mapToDouble(Moment::memoryHeld).toArray();
    }

    private static double max(double[] values) {
        double max = 0;
        for (double value : values) {
            max = Math.max(max, value);
        }
        return max;
    }

    private String mean(ToDoubleFunction<Moment> bytes, double end) {
        return end <= 0 ? "0 B/s" : NumberText.bytes(bytes.applyAsDouble(moments.get(moments.size() - 1)) / end) + "/s";
    }

    /** {@return the mean rate in each of the equal parts of the time, in bytes per second} */
    private double[] rates(double end, ToDoubleFunction<Moment> bytes) {
        int parts = Math.min(MOST_PARTS, moments.size() - 1);
        if (parts <= 0 || end <= 0) {
            return new double[0];
        }
        double[] rates = new double[parts];
        double before = at(0, bytes);
        for (int part = 0; part < parts; part++) {
            double after = at(end * (part + 1) / parts, bytes);
            rates[part] = (after - before) * parts / end;
            before = after;
        }
        return rates;
    }

    /** {@return a count at some time, interpolated linearly between two moments} */
    private double at(double seconds, ToDoubleFunction<Moment> bytes) {
        Moment before = moments.get(0);
        for (Moment moment : moments) {
            if (moment.seconds() >= seconds) {
                double span = moment.seconds() - before.seconds();
                double share = span <= 0 ? 1 : (seconds - before.seconds()) / span;
                double from = bytes.applyAsDouble(before);
                return from + Math.max(0, share) * (bytes.applyAsDouble(moment) - from);
            }
            before = moment;
        }
        return bytes.applyAsDouble(before);
    }

    /** Draws the names of the stages above the chart, where there is space for them. */
    private void drawStages(Chart chart) {
        List<Moment> begins = new ArrayList<>();
        String stage = "";
        for (Moment moment : moments) {
            if (!moment.stage().equals(stage)) {
                begins.add(moment);
                stage = moment.stage();
            }
        }
        for (int i = 0; i < begins.size(); i++) {
            double end = i + 1 < begins.size()
                    ? begins.get(i + 1).seconds()
                    : moments.get(moments.size() - 1).seconds();
            chart.drawSpan(begins.get(i).seconds(), end, begins.get(i).stage());
        }
    }
}
