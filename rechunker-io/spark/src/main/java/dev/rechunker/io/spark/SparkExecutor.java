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
 * <p>Each stage of the plan is one Spark job, which ends before the next one starts. Spark runs ranges of tasks, and
 * runs those of a lost executor again. Each range returns a receipt, and all receipts must arrive. Executors receive
 * the {@link SharedRun#description()} of the plan, and open source and target once in each JVM, so both must be
 * accessible there, with credentials of the executors. A spill has to be in a shared directory or in an object store.
 *
 * <p>Each task uses the number of threads of the plan, and at most the memory bound of the plan, in direct memory.
 * Before anything is written, the memory for all tasks of an executor is compared with the configuration.
 */
public final class SparkExecutor {
    /** The number of ranges for each slot: enough to balance the load, without much overhead for scheduling. */
    private static final long RANGES_OF_SLOT = 8;

    private static final int MOST_RANGES = 20_000;

    /** The local property in which Spark stores the job group of a thread. */
    private static final String GROUP = "spark.jobGroup.id";

    /** The message of Spark 3 and 4 for a cancelled job, for which they have no exception class. */
    private static final Pattern CANCELLED = Pattern.compile("(\\[SPARK_JOB_CANCELLED] )?Job \\d+ cancelled");

    private final JavaSparkContext context;

    /** Creates an executor; the context is closed by the caller. */
    public SparkExecutor(JavaSparkContext context) {
        this.context = context;
    }

    /**
     * {@return a job with {@code spark.task.cpus} threads, planned for all tasks that a number of executors run at the
     * same time}
     *
     * @throws RefusedException if the configuration does not determine how many tasks an executor runs at the same time
     */
    public Rechunker.Job tuned(Rechunker.Job job, int executors) throws RefusedException {
        return job.threads(context.getConf().getInt("spark.task.cpus", 1))
                .workers(Math.multiplyExact(
                        executors, ExecutorMemory.of(context.getConf()).slots()));
    }

    /**
     * Executes a plan.
     *
     * <p>The run is a job group of Spark, by which it can be cancelled: the job group of the calling thread, or a new
     * one with the identifier of the run. The run is also cancelled when the calling thread is interrupted. After a
     * failure or a cancellation, start again with {@code overwrite()}.
     *
     * @return the report of the run, with the largest memory use of a task
     * @throws RefusedException if an executor has too little memory, with the setting to change; if the target exists
     *     or another run has reserved it; or if executors could not open the source or the target
     * @throws CancellationException if the job group was cancelled on Spark
     * @throws IOException if tasks of a stage fail {@code spark.task.maxFailures} times
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

    /** {@return the largest memory use of a task, in bytes} */
    private long run(SharedRun run, Broadcast<String> description, int stage, long tasks, int slots)
            throws IOException, InterruptedException {
        List<long[]> ranges = ranges(tasks, RANGES_OF_SLOT * Math.max(slots, context.defaultParallelism()));
        List<long[]> receipts;
        try {
            receipts = context.parallelize(ranges, ranges.size())
                    .mapPartitions(new Tasks(run.id(), description, stage))
                    .collect();
        } catch (Exception e) { // Scala does not declare checked exceptions
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
            throw new IOException("stage " + stage + " failed on Spark: " + e.getMessage(), e);
        }
        requireAll(stage, ranges, receipts);
        return receipts.stream().mapToLong(receipt -> receipt[Tasks.HELD]).max().orElse(0);
    }

    /** {@return ranges of tasks of about the same length} */
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

    /** Checks that each range has a receipt; Spark returns them in the order of the ranges. */
    private static void requireAll(int stage, List<long[]> ranges, List<long[]> receipts) throws IOException {
        boolean all = ranges.size() == receipts.size();
        for (int i = 0; all && i < ranges.size(); i++) {
            all = ranges.get(i)[Tasks.FROM] == receipts.get(i)[Tasks.FROM]
                    && ranges.get(i)[Tasks.TO] == receipts.get(i)[Tasks.TO];
        }
        if (!all) {
            throw new IOException("stage " + stage + " has " + ranges.size() + " ranges of tasks, but Spark returned "
                    + receipts.size() + " receipts");
        }
    }
}
