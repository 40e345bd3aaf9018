package dev.rechunker.exec;

import static java.util.Objects.requireNonNull;

import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.plan.Stage;
import dev.rechunker.threads.ManagedWait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workspaces of one process: as many as fit into the budget. They are created when they are first needed, and used
 * again. All have the same size, which is enough for each stage. Thread-safe.
 */
public final class WorkspacePool implements AutoCloseable {
    private final MemoryBudget budget;
    private final long heldBytes;
    private final long bytes;
    private final long workspaceBytes;
    private final long segmentBytes;
    private final long spareBytes;
    private final int threads;
    private final WorkspaceRecycler recycler;
    private final Deque<Workspace> idle = new ArrayDeque<>();
    private final List<MemoryBudget.Reservation> reservations = new ArrayList<>();
    private @Nullable Workspace first;
    /** The number of workspaces that can be acquired now. */
    private int free;

    /**
     * Creates a pool for some stages.
     *
     * @param heldBytes the bytes that readers and writers use in addition
     * @param recycler supplies workspaces, and takes them when the pool is closed
     * @throws IllegalArgumentException if the stages exceed the budget, or need several segments of different sizes
     */
    public WorkspacePool(MemoryBudget budget, List<Stage> stages, long heldBytes, WorkspaceRecycler recycler) {
        this.recycler = recycler;
        this.budget = budget;
        this.heldBytes = heldBytes;
        this.bytes = Stage.totalBytes(stages);
        this.threads = (int) Stage.most(stages, Stage.Memory::lanes);
        this.workspaceBytes = Stage.most(stages, Stage.Memory::workspaceBytes);
        if (Stage.shareOneSegment(stages)) {
            this.segmentBytes = Workspace.MAX_BUFFER;
            this.spareBytes = 0;
        } else {
            this.segmentBytes = Stage.most(stages, Stage.Memory::segmentBytes);
            this.spareBytes = Stage.most(stages, Stage.Memory::spareBytes);
            if (stages.stream().anyMatch(stage -> stage.memory().segmentBytes() != segmentBytes)) {
                throw new IllegalArgumentException(
                        "these stages have segments of different sizes, so they cannot share a workspace");
            }
        }
        long available = budget.capacity() - heldBytes;
        if (bytes > available) {
            throw new IllegalArgumentException("the stages take " + bytes + " of " + available + " bytes");
        }
        this.free = bytes == 0 ? 1 : (int) Math.min(1 << 20, available / bytes);
    }

    /** Waits for a free workspace. {@return the workspace, which the caller releases} */
    synchronized Workspace acquire() throws InterruptedException {
        if (free == 0) {
            Events.Span wait = Events.begin(() -> new Events.MemoryWait(bytes));
            while (free == 0) {
                ManagedWait.on(this);
            }
            wait.end();
        }
        Workspace workspace = idle.poll();
        if (workspace == null) {
            workspace = create();
        }
        free--; // at the end, so that after a failure other threads do not wait for ever
        return workspace;
    }

    private Workspace create() throws InterruptedException {
        MemoryBudget.Reservation reserved = budget.reserve(reservations.isEmpty() ? bytes + heldBytes : bytes);
        Workspace workspace;
        try {
            workspace = recycler.take(workspaceBytes, segmentBytes, spareBytes, threads);
        } catch (RuntimeException | Error e) {
            reserved.close();
            throw e;
        }
        reservations.add(reserved);
        first = first == null ? workspace : first;
        return workspace;
    }

    /** {@return the first workspace, which is created if necessary} Its end is for the part of a spill in memory. */
    Workspace first() throws InterruptedException {
        prepare();
        synchronized (this) {
            return requireNonNull(first);
        }
    }

    synchronized void release(Workspace workspace) {
        idle.push(workspace);
        free++;
        notifyAll();
    }

    /** Creates the first workspace, so that missing memory is found before anything is written. */
    public void prepare() throws InterruptedException {
        release(acquire());
    }

    /** Returns all memory to the budget, and passes the workspaces that are not in use to the recycler. */
    @Override
    public synchronized void close() {
        idle.forEach(recycler::leave);
        idle.clear();
        first = null;
        reservations.forEach(MemoryBudget.Reservation::close);
        reservations.clear();
    }
}
