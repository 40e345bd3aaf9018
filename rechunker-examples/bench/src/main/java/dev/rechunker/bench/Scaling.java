package dev.rechunker.bench;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.plan.Resources;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/** Prints, as a Markdown table, what the planner and its cost model expect of 100 TB on 1,000 workers. */
public final class Scaling {
    // 100,000 maps in tiles of 10 MB become series of 10,000 in units of 104 MB.
    private static final Shape SHAPE = Shape.of(100_000, 14_400, 17_280);
    private static final Shape SOURCE = Shape.of(1, 1_440, 1_728);
    private static final Shape TARGET = Shape.of(10_000, 48, 54);
    private static final int ITEM = Float.BYTES;
    private static final int WORKERS = 1_000;
    private static final int THREADS = 32;

    // Assumptions: replace them by those of your provider.
    private static final double DOLLARS_PER_1000_GETS = 0.0004;
    private static final double DOLLARS_PER_1000_PUTS = 0.005;
    private static final double DOLLARS_PER_WORKER_HOUR = 0.50;

    // The simulation: how much the lengths of tasks differ, and how many tasks are lost and run again.
    private static final double SIGMA = 0.4;
    private static final double LOST = 0.01;
    private static final long SEED = 1;

    /** A place for the spill in the bucket, with the limits of S3. */
    private static final RemoteSpill SPILL = new RemoteSpill("the bucket", 288 << 10, 8 << 20, 32 << 10);

    private Scaling() {}

    /** Prints the table. */
    public static void main(String[] args) {
        System.out.println("| memory of a worker | spill | plan | tasks | each source chunk is read | GET | PUT | GET/s"
                + " | price of requests | price of machines | time | simulated |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (String memory : new String[] {"4GB", "8GB", "16GB", "32GB", "64GB", "128GB"}) {
            System.out.println(row(memory, false));
        }
        for (String memory : new String[] {"4GB", "16GB", "64GB"}) {
            System.out.println(row(memory, true));
        }
    }

    private static Problem problem() {
        long chunk = SOURCE.elements() * ITEM;
        long unit = TARGET.elements() * ITEM;
        return new Problem(
                ChunkGrid.regular(SHAPE, SOURCE),
                ChunkGrid.regular(SHAPE, TARGET),
                ITEM,
                Problem.Reading.WHOLE_CHUNKS,
                new Problem.ReaderMemory(chunk, chunk, 0),
                new Problem.WriterMemory(unit, 0),
                Optional.empty(),
                false,
                Optional.empty(),
                0);
    }

    private static String row(String memory, boolean spill) {
        Problem problem = problem();
        Resources resources = new Resources(
                ByteSize.parse(memory).bytes(), THREADS, spill, CostModel.OBJECT_STORE, WORKERS, Optional.of(SPILL));
        CopyPlan plan = new Planner().plan(problem, resources);
        double gets = plan.cost().sourceReadsPerChunk() * problem.source().count();
        double puts = problem.target().count();
        if (!plan.strategy().copies().isEmpty()) {
            Stage split = plan.stages().get(0);
            long slab = split.windows().largestChunk().elements() * ITEM;
            puts += (double) split.windows().count() * SPILL.putRequests(slab);
            gets += plan.stages().get(1).source().count();
        }
        double seconds = plan.cost().seconds();
        double requests = gets / 1000 * DOLLARS_PER_1000_GETS + puts / 1000 * DOLLARS_PER_1000_PUTS;
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %.1f times | %.0f million | %.2f million | %,.0f | %.0f $ | %,.0f $ | %.0f min"
                        + " | %.0f min |",
                memory,
                plan.cost().spillBytes() == 0 ? "none" : ByteSize.of(plan.cost().spillBytes()),
                plan.strategy().name(),
                tasks(plan),
                plan.cost().sourceReadsPerChunk(),
                gets / 1e6,
                puts / 1e6,
                gets / seconds,
                requests,
                seconds / 3600 * WORKERS * DOLLARS_PER_WORKER_HOUR,
                seconds / 60,
                simulated(plan) / 60);
    }

    private static String tasks(CopyPlan plan) {
        StringBuilder text = new StringBuilder();
        for (Stage stage : plan.stages()) {
            text.append(text.isEmpty() ? "" : ", then ").append(String.format(Locale.ROOT, "%,d", stage.tasks()));
        }
        return text.toString();
    }

    /** {@return the seconds until the last worker is done; each takes the next task when it is free} */
    private static double simulated(CopyPlan plan) {
        Random random = new Random(SEED);
        double end = 0;
        for (Stage stage : plan.stages()) {
            long tasks = stage.tasks();
            double rounds = Math.ceil((double) tasks / WORKERS);
            double each = plan.cost().seconds() / plan.stages().size() / rounds;
            PriorityQueue<Double> free = new PriorityQueue<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                free.add(end);
            }
            for (long task = 0; task < tasks; task++) {
                double lasts = each * Math.exp(SIGMA * random.nextGaussian() - SIGMA * SIGMA / 2);
                boolean lost = random.nextDouble() < LOST;
                double done = free.remove() + (lost ? lasts * (1 + random.nextDouble()) : lasts);
                free.add(done);
                end = Math.max(end, done);
            }
        }
        return end;
    }
}
