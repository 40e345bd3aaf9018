package dev.rechunker.job;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.memory.Workspace;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.picture.PlanPicture.DrawnLevel;
import dev.rechunker.picture.PlanPicture.PlannedArray;
import dev.rechunker.plan.Cost;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Executor;
import dev.rechunker.run.Loss;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.Durable;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;

/**
 * The plan of a job: how each array is copied, and the memory, space and time that this takes. It can be executed more
 * than once.
 */
public final class JobPlan {
    private final JobRequest request;
    private final StoreLocation source;
    private final StoreLocation target;
    private final HierarchyPlan hierarchy;
    private final Options options;
    private final TargetLock lock;
    private final Map<String, ChunkGrid> chosen;
    private final ArraysAtOnce atOnce;
    private final AtomicBoolean targetIsOurs = new AtomicBoolean();

    /**
     * Creates it.
     *
     * @param request the request, with defaults that depend on the stores
     * @param source the source: a view, if a part is copied
     * @param target the target: a view, if existing arrays are written into
     * @param atOnce the arrays of which several are copied at once
     * @param options the options of the run
     * @param lock keeps other runs out of existing arrays
     * @param chosen the chunks of each array by its path
     */
    JobPlan(
            JobRequest request,
            StoreLocation source,
            StoreLocation target,
            HierarchyPlan hierarchy,
            ArraysAtOnce atOnce,
            Options options,
            TargetLock lock,
            Map<String, ChunkGrid> chosen) {
        this.request = request;
        this.source = source;
        this.target = target;
        this.hierarchy = hierarchy;
        this.atOnce = atOnce;
        this.options = options;
        this.lock = lock;
        this.chosen = Collections.unmodifiableMap(new LinkedHashMap<>(chosen));
    }

    /** {@return the plans of the arrays, in the order in which they are copied} */
    public List<JobArray> arrays() {
        return hierarchy.arrays();
    }

    /**
     * {@return what the target does not keep of the source: attributes, names of dimensions, fill values, codecs,
     * chunks and shards that its format cannot express, and nodes that are not understood; one sentence each, which
     * names the node}
     */
    public List<Loss> losses() {
        return hierarchy.losses();
    }

    /** {@return the memory limit} */
    public ByteSize maxMem() {
        return request.maxMem();
    }

    /** {@return the memory that the copy will use for data at most} */
    public ByteSize projectedMemory() {
        long copying = workspaceIsShared()
                ? bytesInOneWorkspace()
                : most(array -> array.copy().projectedMemory());
        return ByteSize.of(Math.max(Math.max(copying, atOnce.bytes()), checkBytes()));
    }

    /** {@return the memory that the checks after the copy use, in bytes} */
    long checkBytes() {
        return most(array -> array.checks().bytes());
    }

    /** {@return the uncompressed bytes of both sides that are compared after the copy} */
    long bytesToCompare() {
        return (long) arrays().stream()
                .mapToDouble(array -> array.checks().bytesToCompare())
                .sum();
    }

    /** {@return the number of tasks, of all arrays together} */
    public long tasks() {
        return arrays().stream().mapToLong(a -> a.copy().tasks()).sum();
    }

    /** {@return what is copied, how long it takes and what it needs, in a few lines} */
    public String summary() {
        return PlanText.inLine("copy " + title()) + "\n" + PlanText.summary(this);
    }

    /**
     * {@return a description for people, of several lines: strategies and costs, stages, tasks, memory, spill, losses;
     * the largest arrays first, and one line for each small one}
     */
    public String explain() {
        return PlanText.inLine("copy " + title()) + "\n" + PlanText.of(arrays(), losses());
    }

    /** {@return source and target in words} */
    public String title() {
        return source + " to " + target;
    }

    /** {@return the picture of the plan; levels that are made in the same pass are drawn with the first one} */
    public PlanPicture picture() {
        Set<String> fused = Fusion.levelsOf(arrays());
        return PlanPicture.of(
                title(),
                PlanText.largestFirst(arrays()).stream()
                        .filter(array -> !fused.contains(array.path()))
                        .map(JobPlan::drawn)
                        .toList(),
                Loss.sentences(losses()));
    }

    private static PlannedArray drawn(JobArray array) {
        List<LevelSchedule.Level> levels =
                array.levels().map(LevelSchedule::levels).orElse(List.of());
        return new PlannedArray(
                array.path(),
                array.source().dimensionNames(),
                array.copy(),
                array.checkMemory(),
                levels.stream()
                        .map(level -> new DrawnLevel(level.shape(), level.waitingBytes(), level.isInSamePass()))
                        .toList(),
                array.levels().map(LevelSchedule::text).orElse(""));
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

    /** Copies everything with an executor and a listener instead of those of the options. */
    public Report execute(Executor executor, ProgressListener listener) throws IOException, InterruptedException {
        try {
            return new LocalRun(this, executor, listener).execute();
        } catch (IOException e) {
            throw unlessInterrupted(e);
        }
    }

    /** {@return a failure, unless the thread was interrupted, which makes operations on files fail} */
    static IOException unlessInterrupted(IOException e) throws InterruptedException {
        if (Thread.interrupted()) {
            InterruptedException interrupted =
                    new InterruptedException("interrupted while no copy was in progress; start it again");
            interrupted.addSuppressed(e);
            throw interrupted;
        }
        return e;
    }

    void makeDurable() throws IOException {
        durable(target).makeDurable();
    }

    /**
     * {@return the interface by which a target makes writes durable}
     *
     * @throws RefusedException if it has none
     */
    static Durable durable(StoreLocation target) throws RefusedException {
        return target.store()
                .durable()
                .orElseThrow(() -> new RefusedException(
                        target.store().name() + " cannot make writes durable against a loss of power",
                        Advice.NO_DURABLE));
    }

    /** Announces the arrays and groups to the target. */
    void announce(Attempts attempts) throws IOException {
        Map<String, GroupSpec> groups = new LinkedHashMap<>();
        hierarchy
                .groups()
                .forEach((path, group) -> groups.put(target.resolve(path).path(), group));
        Map<String, ArraySpec> arrays = new LinkedHashMap<>();
        arrays().forEach(array -> arrays.put(target.resolve(array.path()).path(), array.target()));
        attempts.run(() -> target.store().announce(groups, arrays));
    }

    /** Writes the groups and finishes the hierarchy, after every array is complete. */
    void publishGroups(Attempts attempts, boolean overwrite) throws IOException {
        ChunkStore store = target.store();
        for (Map.Entry<String, GroupSpec> group : hierarchy.groups().entrySet()) {
            String path = target.resolve(group.getKey()).path();
            attempts.run(() -> store.writeGroup(path, group.getValue(), overwrite));
        }
        boolean consolidate =
                !options.isInsertion() && !options.get(Option.NO_CONSOLIDATED) && attempts.get(this::isAllOfItsStore);
        attempts.run(() -> store.finish(consolidate));
    }

    /** {@return whether a group is copied to the root of the target's store, or there is nothing else in the store} */
    private boolean isAllOfItsStore() throws IOException {
        String path = "";
        for (String name :
                target.path().isEmpty() ? new String[0] : target.path().split("/", -1)) {
            if (!target.store().children(path).equals(List.of(name))) {
                return false;
            }
            path = NodePaths.below(path, name);
        }
        return !target.path().isEmpty() || !hierarchy.groups().isEmpty();
    }

    /** {@return whether all arrays can use one workspace, which is then created once} */
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

    /** {@return the request, with defaults that depend on the stores} */
    JobRequest request() {
        return request;
    }

    /** {@return the chosen chunks of each array by its path} */
    Map<String, ChunkGrid> chosen() {
        return chosen;
    }

    /** {@return the lock that keeps other runs out of existing arrays} */
    TargetLock lock() {
        return lock;
    }

    /** {@return the options of the run} */
    public Options options() {
        return options;
    }

    /** {@return the arrays of which several are copied at once} */
    ArraysAtOnce atOnce() {
        return atOnce;
    }

    HierarchyPlan hierarchy() {
        return hierarchy;
    }

    /** {@return the location of an array in the source} */
    public StoreLocation source(String path) {
        return source.resolve(path);
    }

    StoreLocation target(String path) {
        return target.resolve(path);
    }

    /** {@return the most memory that the open reader and writer of an array use, in bytes} */
    long mostHeld() {
        return most(JobArray::heldBytes);
    }

    /** Notes that the target was written by this plan, which may therefore replace it. */
    void takeTarget() {
        targetIsOurs.set(true);
    }

    /** {@return whether existing arrays at the target may be replaced} */
    boolean mayReplaceTarget() {
        return options.get(Option.OVERWRITE) || targetIsOurs.get();
    }

    /** {@return the most storage that temporary copies use at any time, in bytes} */
    long spillPeakBytes() {
        return most(array -> array.copy().cost().spillPeakBytes());
    }

    List<Stage> stages() {
        return arrays().stream().flatMap(a -> a.copy().stages().stream()).toList();
    }

    /** {@return the uncompressed bytes that a run reads, writes and compares} */
    long bytesToMove() {
        Set<String> fused = Fusion.levelsOf(arrays());
        double bytes = 0;
        for (JobArray array : arrays()) {
            Cost cost = array.copy().cost();
            bytes += (fused.contains(array.path()) ? 0 : cost.bytesRead()) + cost.bytesWritten();
        }
        return (long) bytes + bytesToCompare();
    }
}
