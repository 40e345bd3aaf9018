package dev.rechunker.io.beam;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.io.PlanPlace;
import dev.rechunker.io.Stores;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.Wait;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Runs plans as pipelines of Apache Beam, on the runner that the options name.
 *
 * <pre>{@code
 * BeamExecutor beam = new BeamExecutor(PipelineOptionsFactory.fromArgs(args).create(), 50);  // for 50 workers
 * Rechunker.Job job = Rechunker.from("s3://bucket/a.zarr").to(target).chunks("time=-1, ...=72").maxMem("2GB");
 * beam.execute(beam.tuned(job).plan(), "s3://bucket/plan.json");
 * }</pre>
 *
 * <p>The plan is saved to a file or bucket that all workers can reach, as for a job array ({@link JobFile}); so are the
 * records of the tasks that are done. The elements of the pipeline are ranges of tasks. A stage starts when all ranges
 * of the one before are done. Runners repeat bundles that fail, and may run some twice: recorded tasks are not run
 * again, and others write the same bytes. If a pipeline fails, {@link #resume} runs what is left.
 *
 * <p>A JVM runs one range of tasks at a time by default, with all threads of the plan and at most its memory limit, in
 * direct memory.
 *
 * <p>Immutable.
 */
public final class BeamExecutor {
    /** The number of ranges for each worker: enough to balance the load, without much overhead for scheduling. */
    private static final long RANGES_OF_WORKER = 8;

    private static final long MOST_RANGES = 20_000;

    private final PipelineOptions options;
    private final int workers;
    private final int slots;
    private final Consumer<PipelineResult> watcher;

    /**
     * Creates an executor.
     *
     * @param options the options of Beam, which name the runner
     * @param workers the number of JVMs that run tasks at the same time
     */
    public BeamExecutor(PipelineOptions options, int workers) {
        this(options, workers, 1, result -> {});
    }

    private BeamExecutor(PipelineOptions options, int workers, int slots, Consumer<PipelineResult> watcher) {
        if (workers < 1 || slots < 1) {
            throw new IllegalArgumentException(
                    workers < 1 ? "workers is " + workers + "; at least 1" : "slots is " + slots + "; at least 1");
        }
        this.options = options;
        this.workers = workers;
        this.slots = slots;
        this.watcher = watcher;
    }

    /**
     * {@return an executor whose JVMs run several ranges of tasks at the same time, each with the threads and the
     * memory limit of the plan}
     *
     * <p>One range with more threads needs less memory, as they fill one window together.
     */
    public BeamExecutor slots(int number) {
        return new BeamExecutor(options, workers, number, watcher);
    }

    /**
     * {@return an executor that passes on each pipeline when it has started, for example to read its counters or to
     * cancel it}
     *
     * <p>The direct runner starts a pipeline and returns only if its option {@code blockOnRun} is false.
     */
    public BeamExecutor onStart(Consumer<PipelineResult> action) {
        return new BeamExecutor(options, workers, slots, action);
    }

    /** {@return a job planned for all ranges that the workers run at the same time} */
    public Rechunker.Job tuned(Rechunker.Job job) {
        return job.workers(Math.multiplyExact(workers, slots));
    }

    /**
     * Saves a plan and executes it.
     *
     * @param place where to save the plan: the path of a file in a directory that all workers share, or a URI such as
     *     {@code s3://bucket/plan.json}
     * @return the report of the run, with the largest memory use of a range if the runner has counters
     * @throws RefusedException if there is a plan at the place, the target exists or another run has reserved it, or
     *     workers could not open the source or the target, or have too little memory
     * @throws TaskFailedException if the pipeline fails or is cancelled; {@link #resume} runs what is left
     * @throws InterruptedException if interrupted, which cancels the pipeline
     */
    public Report execute(Plan plan, String place) throws IOException, InterruptedException {
        String shared = absolute(place);
        try (PlanPlace at = PlanPlace.of(shared)) {
            at.save(plan);
        }
        return resume(shared);
    }

    /**
     * Runs the tasks of a saved plan that are not recorded as done, and finishes its run. If the run is finished, only
     * verifies the target, if the plan says so.
     *
     * @throws RefusedException if there is no plan, or it is no longer the same, or workers have too little memory
     * @throws TaskFailedException if the pipeline fails or is cancelled
     * @throws InterruptedException if interrupted, which cancels the pipeline
     */
    public Report resume(String place) throws IOException, InterruptedException {
        String shared = absolute(place);
        try (PlanPlace at = PlanPlace.of(shared);
                JobFile job = at.open()) {
            long held = 0;
            if (!job.isFinished()) {
                Pipeline pipeline = Pipeline.create(options);
                build(pipeline, job, shared);
                held = new PipelineRun(StoreLocation.withoutSecrets(shared), watcher).run(pipeline);
            }
            return job.finish(held);
        }
    }

    private static String absolute(String place) {
        return Stores.isUri(place) ? place : Path.of(place).toAbsolutePath().toString();
    }

    private void build(Pipeline pipeline, JobFile job, String place) throws IOException {
        int ranges = (int) Math.min(MOST_RANGES, RANGES_OF_WORKER * workers * slots);
        PCollection<KV<Long, Long>> before = null;
        for (int stage = 0; stage < job.tasks().size(); stage++) {
            List<KV<Long, Long>> left = job.missing(stage, ranges).stream()
                    .map(range -> KV.of(range.from(), range.to()))
                    .toList();
            if (left.isEmpty()) {
                continue;
            }
            PCollection<KV<Long, Long>> tasks = pipeline.apply(
                    "ranges of stage " + stage,
                    Create.of(left).withCoder(KvCoder.of(VarLongCoder.of(), VarLongCoder.of())));
            if (before != null) {
                tasks = tasks.apply("wait for the stage before " + stage, Wait.on(before));
            }
            before = tasks.apply("spread stage " + stage, Reshuffle.viaRandomKey())
                    .apply("run stage " + stage, ParDo.of(new RunTasks(place, job.id(), stage, slots)));
        }
    }
}
