package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.job.Option;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Prices;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the execution of a plan costs at the prices of a provider.
 *
 * <p>Source and target, and the temporary copy of several workers, are taken to be in buckets, in which each chunk and
 * each write unit is one value. Numbers of requests are those of the plan, and bytes are uncompressed, so that transfer
 * and storage may cost less. The time is that of the cost model of the plan: each worker is a machine with these rates.
 * Retries, metadata and listings are not counted.
 */
public final class CostEstimate {
    private static final double HOURS_PER_MONTH = 730;
    private static final double GB = 1e9;
    /** The part of the memory of a machine that a proposal uses for data at most. */
    private static final double USABLE = 0.6;

    private static final int MOST_WORKERS = 1024;

    private final Plan plan;
    private final Prices prices;
    private final int workers;
    private final List<Item> items;

    /**
     * A part of the costs.
     *
     * @param name what is paid for
     * @param quantity how much of it
     * @param unit the unit of the quantity
     * @param price the price of one unit
     */
    public record Item(String name, double quantity, String unit, double price) {
        /** {@return the quantity times the price} */
        public double amount() {
            return quantity * price;
        }
    }

    /** What leaves the network of the provider, and is paid by its bytes. */
    public enum Egress {
        /** Nothing: source, machines and target are in the same region. */
        NONE,
        /** What is read from the source. */
        SOURCE,
        /** What is written to the target. */
        TARGET
    }

    private CostEstimate(Plan plan, Prices prices, Egress egress) {
        this.plan = plan;
        this.prices = prices;
        this.workers = plan.engine().options().get(Option.WORKERS);
        this.items = items(egress);
    }

    /** {@return the costs of a plan} */
    public static CostEstimate of(Plan plan, Prices prices, Egress egress) {
        return new CostEstimate(plan, prices, egress);
    }

    private List<Item> items(Egress egress) {
        double reads = 0;
        double writes = 0;
        double spill = 0;
        double source = 0;
        double target = 0;
        for (ArrayPlan array : plan.arrays()) {
            PlannedCopy.Requests requests = array.copy().requests();
            reads += requests.sourceReads() + requests.spillReads();
            writes += requests.targetWrites() + requests.spillWrites();
            PlannedCopy.Cost cost = array.copy().cost();
            boolean isStored = requests.spillWrites() > 0;
            spill = workers > 1 || !isStored ? spill : Math.max(spill, (double) cost.spillPeakBytes());
            spill += workers > 1 && isStored ? cost.spillBytes() : 0;
            source += cost.bytesRead() - cost.spillBytes();
            target += cost.bytesWritten() - cost.spillBytes();
        }
        double hours = seconds() / 3600;
        List<Item> all = new ArrayList<>();
        all.add(new Item("requests that read", reads / 1e6, "million", prices.readsPerMillion()));
        all.add(new Item("requests that write", writes / 1e6, "million", prices.writesPerMillion()));
        all.add(new Item(
                "storage of the spill", spill / GB * hours / HOURS_PER_MONTH, "GB months", prices.storagePerGbMonth()));
        all.add(new Item("machines", workers * hours, "hours of " + prices.machine(), prices.machinePerHour()));
        double leaving = switch (egress) {
            case NONE -> 0;
            case SOURCE -> source;
            case TARGET -> target;
        };
        all.add(new Item("egress", leaving / GB, "GB", prices.egressPerGb()));
        return List.copyOf(all);
    }

    /** {@return the plan} */
    public Plan plan() {
        return plan;
    }

    /** {@return the prices} */
    public Prices prices() {
        return prices;
    }

    /** {@return the number of workers of the plan, each of which is one machine} */
    public int workers() {
        return workers;
    }

    /** {@return the time until all workers have finished, in seconds, by the cost model of the plan} */
    public double seconds() {
        return plan.arrays().stream()
                .mapToDouble(array -> array.copy().cost().seconds())
                .sum();
    }

    /** {@return the parts of the costs} */
    public List<Item> items() {
        return items;
    }

    /** {@return the sum of all parts, in the currency of the prices} */
    public double total() {
        return items.stream().mapToDouble(Item::amount).sum();
    }

    /** {@return a description for people, of several lines} */
    public String explain() {
        StringBuilder text = new StringBuilder();
        for (Item item : items) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-20s %14.6g %-24s at %8.4g  %10.4f %s%n",
                    item.name(),
                    item.quantity(),
                    item.unit(),
                    item.price(),
                    item.amount(),
                    prices.currency()));
        }
        text.append(String.format(Locale.ROOT, "%-20s %62.4f %s%n", "total", total(), prices.currency()));
        text.append(String.format(
                Locale.ROOT,
                "workers: %d, each with maxMem %s; about %s by the cost model %s%n",
                workers,
                plan.maxMem(),
                duration(),
                plan.engine().options().costModel().name()));
        text.append("prices: ").append(prices.source()).append(System.lineSeparator());
        text.append("Requests are those of the plan; bytes are uncompressed; retries are not counted.")
                .append(System.lineSeparator());
        return text.toString();
    }

    private String duration() {
        double seconds = seconds();
        return seconds < 90
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : seconds < 5400
                        ? String.format(Locale.ROOT, "%.1f min", seconds / 60)
                        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }

    /** {@return {@link #explain()}} */
    @Override
    public String toString() {
        return explain();
    }

    /**
     * {@return the cheapest of the plans of a job that end before a deadline by their cost model, for some numbers of
     * workers and memory limits; empty if none of these ends before}
     *
     * <p>The numbers of workers are powers of two up to 1024. The memory limits are at most that of the job, and at
     * most 60% of the memory of a machine, and half and a quarter of that.
     */
    public static Optional<CostEstimate> within(Rechunker.Job job, Duration deadline, Prices prices, Egress egress)
            throws IOException {
        double most = deadline.toMillis() / 1e3;
        return best(job, prices, egress, each -> each.seconds() <= most, true);
    }

    /**
     * {@return the fastest of the same plans that cost at most a budget, in the currency of the prices; empty if each
     * costs more}
     */
    public static Optional<CostEstimate> within(Rechunker.Job job, double budget, Prices prices, Egress egress)
            throws IOException {
        return best(job, prices, egress, each -> each.total() <= budget, false);
    }

    private static Optional<CostEstimate> best(
            Rechunker.Job job, Prices prices, Egress egress, Predicate<CostEstimate> fits, boolean cheapest)
            throws IOException {
        long most = (long) Math.min((double) job.maxMem().bytes(), USABLE * prices.machineBytes());
        CostEstimate best = null;
        for (long bytes = most; bytes >= most / 4 && bytes > 0; bytes /= 2) {
            for (int workers = 1; workers <= MOST_WORKERS; workers *= 2) {
                CostEstimate next = planned(job, workers, bytes, prices, egress);
                if (next == null) {
                    break;
                }
                if (fits.test(next) && (best == null || isBetter(next, best, cheapest))) {
                    best = next;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static @Nullable CostEstimate planned(
            Rechunker.Job job, int workers, long bytes, Prices prices, Egress egress) throws IOException {
        try {
            Rechunker.Job with = job.workers(workers).maxMem(ByteSize.of(bytes));
            return of(requireNonNull(with.plan()), prices, egress);
        } catch (dev.rechunker.run.InfeasiblePlanException e) {
            return null;
        }
    }

    /** {@return whether an estimate is better by one percent, or as good with less memory or fewer workers} */
    private static boolean isBetter(CostEstimate one, CostEstimate other, boolean cheapest) {
        double first = cheapest ? one.total() : one.seconds();
        double second = cheapest ? other.total() : other.seconds();
        if (Math.abs(first - second) > 0.01 * second) {
            return first < second;
        }
        return cheapest ? one.workers < other.workers : one.total() < other.total();
    }
}
