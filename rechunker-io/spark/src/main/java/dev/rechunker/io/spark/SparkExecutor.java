package dev.rechunker.io.spark;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Runs plans on the executors of a Spark context.
 *
 * <pre>{@code
 * SparkExecutor spark = new SparkExecutor(context);
 * Rechunker.Job job = Rechunker.from("s3://bucket/a.zarr").to(target).chunks("time=-1, ...=72").maxMem("2GB").noSpill();
 * spark.execute(spark.tuned(job, 50).plan());        // planned for 50 executors
 * }</pre>
 *
 * <p>A stage of the plan is a job of Spark; its end is the barrier before the next. Ranges of tasks are what Spark
 * runs, and runs again where an executor was lost; each comes back as its own receipt, and all have to. Executors get
 * the plan as {@link SharedRun#description()}, open source and target by it, once for a JVM, and so need to see both,
 * with credentials of their own. So a spill has to be in a directory that all of them share, or in an object store.
 *
 * <p>Each task holds at most the bound of the plan, in direct memory, with as many threads as the plan is for; what the
 * tasks of one executor hold together is compared with the configuration before anything is written.
 */
public final class SparkExecutor {
    /** Enough to tell Spark's own pace; more would only be more to schedule. */
    private static final long RANGES_OF_SLOT = 8;

    private static final int MOST_RANGES = 20_000;

    /** Where Spark keeps the job group of a thread. */
    private static final String GROUP = "spark.jobGroup.id";

    /** What Spark 3 and 4 say of a job that was cancelled; they have no exception of its own for it. */
    private static final Pattern CANCELLED = Pattern.compile("(\\[SPARK_JOB_CANCELLED] )?Job \\d+ cancelled");

    private final JavaSparkContext context;

    /** Creates it; the context stays the caller's. */
    public SparkExecutor(JavaSparkContext context) {
        this.context = context;
    }

    /**
     * {@return a job with as many threads as {@code spark.task.cpus} says, planned for the tasks that so many executors
     * run at once}
     *
     * @throws RefusedException if the configuration does not say how many tasks an executor runs at once
     */
    public Rechunker.Job tuned(Rechunker.Job job, int executors) throws RefusedException {
        return job.threads(context.getConf().getInt("spark.task.cpus", 1))
                .workers(Math.multiplyExact(
                        executors, ExecutorMemory.of(context.getConf()).slots()));
    }

    /**
     * Copies everything.
     *
     * <p>Spark shows the run as a job group, which can be cancelled: that of the calling thread, if it has set one,
     * else one with the name of the run. It is also cancelled when the calling thread is interrupted. A run that has
     * failed or was cancelled is begun anew, with {@code overwrite()}.
     *
     * @return the report of the end of the run, whose tasks were done before; with the most bytes that a task held
     * @throws RefusedException if an executor has too little memory, saying which setting would do; if the target
     *     exists or another run has it; or if executors could not open source or target
     * @throws CancellationException if Spark was told to cancel it
     * @throws IOException if a stage fails as often as {@code spark.task.maxFailures} says
     * @throws InterruptedException if interrupted
     */
    public Report execute(Plan plan) throws IOException, InterruptedException {
        ExecutorMemory memory = ExecutorMemory.of(context.getConf());
        memory.require(plan.projectedMemory().bytes());
        try (SharedRun run = SharedRun.of(plan)) {
            String description = JobFile.text(run);
            run.begin();
            Broadcast<String> plain = context.broadcast(description);
            boolean ungrouped = context.getLocalProperty(GROUP) == null;
            if (ungrouped) {
                context.setJobGroup(
                        run.id(),
                        "rechunk to " + plan.explain().lines().findFirst().orElse(""),
                        true);
            }
            long held = 0;
            try {
                List<Long> tasks = run.tasks();
                for (int stage = 0; stage < tasks.size(); stage++) {
                    held = Math.max(held, run(run, plain, stage, tasks.get(stage), memory.slots()));
                }
            } finally {
                if (ungrouped) {
                    context.clearJobGroup();
                }
                plain.destroy();
            }
            return run.finish(held);
        }
    }

    /** {@return the most bytes that a task held} */
    private long run(SharedRun run, Broadcast<String> description, int stage, long tasks, int slots)
            throws IOException, InterruptedException {
        List<long[]> ranges = ranges(tasks, RANGES_OF_SLOT * Math.max(slots, context.defaultParallelism()));
        List<long[]> receipts;
        try {
            receipts = context.parallelize(ranges, ranges.size())
                    .mapPartitions(new Tasks(run.id(), description, stage))
                    .collect();
        } catch (Exception e) { // what Scala throws, it does not declare
            if (Thread.interrupted() || e instanceof InterruptedException) {
                context.cancelJobGroup(context.getLocalProperty(GROUP));
                InterruptedException interrupted = new InterruptedException("interrupted");
                interrupted.addSuppressed(e);
                throw interrupted;
            }
            if (CANCELLED.matcher(String.valueOf(e.getMessage())).lookingAt()) {
                CancellationException cancelled =
                        new CancellationException("stage " + stage + " was cancelled on Spark: " + e.getMessage());
                cancelled.initCause(e);
                throw cancelled;
            }
            throw new IOException("stage " + stage + " has failed on Spark: " + e.getMessage(), e);
        }
        requireAll(stage, ranges, receipts);
        return receipts.stream().mapToLong(receipt -> receipt[Tasks.HELD]).max().orElse(0);
    }

    /** {@return the tasks in ranges of about the same length} */
    static List<long[]> ranges(long tasks, long wanted) {
        long count = Math.max(1, Math.min(Math.min(tasks, wanted), MOST_RANGES));
        List<long[]> ranges = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            ranges.add(new long[] {part(tasks, i, count), part(tasks, i + 1, count)});
        }
        return ranges;
    }

    private static long part(long tasks, long number, long count) {
        return tasks / count * number + Math.min(number, tasks % count);
    }

    /** Spark returns the receipts in the order of the ranges. */
    private static void requireAll(int stage, List<long[]> ranges, List<long[]> receipts) throws IOException {
        boolean all = ranges.size() == receipts.size();
        for (int i = 0; all && i < ranges.size(); i++) {
            all = ranges.get(i)[Tasks.FROM] == receipts.get(i)[Tasks.FROM]
                    && ranges.get(i)[Tasks.TO] == receipts.get(i)[Tasks.TO];
        }
        if (!all) {
            throw new IOException("of stage " + stage + ", " + ranges.size()
                    + " ranges of tasks were given to Spark, but " + receipts.size() + " receipts came back");
        }
    }
}
