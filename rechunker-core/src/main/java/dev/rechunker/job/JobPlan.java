package dev.rechunker.job;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.picture.PlanPicture.PlannedArray;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;

/** What a job will do: how each array is copied, and what that takes. Can be executed more than once. */
public final class JobPlan {
    private final JobRequest request;
    private final StoreLocation source;
    private final StoreLocation target;
    private final HierarchyPlan hierarchy;
    private final Options options;
    private final TargetLock lock;
    private final Map<String, Shape> chosen;
    private final AtomicBoolean targetIsOurs = new AtomicBoolean();

    /**
     * Creates it.
     *
     * @param request what was asked for, with what depends on the stores settled
     * @param source where it is read: a view, if a part is copied
     * @param target where it is written: a view, if existing arrays are written into
     * @param options of the run
     * @param lock how existing arrays are held
     * @param chosen the chunks of each array by its path
     */
    JobPlan(
            JobRequest request,
            StoreLocation source,
            StoreLocation target,
            HierarchyPlan hierarchy,
            Options options,
            TargetLock lock,
            Map<String, Shape> chosen) {
        this.request = request;
        this.source = source;
        this.target = target;
        this.hierarchy = hierarchy;
        this.options = options;
        this.lock = lock;
        this.chosen = Collections.unmodifiableMap(new LinkedHashMap<>(chosen));
    }

    /** {@return the plans of the arrays, in the order in which they are copied} */
    public List<JobArray> arrays() {
        return hierarchy.arrays();
    }

    /**
     * {@return what the target does not keep of the source, one sentence each, which names the node: attributes, names
     * of dimensions, fill values, codecs, chunks and shards that its format has no way to say, and nodes that are not
     * understood}
     */
    public List<String> losses() {
        return hierarchy.losses();
    }

    /** {@return the bound} */
    public ByteSize maxMem() {
        return request.maxMem();
    }

    /** {@return the most bytes that will be held at once} */
    public ByteSize projectedMemory() {
        long copying = workspaceIsShared()
                ? bytesInOneWorkspace()
                : most(array -> array.copy().projectedMemory());
        return ByteSize.of(Math.max(copying, checkBytes()));
    }

    /** {@return the bytes that the checks after the copy hold} */
    long checkBytes() {
        return most(array -> array.checks().bytes());
    }

    /** {@return the uncompressed bytes of both sides that are compared after the copy} */
    long bytesToCompare() {
        return (long) arrays().stream()
                .mapToDouble(array -> array.checks().bytesToCompare())
                .sum();
    }

    /** {@return the tasks of all arrays} */
    public long tasks() {
        return arrays().stream().mapToLong(a -> a.copy().tasks()).sum();
    }

    /** {@return strategies and costs, stages, tasks, memory and spill, and the losses, as text of several lines} */
    public String explain() {
        StringBuilder text = new StringBuilder("copy " + source + " to " + target + "\n");
        for (JobArray array : arrays()) {
            if (!array.path().isEmpty()) {
                text.append("array ").append(array.path()).append('\n');
            }
            text.append(array.copy().explain(array.minimumMemory()));
            array.checks()
                    .comparison()
                    .ifPresent(how ->
                            text.append("verification: ").append(how.explain()).append('\n'));
        }
        if (!losses().isEmpty()) {
            text.append("not kept\n");
            losses().forEach(loss -> text.append("  ").append(loss).append('\n'));
        }
        return text.toString();
    }

    /** {@return the picture of the plan} */
    public PlanPicture picture() {
        return PlanPicture.of(
                source + " to " + target,
                arrays().stream()
                        .map(array -> new PlannedArray(
                                array.path(), array.source().dimensionNames(), array.copy(), array.afterwards()))
                        .toList(),
                losses());
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
            return new LocalRun(this, executor, listener).execute();
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

    void makeDurable() throws IOException {
        target.store()
                .durable()
                .orElseThrow(() -> new RefusedException(
                        target.store().name() + " cannot promise that what was written survives a loss of power",
                        Advice.NO_DURABLE))
                .makeDurable();
    }

    /** Writes the groups, and ends the writing of the hierarchy, when every array is complete. */
    void publishGroups(Attempts attempts, boolean overwrite) throws IOException {
        ChunkStore store = target.store();
        for (Map.Entry<String, GroupSpec> group : hierarchy.groups().entrySet()) {
            String path = target.resolve(group.getKey()).path();
            attempts.run(() -> store.writeGroup(path, group.getValue(), overwrite));
        }
        attempts.run(() -> store.finish(hierarchy.consolidated()));
    }

    /** {@return whether all arrays can go through one workspace, which is then made once} */
    boolean workspaceIsShared() {
        return stages().stream().allMatch(s -> s.memory().workspaceBytes() <= Workspace.MAX_BUFFER)
                && bytesInOneWorkspace() <= maxMem().bytes();
    }

    private long bytesInOneWorkspace() {
        return Stage.totalBytes(stages()) + mostHeld();
    }

    private long most(ToLongFunction<JobArray> bytes) {
        return arrays().stream().mapToLong(bytes).max().orElse(0);
    }

    /** {@return what was asked for, with what depends on the stores settled} */
    JobRequest request() {
        return request;
    }

    /** {@return the chunks of each array by its path, as they were chosen} */
    Map<String, Shape> chosen() {
        return chosen;
    }

    /** {@return how existing arrays are held against other runs} */
    TargetLock lock() {
        return lock;
    }

    /** {@return the options of the run} */
    public Options options() {
        return options;
    }

    HierarchyPlan hierarchy() {
        return hierarchy;
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
    void takeTarget() {
        targetIsOurs.set(true);
    }

    /** {@return whether what is at the target may be replaced} */
    boolean mayReplaceTarget() {
        return options.get(Option.OVERWRITE) || targetIsOurs.get();
    }

    /** {@return the most bytes of temporary copies in storage that exist at once} */
    long spillPeakBytes() {
        return most(array -> array.copy().cost().spillPeakBytes());
    }

    List<Stage> stages() {
        return arrays().stream().flatMap(a -> a.copy().stages().stream()).toList();
    }

    /** {@return the uncompressed bytes that a run reads, writes and compares} */
    long bytesToMove() {
        double bytes = arrays().stream()
                .mapToDouble(a -> a.copy().cost().bytesRead() + a.copy().cost().bytesWritten())
                .sum();
        return (long) bytes + bytesToCompare();
    }
}
