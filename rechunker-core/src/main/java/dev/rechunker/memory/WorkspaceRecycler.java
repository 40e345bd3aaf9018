package dev.rechunker.memory;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Hands what a run has left over to the next one that lays out its memory alike. To make memory, the system clears it
 * page by page, which may take longer than a tenth of a copy; and what a run has made stays with the process until the
 * garbage collector finds it, so that several runs, one after the other, would have several times their bound.
 *
 * <p>Nothing is held for it: what has been left is garbage, which the collector may take at any time.
 */
public final class WorkspaceRecycler {
    private final List<WeakReference<Workspace>> left = new ArrayList<>();

    /** Creates one that has nothing yet. */
    public WorkspaceRecycler() {}

    /**
     * {@return a workspace that was left, with whatever is in it; or a new one, of this size and these segments}
     *
     * @throws WorkspaceException if this JVM does not give so much direct memory
     * @see Workspace#Workspace(long, long, long, int)
     */
    public Workspace take(long size, long segmentBytes, long spareBytes, int threads) {
        return takeLeft(each -> each.isLaidOut(size, segmentBytes, spareBytes))
                .orElseGet(() -> new Workspace(size, segmentBytes, spareBytes, threads));
    }

    /**
     * {@return a workspace of one segment that was left, with whatever is in it, or a new one of the least size}
     *
     * @param least bytes, at most {@link Workspace#MAX_BUFFER}
     * @param most bytes of one that was left
     * @throws WorkspaceException if this JVM does not give so much direct memory
     */
    public Workspace takeSegment(long least, long most) {
        return takeLeft(each -> each.isSegment() && each.size() >= least && each.size() <= most)
                .orElseGet(() -> new Workspace(least, Workspace.MAX_BUFFER, 0));
    }

    private Optional<Workspace> takeLeft(Predicate<Workspace> wanted) {
        synchronized (left) {
            left.removeIf(each -> each.get() == null);
            for (WeakReference<Workspace> each : left) {
                Workspace workspace = each.get();
                if (workspace != null && wanted.test(workspace)) {
                    left.remove(each);
                    return Optional.of(workspace);
                }
            }
        }
        return Optional.empty();
    }

    /** Leaves a workspace to others; who has had it, and buffers of it, has no more to do with them. */
    public void leave(Workspace workspace) {
        synchronized (left) {
            left.add(new WeakReference<>(workspace));
        }
    }
}
