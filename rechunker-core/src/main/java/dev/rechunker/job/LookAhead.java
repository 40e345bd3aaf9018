package dev.rechunker.job;

import dev.rechunker.store.StoreLocation;
import dev.rechunker.threads.Team;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The nodes of a group, in order. With several threads, the source is asked about the next nodes at the same time,
 * before the first of them is visited.
 */
final class LookAhead implements AutoCloseable {
    /**
     * The number of threads that ask a remote source. Those that ask about nodes of a remote file share a cache of its
     * blocks, which has space for what this number of threads needs.
     */
    static final int THREADS = 16;

    /** The number of nodes that the source is asked about before the first of them is visited. */
    private static final int NODES = 32;

    private final StoreLocation source;
    private final Iterator<String> paths;
    private final Team team;
    /** The next nodes, which the source has been asked about. */
    private final Deque<AskedNode> next = new ArrayDeque<>();

    /**
     * Creates it, and asks nothing.
     *
     * @param paths the paths of the nodes below the source
     * @param team the threads that ask; if it has only one, nothing is asked in advance
     */
    LookAhead(StoreLocation source, Iterator<String> paths, Team team) {
        this.source = source;
        this.paths = paths;
        this.team = team;
    }

    boolean hasNext() {
        return !next.isEmpty() || paths.hasNext();
    }

    /**
     * {@return the next node, which the caller closes}
     *
     * @throws InterruptedIOException if the calling thread is interrupted while it asks about several nodes
     */
    AskedNode next() throws InterruptedIOException {
        if (next.isEmpty()) {
            int nodes = team.size() > 1 ? NODES : 1;
            while (next.size() < nodes && paths.hasNext()) {
                next.addLast(new AskedNode(source, paths.next()));
            }
            int members = Math.min(team.size(), next.size());
            if (members > 1) {
                ask(members);
            }
        }
        return next.removeFirst();
    }

    private void ask(int members) throws InterruptedIOException {
        Queue<AskedNode> left = new ConcurrentLinkedQueue<>(next);
        try {
            team.together(members, () -> {
                AskedNode node = left.poll();
                while (node != null && !Thread.currentThread().isInterrupted()) {
                    node.askAhead();
                    node = left.poll();
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (Thread.currentThread().isInterrupted()) { // which makes requests fail in ways of their own
            throw new InterruptedIOException("interrupted while planning");
        }
    }

    /** Closes the nodes that have not been taken. To be called after the team is closed. */
    @Override
    public void close() {
        next.forEach(AskedNode::close);
    }
}
