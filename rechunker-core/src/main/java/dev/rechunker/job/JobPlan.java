package dev.rechunker.job;

import static java.util.Objects.requireNonNull;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.picture.PlanPicture.PlannedArray;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.ChecksumFileException;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.run.VerificationException;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What a job will do: how each array is copied, and what that takes. Can be executed more than once. */
public final class JobPlan {
    private final StoreLocation source;
    private final StoreLocation target;
    private final List<JobArray> arrays;
    private final Map<String, Map<String, @Nullable Object>> groups;
    private final List<String> losses;
    private final boolean consolidated;
    private final ByteSize maxMem;
    private final Options options;
    private final FinalChecks aftercare;
    private final Planning.Job job;
    private final AtomicBoolean targetIsOurs = new AtomicBoolean();

    JobPlan(
            StoreLocation source,
            StoreLocation target,
            List<JobArray> arrays,
            Map<String, Map<String, @Nullable Object>> groups,
            List<String> losses,
            boolean consolidated,
            ByteSize maxMem,
            Options options,
            FinalChecks aftercare,
            Planning.Job job) {
        this.source = source;
        this.target = target;
        this.arrays = List.copyOf(arrays);
        this.groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        this.losses = List.copyOf(losses);
        this.consolidated = consolidated;
        this.maxMem = maxMem;
        this.options = options;
        this.aftercare = aftercare;
        this.job = job;
    }

    /** {@return the plans of the arrays, in the order in which they are copied} */
    public List<JobArray> arrays() {
        return arrays;
    }

    /**
     * {@return what the target does not keep of the source, one sentence each, which names the node: attributes, names
     * of dimensions, fill values, codecs, chunks and shards that its format has no way to say, and nodes that are not
     * understood}
     */
    public List<String> losses() {
        return losses;
    }

    /** {@return the bound} */
    public ByteSize maxMem() {
        return maxMem;
    }

    /** {@return the most bytes that will be held at once} */
    public ByteSize projectedMemory() {
        long copying = workspaceIsShared()
                ? bytesInOneWorkspace()
                : most(array -> array.copy().projectedMemory());
        return ByteSize.of(Math.max(copying, aftercare.bytes()));
    }

    /** {@return the tasks of all arrays} */
    public long tasks() {
        return arrays.stream().mapToLong(a -> a.copy().tasks()).sum();
    }

    /** {@return strategies and costs, stages, tasks, memory and spill, and the losses, as text of several lines} */
    public String explain() {
        StringBuilder text = new StringBuilder("copy " + source + " to " + target + "\n");
        for (JobArray array : arrays) {
            if (!array.path().isEmpty()) {
                text.append("array ").append(array.path()).append('\n');
            }
            text.append(array.copy().explain(array.minimumMemory()));
            aftercare
                    .comparison(array.path())
                    .ifPresent(how -> text.append("verification: ").append(how).append('\n'));
        }
        if (!losses.isEmpty()) {
            text.append("not kept\n");
            losses.forEach(loss -> text.append("  ").append(loss).append('\n'));
        }
        return text.toString();
    }

    /** {@return the picture of the plan} */
    public PlanPicture picture() {
        return PlanPicture.of(
                source + " to " + target,
                arrays.stream()
                        .map(array -> new PlannedArray(
                                array.path(), array.source().dimensionNames(), array.copy(), array.afterwards()))
                        .toList(),
                losses);
    }

    /** {@return {@link #explain()}} */
    @Override
    public String toString() {
        return explain();
    }

    /**
     * Copies everything with the job's executor.
     *
     * @throws RefusedException if the target exists, another run is writing to it, or there is too little space
     * @throws IOException if reading or writing fails
     * @throws InterruptedException if interrupted
     */
    public Report execute() throws IOException, InterruptedException {
        return execute(options.executor());
    }

    /**
     * Copies everything with an executor.
     *
     * @throws RefusedException if the target exists, another run is writing to it, or there is too little space
     * @throws IOException if reading or writing fails
     * @throws InterruptedException if interrupted
     */
    public Report execute(Executor executor) throws IOException, InterruptedException {
        return execute(requireNonNull(executor, "executor"), options.get(Option.LISTENER));
    }

    /** Copies everything with an executor; another listener than that of the options is told. */
    public Report execute(Executor executor, ProgressListener listener) throws IOException, InterruptedException {
        try {
            return carryOut(executor, listener);
        } catch (IOException e) {
            throw unlessInterrupted(e);
        }
    }

    /** {@return a failure, unless it is that of an interrupted thread, whose files fail in a way of their own} */
    static IOException unlessInterrupted(IOException e) throws InterruptedException {
        if (Thread.interrupted()) {
            InterruptedException interrupted = new InterruptedException("interrupted");
            interrupted.addSuppressed(e);
            throw interrupted;
        }
        return e;
    }

    private Report carryOut(Executor executor, ProgressListener listener) throws IOException, InterruptedException {
        boolean overwrite = options.get(Option.OVERWRITE) || targetIsOurs.get();
        aftercare.requirePlace();
        TargetCheck vacancy = new TargetCheck(this, overwrite);
        if (!options.get(Option.RESUME)) {
            vacancy.requireNothingThere(array -> false);
        }
        if (options.get(Option.DURABLE)) {
            makeDurable();
        }
        MemoryBudget budget = MemoryBudget.of(projectedMemory());
        Monitor monitor = new Monitor(listener, budget, tasks(), bytesToMove(), maxMem.bytes());
        try (Recovery recovery = Recovery.open(source, target, arrays, options, overwrite)) {
            if (recovery.holdsTarget()) {
                vacancy.requireNothingThere(recovery::isBegun);
            }
            vacancy.requireFree(recovery::isBegun);
            SpillPlace spills = recovery.spills();
            long peak = arrays.stream()
                    .mapToLong(array -> array.copy().cost().spillPeakBytes())
                    .max()
                    .orElse(0);
            if (peak > 0) {
                FreeSpace.requireSpill(spills, peak, new Attempts(options.get(Option.RETRIES)));
            }
            try {
                return new PlanRun(this, executor, budget, monitor, recovery, overwrite).execute();
            } catch (IOException e) {
                throw explained(e, monitor, recovery);
            }
        }
    }

    /** {@return a failure with what is to be known of it besides} */
    private IOException explained(IOException e, Monitor monitor, Recovery recovery) {
        if (e instanceof VerificationException || e instanceof ChecksumFileException) {
            return e;
        }
        long bytes = arrays.stream().mapToLong(array -> array.target().bytes()).sum();
        boolean spills = arrays.stream().anyMatch(a -> a.copy().cost().spillPeakBytes() > 0);
        String before = "copying " + source + " to " + target + ": ";
        String after = FreeSpace.explain(
                        e,
                        target.store().localDirectory(),
                        spills ? recovery.spills().localDirectory() : Optional.empty(),
                        bytes - monitor.targetBytesDone())
                + (String.valueOf(e.getMessage()).contains(Recovery.ANEW) ? "" : recovery.advice());
        if (e instanceof TaskFailedException task) {
            return task.with(before, after);
        }
        if (e instanceof StoreException) {
            return after.isEmpty() || e instanceof RefusedException ? e : new StoreException(e.getMessage() + after, e);
        }
        return new IOException(before + StoreException.reason(e) + after, e);
    }

    void makeDurable() throws IOException {
        target.store()
                .durable()
                .orElseThrow(() -> new RefusedException(target.store().name()
                        + " cannot promise that what was written survives a loss of power; leave out durable()"))
                .makeDurable();
    }

    /** {@return whether all arrays can go through one workspace, which is then made once} */
    boolean workspaceIsShared() {
        return stages().stream().allMatch(s -> s.memory().workspaceBytes() <= Workspace.MAX_BUFFER)
                && bytesInOneWorkspace() <= maxMem.bytes();
    }

    private long bytesInOneWorkspace() {
        return Stage.totalBytes(stages()) + mostHeld();
    }

    private long most(ToLongFunction<JobArray> bytes) {
        return arrays.stream().mapToLong(bytes).max().orElse(0);
    }

    /** {@return what was asked for} */
    Planning.Job job() {
        return job;
    }

    FinalChecks aftercare() {
        return aftercare;
    }

    /** {@return the options, as they were settled} */
    public Options options() {
        return options;
    }

    Map<String, Map<String, @Nullable Object>> groups() {
        return groups;
    }

    boolean isConsolidated() {
        return consolidated;
    }

    /** {@return where an array is read} */
    public StoreLocation source(String path) {
        return source.resolve(path);
    }

    StoreLocation target(String path) {
        return target.resolve(path);
    }

    /** {@return what readers and writers of one array hold at most} */
    long mostHeld() {
        return most(JobArray::heldBytes);
    }

    /** Notes that what is at the target from now on is of this plan, which may replace it. */
    void targetIsOurs() {
        targetIsOurs.set(true);
    }

    List<Stage> stages() {
        return arrays.stream().flatMap(a -> a.copy().stages().stream()).toList();
    }

    private long bytesToMove() {
        double bytes = arrays.stream()
                .mapToDouble(a -> a.copy().cost().bytesRead() + a.copy().cost().bytesWritten())
                .sum();
        return (long) bytes + aftercare.bytesToCompare();
    }
}
