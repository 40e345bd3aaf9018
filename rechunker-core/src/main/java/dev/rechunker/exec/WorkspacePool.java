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
 * The workspaces of one process: as many as the budget holds, made when first asked for, used again and again. All have
 * the same size, enough for every stage.
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
    /** How many more can be handed out at the moment. */
    private int free;

    /**
     * Makes a pool for these stages.
     *
     * @param heldBytes what is held besides, by readers and writers
     * @param recycler where workspaces come from, and are left when the pool is closed
     * @throws IllegalArgumentException if they take more than the budget has, or more than one segment and do not agree
     *     where segments end
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
                throw new IllegalArgumentException("these stages do not share a workspace");
            }
        }
        long available = budget.capacity() - heldBytes;
        if (bytes > available) {
            throw new IllegalArgumentException("the stages take " + bytes + " of " + available + " bytes");
        }
        this.free = bytes == 0 ? 1 : (int) Math.min(1 << 20, available / bytes);
    }

    /** {@return a workspace, when one is free; to be given back} */
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
        free--; // not before: if there is no memory for one, the next thread is to find that too, and not to wait
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

    /** {@return the first workspace, made if there is none; its end is nobody's who acquires it} */
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

    /** Makes the first workspace, so that a lack of memory shows before anything is written. */
    public void prepare() throws InterruptedException {
        release(acquire());
    }

    /** Returns everything to the budget, and leaves the workspaces that nobody has to others. */
    @Override
    public synchronized void close() {
        idle.forEach(recycler::leave);
        idle.clear();
        first = null;
        reservations.forEach(MemoryBudget.Reservation::close);
        reservations.clear();
    }
}
