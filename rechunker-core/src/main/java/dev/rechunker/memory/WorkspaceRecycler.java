package dev.rechunker.memory;

import dev.rechunker.resource.DirectMemoryException;
import dev.rechunker.resource.MemoryCache;
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
    private final MemoryCache cache;

    /** Creates a recycler with an empty cache of its own. */
    public WorkspaceRecycler() {
        this(new MemoryCache());
    }

    /** Creates a recycler that takes workspaces from a cache, and leaves them there. */
    public WorkspaceRecycler(MemoryCache cache) {
        this.cache = cache;
    }

    /**
     * {@return a workspace that was left, with whatever is in it; or a new one, of this size and these segments}
     *
     * @throws DirectMemoryException if this JVM does not give so much direct memory
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
     * @throws DirectMemoryException if this JVM does not give so much direct memory
     */
    public Workspace takeSegment(long least, long most) {
        return takeLeft(each -> each.isSegment() && each.size() >= least && each.size() <= most)
                .orElseGet(() -> new Workspace(least, Workspace.MAX_BUFFER, 0));
    }

    private Optional<Workspace> takeLeft(Predicate<Workspace> wanted) {
        return cache.take(Workspace.class, wanted);
    }

    /** Leaves a workspace to later runs; the caller must not use it, or buffers of it, any more. */
    public void leave(Workspace workspace) {
        cache.leave(workspace);
    }
}
