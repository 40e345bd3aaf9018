package dev.rechunker;

import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.Executor;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.Report;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.picture.PlanPicture.PlannedArray;
import dev.rechunker.plan.Stage;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a job will do: how each array is copied, and what that takes. Made by {@link Rechunker.Job#plan()}; nothing has
 * been written.
 *
 * <p>It can be executed, by any executor, and executed again, which replaces what the first time has written by the
 * same.
 */
public final class Plan {
    private final StoreLocation source;
    private final StoreLocation target;
    private final List<ArrayPlan> arrays;
    private final Map<String, Map<String, @Nullable Object>> groups;
    private final List<String> losses;
    private final boolean consolidated;
    private final ByteSize maxMem;
    private final Options options;
    private final Aftercare aftercare;
    private final AtomicBoolean targetIsOurs = new AtomicBoolean();

    Plan(
            StoreLocation source,
            StoreLocation target,
            List<ArrayPlan> arrays,
            Map<String, Map<String, @Nullable Object>> groups,
            List<String> losses,
            boolean consolidated,
            ByteSize maxMem,
            Options options,
            Aftercare aftercare) {
        this.source = source;
        this.target = target;
        this.arrays = List.copyOf(arrays);
        this.groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        this.losses = List.copyOf(losses);
        this.consolidated = consolidated;
        this.maxMem = maxMem;
        this.options = options;
        this.aftercare = aftercare;
    }

    /** {@return the plans of the arrays, in the order in which they are copied} */
    public List<ArrayPlan> arrays() {
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
                ? most(ArrayPlan::workingBytes) + most(ArrayPlan::heldBytes)
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
        for (ArrayPlan array : arrays) {
            if (!array.path().isEmpty()) {
                text.append("array ").append(array.path()).append('\n');
            }
            text.append(array.copy().explain());
        }
        if (!losses.isEmpty()) {
            text.append("not kept\n");
            losses.forEach(loss -> text.append("  ").append(loss).append('\n'));
        }
        return text.toString();
    }

    /**
     * {@return a picture of the plan as an SVG document: grids, tasks, temporary files, memory against the bound, and
     * what the other strategies would take}
     *
     * <p>It stands alone, follows the reader's light or dark scheme, and is the same for the same plan.
     */
    public String toSvg() {
        return picture().svg();
    }

    /** {@return the picture on a page of HTML, with the plan in words and what is not kept} */
    public String toHtml() {
        return picture().html();
    }

    /** {@return the page of the plan, and what a run of it did} */
    public String toHtml(Report report) {
        return picture().html(report.picture());
    }

    private PlanPicture picture() {
        return PlanPicture.of(
                source + " to " + target,
                arrays.stream()
                        .map(array ->
                                new PlannedArray(array.path(), array.source().dimensionNames(), array.copy()))
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
     * @throws IOException if reading or writing fails, or the target exists
     * @throws InterruptedException if interrupted
     */
    public Report execute() throws IOException, InterruptedException {
        return execute(options.executor());
    }

    /**
     * Copies everything with an executor.
     *
     * <p>An array exists for readers when it is complete. If the run fails, the arrays before it stay.
     *
     * @throws IOException if reading or writing fails, or the target exists
     * @throws InterruptedException if interrupted
     */
    public Report execute(Executor executor) throws IOException, InterruptedException {
        boolean overwrite = options.overwrite || targetIsOurs.get();
        if (!overwrite) {
            requireNothingThere();
        }
        MemoryBudget budget = MemoryBudget.of(projectedMemory());
        Monitor monitor = new Monitor(options.listener, budget, tasks(), bytesToMove(), maxMem.bytes());
        if (workspaceIsShared()) {
            try (WorkspacePool workspaces = new WorkspacePool(budget, stages(), most(ArrayPlan::heldBytes))) {
                workspaces.prepare();
                for (ArrayPlan array : arrays) {
                    copy(array, overwrite, executor, workspaces, monitor);
                }
            }
        } else {
            for (ArrayPlan array : arrays) {
                try (WorkspacePool workspaces =
                        new WorkspacePool(budget, array.copy().stages(), array.heldBytes())) {
                    workspaces.prepare();
                    copy(array, overwrite, executor, workspaces, monitor);
                }
            }
        }
        for (Map.Entry<String, Map<String, @Nullable Object>> group : groups.entrySet()) {
            target.store().writeGroup(at(target, group.getKey()).path(), group.getValue());
        }
        target.store().finish(consolidated);
        Report checked = aftercare.run(
                source, target, budget, () -> monitor.report(projectedMemory().bytes(), losses));
        monitor.end();
        return checked;
    }

    /** {@return whether all arrays can go through one workspace, which is then made once} */
    private boolean workspaceIsShared() {
        return stages().stream().allMatch(s -> s.memory().workspaceBytes() <= Workspace.MAX_BUFFER)
                && most(ArrayPlan::workingBytes) + most(ArrayPlan::heldBytes) <= maxMem.bytes();
    }

    private long most(ToLongFunction<ArrayPlan> bytes) {
        return arrays.stream().mapToLong(bytes).max().orElse(0);
    }

    private void requireNothingThere() throws IOException {
        List<String> paths = new ArrayList<>();
        arrays.forEach(array -> paths.add(array.path()));
        paths.addAll(groups.keySet());
        for (String path : paths) {
            StoreLocation place = at(target, path);
            if (place.store().node(place.path()).isPresent()) {
                throw new StoreException("the target " + place
                        + " exists; write elsewhere, or allow it to be replaced with overwrite()");
            }
        }
    }

    private void copy(ArrayPlan array, boolean overwrite, Executor executor, WorkspacePool workspaces, Monitor monitor)
            throws IOException, InterruptedException {
        StoreLocation from = at(source, array.path());
        StoreLocation to = at(target, array.path());
        try (ArrayReader reader = from.store().openReader(from.path());
                ArrayWriter writer = to.store().create(to.path(), array.target(), overwrite)) {
            targetIsOurs.set(true);
            if (!reader.spec().equals(array.source())) {
                throw new StoreException(from + " is not what it was when the plan was made: " + array.source()
                        + ", now " + reader.spec() + "; plan again");
            }
            new CopyRun(from.toString(), array.copy(), reader, writer, spillDirectory(), options.keepEmpty)
                    .execute(executor, workspaces, monitor);
            writer.commit();
        }
    }

    private Path spillDirectory() {
        return options.spill != null
                ? options.spill
                : target.store().localDirectory().orElse(Path.of(System.getProperty("java.io.tmpdir")));
    }

    private static StoreLocation at(StoreLocation root, String path) {
        return path.isEmpty() ? root : root.resolve(path);
    }

    private List<Stage> stages() {
        return arrays.stream().flatMap(a -> a.copy().stages().stream()).toList();
    }

    private long bytesToMove() {
        double bytes = arrays.stream()
                .mapToDouble(a -> a.copy().cost().bytesRead() + a.copy().cost().bytesWritten())
                .sum();
        return (long) bytes;
    }
}
