package dev.rechunker.io.concat;

import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.view.RegionRead;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The open members of an array, of which there are never more than a limit.
 *
 * <p>A member is opened when it is acquired, and stays open after it is released. When the limit is reached, the least
 * recently used member is closed. Members in use are not closed: if all are in use, a caller that needs another one
 * waits. A caller uses only one member at a time, so that there is no deadlock. Members are opened and closed outside
 * of the lock.
 */
final class OpenMembers implements Closeable {
    private final List<Source> sources;
    private final String path;
    private final ConcatArray array;
    private final int limit;
    private final Opener opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** The members by number, the most recently used one last. */
    private final Map<Integer, Member> members = new LinkedHashMap<>(16, 0.75f, true);

    private long storedBytes;
    private boolean closed;

    /**
     * Creates the object, without open members.
     *
     * @param path the path of the array in each source
     */
    OpenMembers(List<Source> sources, String path, ConcatArray array, int limit, Opener opener) {
        this.sources = sources;
        this.path = path;
        this.array = array;
        this.limit = limit;
        this.opener = opener;
    }

    /** Opens the reader of a member. */
    @FunctionalInterface
    interface Opener {
        /** {@return a reader of the array at a path of a source} */
        ArrayReader open(ChunkStore store, String path) throws IOException;
    }

    /** A member that counts towards the limit. */
    static final class Member {
        private final int number;
        private int users = 1;
        private @Nullable ChunkStore store;
        private @Nullable ArrayReader reader;

        private Member(int number) {
            this.number = number;
        }

        /** {@return the reader of the member, which must be in use} */
        ArrayReader reader() {
            ArrayReader open = reader;
            if (open == null) {
                throw new IllegalStateException("member " + number + " is not open");
            }
            return open;
        }

        private long storedBytes() {
            ArrayReader open = reader;
            return open == null ? 0 : Math.max(0, open.storedBytesRead());
        }

        private void close() throws IOException {
            ArrayReader closingReader = reader;
            ChunkStore closingStore = store;
            reader = null;
            store = null;
            try {
                if (closingReader != null) {
                    closingReader.close();
                }
            } finally {
                if (closingStore != null) {
                    closingStore.close();
                }
            }
        }
    }

    /** {@return an open member, which the caller has to release} */
    Member acquire(int number) throws IOException {
        Member member;
        Member evicted = null;
        lock.lock();
        try {
            while (true) {
                if (closed) {
                    throw new IllegalStateException(
                            "the reader of " + sources.get(number).at(path) + " is closed");
                }
                Member there = members.get(number);
                if (there != null && there.reader != null) {
                    there.users++;
                    return there;
                }
                if (there == null) {
                    evicted = members.size() < limit ? null : idle();
                    if (evicted != null || members.size() < limit) {
                        break;
                    }
                }
                changed.awaitUninterruptibly();
            }
            if (evicted != null) {
                remove(evicted);
            }
            member = new Member(number);
            members.put(number, member);
        } finally {
            lock.unlock();
        }
        open(member, evicted);
        return member;
    }

    /** {@return the least recently used member; null if all are in use} */
    private @Nullable Member idle() {
        for (Member member : members.values()) {
            if (member.users == 0) {
                return member;
            }
        }
        return null;
    }

    /** Removes a member from those that count towards the limit. The caller has the lock. */
    private void remove(Member member) {
        storedBytes += member.storedBytes();
        members.remove(member.number);
    }

    private void open(Member member, @Nullable Member evicted) throws IOException {
        ChunkStore store = null;
        ArrayReader reader = null;
        try {
            if (evicted != null) {
                evicted.close();
            }
            Source source = sources.get(member.number);
            store = source.open();
            ArrayReader opened = opener.open(store, source.inside(path));
            reader = opened;
            requireUnchanged(source, opened, array.member(member.number));
            lock.lock();
            try {
                member.store = store;
                member.reader = reader;
            } finally {
                changed.signalAll();
                lock.unlock();
            }
        } catch (IOException | RuntimeException | Error e) {
            lock.lock();
            try {
                members.remove(member.number);
            } finally {
                changed.signalAll();
                lock.unlock();
            }
            closeAfter(e, reader);
            closeAfter(e, store);
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, @Nullable Closeable open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void requireUnchanged(Source source, ArrayReader reader, RegionRead expected) throws StoreException {
        if (!Assembly.forReading(reader.spec()).equals(expected.spec())
                || !reader.traits().equals(expected.traits())) {
            throw new StoreException(source.at(path) + " has changed since the sources were joined: it was "
                    + expected.spec() + ", and is now " + reader.spec() + "; join the sources again");
        }
    }

    /** Releases a member. */
    void release(Member member) throws IOException {
        boolean last;
        lock.lock();
        try {
            member.users--;
            last = closed && member.users == 0;
            if (last) {
                remove(member);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (last) {
            member.close();
        }
    }

    /** {@return the number of stored bytes that all members have read, including closed ones} */
    long storedBytes() {
        lock.lock();
        try {
            long sum = storedBytes;
            for (Member member : members.values()) {
                sum += member.storedBytes();
            }
            return sum;
        } finally {
            lock.unlock();
        }
    }

    /** Closes all members, those in use when they are released. */
    @Override
    public void close() throws IOException {
        List<Member> idle = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            for (Member member : members.values()) {
                if (member.users == 0) {
                    idle.add(member);
                }
            }
            idle.forEach(this::remove);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        IOException failure = null;
        for (Member member : idle) {
            try {
                member.close();
            } catch (IOException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
