package dev.rechunker.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The picture of a run: what it read, wrote and held over time, with the bound as a line. */
public final class RunPicture {
    private static final double WIDTH = 960;
    private static final double MARGIN = 24;
    private static final double CHART = 216;

    /** Rates are means over one of so many parts of the time. */
    private static final int MOST_PARTS = 60;

    private final List<Moment> moments;
    private final List<Fact> facts;
    private final double maxMem;
    private final double projectedMemory;
    private final List<String> losses;

    /**
     * What had been done at some time.
     *
     * @param seconds since the run started; not less than those of the moment before
     * @param stage what was being done
     * @param bytesRead uncompressed bytes read so far
     * @param bytesWritten uncompressed bytes written so far
     * @param memoryHeld bytes held then
     */
    public record Moment(double seconds, String stage, double bytesRead, double bytesWritten, double memoryHeld) {}

    /** What a number counts. */
    public enum Unit {
        /** Bytes. */
        BYTES,
        /** Things. */
        COUNT,
        /** Seconds. */
        SECONDS
    }

    /**
     * A number with its name.
     *
     * @param name what it is
     * @param value how many
     * @param unit of what
     */
    public record Fact(String name, double value, Unit unit) {
        private String shown() {
            return switch (unit) {
                case BYTES -> Words.bytes(value);
                case COUNT -> Words.count(value);
                case SECONDS -> Words.seconds(value);
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
     * @param moments in the order of time
     * @param facts what the page lists besides
     * @param maxMem the bound
     * @param projectedMemory the most bytes that the plan said would be held
     * @param losses sentences that the page lists as what is not kept
     */
    public static RunPicture of(
            List<Moment> moments, List<Fact> facts, long maxMem, long projectedMemory, List<String> losses) {
        return new RunPicture(moments, facts, maxMem, projectedMemory, losses);
    }

    /** {@return a page of HTML} */
    public String html() {
        return addTo(new Page("run")).list("not kept", losses).html();
    }

    /** Adds the charts and the facts to a page. */
    Page addTo(Page page) {
        return page.drawing(svg())
                .table(
                        "run",
                        facts.stream()
                                .map(fact -> List.of(fact.name(), fact.shown()))
                                .toList());
    }

    /** {@return an SVG document} */
    public String svg() {
        Svg svg = new Svg();
        double end = moments.isEmpty() ? 0 : moments.get(moments.size() - 1).seconds();
        double[] read = rates(end, Moment::bytesRead);
        double[] written = rates(end, Moment::bytesWritten);
        double held = moments.stream().mapToDouble(Moment::memoryHeld).max().orElse(0);
        Chart rates = new Chart(svg, MARGIN, MARGIN, WIDTH - 2 * MARGIN, CHART, end, Math.max(max(read), max(written)));
        rates.title("throughput, uncompressed");
        rates.axes("/s");
        rates.steps(read, "read");
        rates.steps(written, "written");
        rates.legend("read", "read, mean " + mean(Moment::bytesRead, end), 0);
        rates.legend("written", "written, mean " + mean(Moment::bytesWritten, end), 1);
        stages(rates);
        double below = 2 * MARGIN + CHART;
        Chart memory = new Chart(svg, MARGIN, below, WIDTH - 2 * MARGIN, CHART, end, Math.max(held, maxMem));
        memory.title("memory");
        memory.axes("");
        memory.area(moments.stream().mapToDouble(Moment::seconds).toArray(), held());
        memory.level(maxMem, "bound");
        memory.level(projectedMemory, "projected");
        memory.legend("bound", "maxMem " + Words.bytes(maxMem), 0);
        memory.legend("projected", "projected " + Words.bytes(projectedMemory), 1);
        memory.legend("task", "held, at most " + Words.bytes(held), 2);
        return svg.document("run", "run", WIDTH, below + CHART + MARGIN);
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
        return end <= 0 ? "0 B/s" : Words.bytes(bytes.applyAsDouble(moments.get(moments.size() - 1)) / end) + "/s";
    }

    /** {@return the mean rates of equal parts of the time} */
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

    /** {@return a count at some time, between two moments as if it grew evenly} */
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

    /** Names the stages above the chart, where there is room for their names. */
    private void stages(Chart chart) {
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
            chart.span(begins.get(i).seconds(), end, begins.get(i).stage());
        }
    }
}
