package dev.rechunker.exec;

import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The workspaces of one process: as many as the budget holds, made when first asked for, used again and again. All have
 * the same size, enough for every stage.
 */
public final class WorkspacePool implements AutoCloseable {
    private final MemoryBudget budget;
    private final long bytes;
    private final long workspaceBytes;
    private final long segmentBytes;
    private final long spareBytes;
    private final Semaphore free;
    private final Deque<Workspace> idle = new ArrayDeque<>();
    private final List<MemoryBudget.Reservation> reservations = new ArrayList<>();

    /** Makes a pool for these stages, which share their segments' size. */
    public WorkspacePool(MemoryBudget budget, List<Stage> stages) {
        this.budget = budget;
        this.bytes = stages.stream().mapToLong(s -> s.memory().total()).max().orElse(0);
        this.workspaceBytes = stages.stream()
                .mapToLong(s -> s.memory().workspaceBytes())
                .max()
                .orElse(0);
        this.segmentBytes =
                stages.stream().mapToLong(s -> s.memory().segmentBytes()).max().orElse(Workspace.MAX_BUFFER);
        this.spareBytes =
                stages.stream().mapToLong(s -> s.memory().spareBytes()).max().orElse(0);
        this.free = new Semaphore(bytes == 0 ? Integer.MAX_VALUE : (int) Math.min(1 << 20, budget.capacity() / bytes));
    }

    /** {@return a workspace, when one is free; to be given back} */
    Workspace acquire() throws InterruptedException {
        free.acquire();
        synchronized (this) {
            Workspace workspace = idle.poll();
            if (workspace != null) {
                return workspace;
            }
            reservations.add(budget.reserve(bytes));
            return new Workspace(workspaceBytes, segmentBytes, spareBytes);
        }
    }

    void release(Workspace workspace) {
        synchronized (this) {
            idle.push(workspace);
        }
        free.release();
    }

    /** Makes the first workspace, so that a lack of memory shows before anything is written. */
    public void prepare() throws InterruptedException {
        release(acquire());
    }

    /** Returns everything to the budget. */
    @Override
    public synchronized void close() {
        idle.clear();
        reservations.forEach(MemoryBudget.Reservation::close);
        reservations.clear();
    }
}
