package dev.rechunker.resource;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The performance of storage and processors, from which the planner predicts the cost of each strategy. The figures
 * decide between strategies; they do not promise times.
 *
 * @param name the name of the profile
 * @param readBytesPerSecond the rate at which all threads together read stored bytes from source and target
 * @param writeBytesPerSecond the rate at which all threads together write stored bytes to source and target
 * @param spillBytesPerSecond the rate at which temporary files are written, and also that at which they are read
 * @param requestSeconds the time that each request adds to the transfer of its bytes, even if other requests are in
 *     progress
 * @param latencySeconds the time that a thread waits for a request, while other threads can wait for theirs
 * @param codecBytesPerSecond the uncompressed bytes per second that one thread decodes or encodes
 * @param spillRatio the factor by which compression makes temporary files smaller; 1 if it does not, or is not known
 * @param spillCodecBytesPerSecond the uncompressed bytes per second that one thread compresses or decompresses for
 *     temporary files
 */
public record CostModel(
        String name,
        double readBytesPerSecond,
        double writeBytesPerSecond,
        double spillBytesPerSecond,
        double requestSeconds,
        double latencySeconds,
        double codecBytesPerSecond,
        double spillRatio,
        double spillCodecBytesPerSecond) {
    private static final double SPILL_CODEC = 0.8e9;
    /** The largest figure; the smallest rate is its reciprocal. Within these no predicted time is infinite. */
    private static final double MOST = 1e100;

    /** A local solid-state disk. */
    public static final CostModel SSD = new CostModel("ssd", 2.0e9, 1.0e9, 1.0e9, 20e-6, 0.8e9);

    /** A local rotating disk. */
    public static final CostModel HDD = new CostModel("hdd", 150e6, 130e6, 140e6, 8e-3, 0.8e9);

    /** An object store in the same data centre, spilling to a local disk. */
    public static final CostModel OBJECT_STORE =
            new CostModel("object-store", 1.0e9, 0.6e9, 1.0e9, 0.2e-3, 40e-3, 0.8e9);

    /**
     * Checks the figures.
     *
     * @throws IllegalArgumentException if a figure is not from 0 to 1e100, a rate is less than 1e-100, or a ratio is
     *     less than 1
     */
    public CostModel {
        requireRate(name, "read", readBytesPerSecond);
        requireRate(name, "write", writeBytesPerSecond);
        requireRate(name, "spill", spillBytesPerSecond);
        require(name, "request", requestSeconds, 0);
        require(name, "latency", latencySeconds, 0);
        requireRate(name, "codec", codecBytesPerSecond);
        require(name, "spill-ratio", spillRatio, 1);
        requireRate(name, "spill-codec", spillCodecBytesPerSecond);
    }

    private static void requireRate(String name, String figure, double rate) {
        require(name, figure, rate, 1 / MOST);
    }

    private static void require(String name, String figure, double value, double least) {
        if (!(value >= least && value <= MOST)) {
            throw new IllegalArgumentException(
                    name + ": " + figure + " is " + value + ", but must be from " + least + " to " + MOST);
        }
    }

    /** Creates a model in which compression does not make temporary files smaller. */
    public CostModel(
            String name,
            double readBytesPerSecond,
            double writeBytesPerSecond,
            double spillBytesPerSecond,
            double requestSeconds,
            double latencySeconds,
            double codecBytesPerSecond) {
        this(
                name,
                readBytesPerSecond,
                writeBytesPerSecond,
                spillBytesPerSecond,
                requestSeconds,
                latencySeconds,
                codecBytesPerSecond,
                1,
                SPILL_CODEC);
    }

    /** Creates a model of storage without latency, in which compression does not make temporary files smaller. */
    public CostModel(
            String name,
            double readBytesPerSecond,
            double writeBytesPerSecond,
            double spillBytesPerSecond,
            double requestSeconds,
            double codecBytesPerSecond) {
        this(
                name,
                readBytesPerSecond,
                writeBytesPerSecond,
                spillBytesPerSecond,
                requestSeconds,
                0,
                codecBytesPerSecond);
    }

    /**
     * {@return the model that a text names: a profile, or a profile in which some figures are replaced,
     * {@code "hdd:read=210e6,request=0.004"}}
     *
     * @throws IllegalArgumentException if there is no such profile or figure
     */
    public static CostModel parse(String text) {
        int colon = text.indexOf(':');
        String profile = colon < 0 ? text : text.substring(0, colon);
        CostModel model = List.of(SSD, HDD, OBJECT_STORE).stream()
                .filter(known -> known.name.equals(profile))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + profile + "\" is not a profile; write ssd, hdd or object-store"));
        if (colon < 0) {
            return model;
        }
        Map<String, Double> figures = model.figures();
        for (String pair : text.substring(colon + 1).split(",", -1)) {
            int equals = pair.indexOf('=');
            String figure = pair.substring(0, Math.max(0, equals));
            if (!figures.containsKey(figure)) {
                throw new IllegalArgumentException(
                        "\"" + pair + "\" in \"" + text + "\" is not a figure; write some of " + figures.keySet()
                                + ", such as read=2e9, in bytes per second or seconds");
            }
            try {
                figures.put(figure, Double.valueOf(pair.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "\"" + pair + "\" in \"" + text + "\" does not end with a number", e);
            }
        }
        Iterator<Double> in = figures.values().iterator();
        return new CostModel(
                text, in.next(), in.next(), in.next(), in.next(), in.next(), in.next(), in.next(), in.next());
    }

    /** {@return the figures by their names in {@link #parse}, in the order of the components} */
    private Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("read", readBytesPerSecond);
        figures.put("write", writeBytesPerSecond);
        figures.put("spill", spillBytesPerSecond);
        figures.put("request", requestSeconds);
        figures.put("latency", latencySeconds);
        figures.put("codec", codecBytesPerSecond);
        figures.put("spill-ratio", spillRatio);
        figures.put("spill-codec", spillCodecBytesPerSecond);
        return figures;
    }

    /** {@return the model in the form of {@link #parse}, with all figures, to three digits} */
    public String text() {
        return figures().entrySet().stream()
                .map(figure -> figure.getKey() + "=" + new BigDecimal(figure.getValue()).round(new MathContext(3)))
                .collect(Collectors.joining(",", SSD.name + ":", ""));
    }

    /**
     * {@return the time in seconds to write bytes to temporary files and to read them back, without that of the
     * requests}
     */
    public double spillSeconds(double bytes, boolean compressed, int threads) {
        return compressed
                ? 2 * bytes / (spillBytesPerSecond * spillRatio) + 2 * bytes / (spillCodecBytesPerSecond * threads)
                : 2 * bytes / spillBytesPerSecond;
    }

    /** {@return the time in seconds of requests by this number of threads, without the transfer of their bytes} */
    public double secondsOf(double requests, double threads) {
        return requests * Math.max(requestSeconds, latencySeconds / threads);
    }
}
