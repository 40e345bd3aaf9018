package dev.rechunker.memory;

import dev.rechunker.resource.MemoryCache;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Passes workspaces of finished runs on to later ones with the same layout. Thread-safe.
 *
 * <p>This saves the time that the system takes to clear new memory, which may be more than a tenth of a copy. It also
 * saves memory: a workspace that is not used again stays until the garbage collector finds it, so that runs that follow
 * each other would take several times their limit. The recycler keeps no workspace from the garbage collector.
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
     * {@return a workspace of an earlier run with these sizes and undefined content; or a new one}
     *
     * @throws DirectMemoryException if the JVM cannot provide that much direct memory
     * @see Workspace#Workspace(long, long, long, int)
     */
    public Workspace take(long size, long segmentBytes, long spareBytes, int threads) {
        return takeFromCache(each -> each.isLaidOut(size, segmentBytes, spareBytes))
                .orElseGet(() -> new Workspace(size, segmentBytes, spareBytes, threads));
    }

    /**
     * {@return a workspace of an earlier run with one segment and undefined content; or a new one of the least size}
     *
     * @param least the least size in bytes; at most {@link Workspace#MAX_BUFFER}
     * @param most the largest size, in bytes, of a workspace of an earlier run
     * @throws DirectMemoryException if the JVM cannot provide that much direct memory
     */
    public Workspace takeSegment(long least, long most) {
        return takeFromCache(each -> each.isSegment() && each.size() >= least && each.size() <= most)
                .orElseGet(() -> new Workspace(least, Workspace.MAX_BUFFER, 0));
    }

    private Optional<Workspace> takeFromCache(Predicate<Workspace> wanted) {
        return cache.take(Workspace.class, wanted);
    }

    /** Leaves a workspace to later runs; the caller must not use it, or buffers of it, any more. */
    public void leave(Workspace workspace) {
        cache.leave(workspace);
    }
}
