package dev.rechunker.resource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a provider of storage and machines charges, in one currency. Taxes, discounts, free quotas and minimum times of
 * storage are not part of it.
 *
 * @param name the name of the table
 * @param currency the currency, such as USD
 * @param source where the prices are from, and of which date
 * @param readsPerMillion a million requests that read
 * @param writesPerMillion a million requests that write, or list
 * @param storagePerGbMonth a GB (10^9 bytes) stored for a month of 730 hours
 * @param egressPerGb a GB that leaves the provider's network
 * @param machine the name of the machine
 * @param machinePerHour one machine for an hour
 * @param machineThreads the number of threads that it runs at the same time
 * @param machineBytes its memory in bytes
 */
public record Prices(
        String name,
        String currency,
        String source,
        double readsPerMillion,
        double writesPerMillion,
        double storagePerGbMonth,
        double egressPerGb,
        String machine,
        double machinePerHour,
        int machineThreads,
        long machineBytes) {
    private static final long GIB = 1L << 30;

    /** Amazon S3 Standard and EC2 on demand. */
    public static final Prices AWS = new Prices(
            "aws",
            "USD",
            "list prices of S3 Standard and of EC2 on demand with Linux in us-east-1, as known in January 2025",
            0.40,
            5.00,
            0.023,
            0.09,
            "m6i.xlarge",
            0.192,
            4,
            16 * GIB);

    /** Google Cloud Storage, Standard, and Compute Engine. */
    public static final Prices GOOGLE = new Prices(
            "google",
            "USD",
            "list prices of Cloud Storage Standard and of Compute Engine in us-central1, as known in January 2025",
            0.40,
            5.00,
            0.020,
            0.12,
            "n2-standard-4",
            0.1942,
            4,
            16 * GIB);

    /** Azure Blob Storage, hot and locally redundant, and virtual machines. */
    public static final Prices AZURE = new Prices(
            "azure",
            "USD",
            "list prices of Blob Storage (hot, LRS) and of virtual machines with Linux in East US, as known in January"
                    + " 2025",
            0.40,
            5.00,
            0.018,
            0.087,
            "D4s v5",
            0.192,
            4,
            16 * GIB);

    /** The tables that have names. */
    public static final List<Prices> NAMED = List.of(AWS, GOOGLE, AZURE);

    /** Checks the figures. */
    public Prices {
        requireAmount("readsPerMillion", readsPerMillion);
        requireAmount("writesPerMillion", writesPerMillion);
        requireAmount("storagePerGbMonth", storagePerGbMonth);
        requireAmount("egressPerGb", egressPerGb);
        requireAmount("machinePerHour", machinePerHour);
        requireAmount("machineThreads", machineThreads - 1);
        requireAmount("machineBytes", (double) (machineBytes - 1));
    }

    private static void requireAmount(String figure, double value) {
        if (!(value >= 0 && value < 1e15)) {
            throw new IllegalArgumentException("prices: " + figure + " is " + value + ", which it cannot be");
        }
    }

    /** {@return the table with a name; empty if there is none} */
    public static Optional<Prices> named(String name) {
        return NAMED.stream().filter(table -> table.name.equals(name)).findFirst();
    }

    /** {@return the figures by the names of the components} */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("name", name);
        figures.put("currency", currency);
        figures.put("source", source);
        figures.put("readsPerMillion", readsPerMillion);
        figures.put("writesPerMillion", writesPerMillion);
        figures.put("storagePerGbMonth", storagePerGbMonth);
        figures.put("egressPerGb", egressPerGb);
        figures.put("machine", machine);
        figures.put("machinePerHour", machinePerHour);
        figures.put("machineThreads", machineThreads);
        figures.put("machineBytes", machineBytes);
        return figures;
    }

    /**
     * {@return a table of figures with the names of the components, all of which must be there}
     *
     * @throws IllegalArgumentException if one is missing, unknown, or has a value that it cannot have
     */
    public static Prices of(Map<String, ?> figures) {
        for (String key : figures.keySet()) {
            if (!AWS.figures().containsKey(key)) {
                throw new IllegalArgumentException("prices: \"" + key + "\" is not a price; there are "
                        + AWS.figures().keySet());
            }
        }
        double threads = number(figures, "machineThreads");
        if (threads != Math.rint(threads) || threads > 1 << 20) {
            throw new IllegalArgumentException("prices: machineThreads is " + threads + "; write a whole number");
        }
        return new Prices(
                text(figures, "name"),
                text(figures, "currency"),
                text(figures, "source"),
                number(figures, "readsPerMillion"),
                number(figures, "writesPerMillion"),
                number(figures, "storagePerGbMonth"),
                number(figures, "egressPerGb"),
                text(figures, "machine"),
                number(figures, "machinePerHour"),
                (int) threads,
                (long) number(figures, "machineBytes"));
    }

    private static String text(Map<String, ?> figures, String name) {
        if (figures.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("prices: \"" + name + "\" is not a text, or is missing");
    }

    private static double number(Map<String, ?> figures, String name) {
        if (figures.get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("prices: \"" + name + "\" is not a number, or is missing");
    }
}
