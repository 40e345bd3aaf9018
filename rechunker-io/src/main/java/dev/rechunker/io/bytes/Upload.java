package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A large value that is sent to an object store in parts, in any order and by any number of threads. It does not exist
 * before it is completed.
 *
 * @param <P> what the store needs to know of a part that was sent
 */
public abstract class Upload<P> {
    /**
     * The size of a part, in bytes, apart from the last one. Stores need up to 5 MiB, and some need parts of equal
     * size.
     */
    public static final int PART = 8 << 20;

    /** The largest value that is sent by one request instead, in bytes. */
    public static final int WHOLE = 2 * PART;

    private final String name;
    private final NavigableMap<Integer, P> sent = new ConcurrentSkipListMap<>();
    private volatile boolean completed;
    private volatile boolean abandoned;

    /** Creates an upload of which nothing was sent; {@code name} is the name of the value in messages. */
    protected Upload(String name) {
        this.name = name;
    }

    /** {@return the name of the value in messages} */
    public final String name() {
        return name;
    }

    /**
     * Sends a part, or sends it again.
     *
     * @param number the number of the part, from 1
     * @throws IllegalStateException if the upload is complete or was abandoned
     */
    public final void send(int number, List<ByteBuffer> part) throws IOException {
        requireOpen();
        P earlier = sent.remove(number);
        sent.put(number, send(number, part, earlier));
    }

    /**
     * Makes a value of the parts from 1 to a number. A second call does nothing.
     *
     * @throws IllegalStateException if one of the parts was not sent, or the upload was abandoned
     */
    public final synchronized void complete(int parts) throws IOException {
        if (completed) {
            return;
        }
        requireOpen();
        List<P> all = new ArrayList<>(sent.headMap(parts, true).values());
        if (all.size() < parts) {
            throw new IllegalStateException(
                    (parts - all.size()) + " of the " + parts + " parts of " + name + " were not put");
        }
        join(all);
        completed = true;
        discard(new ArrayList<>(sent.tailMap(parts, false).values()));
    }

    /** Discards the parts, unless the upload is complete. What cannot be removed is never visible as a value. */
    public final synchronized void abandon() {
        boolean isLeft = !completed && !abandoned;
        abandoned = true;
        if (isLeft) {
            discard(new ArrayList<>(sent.values()));
        }
    }

    /** Requires that the upload is neither complete nor abandoned. */
    protected final void requireOpen() {
        if (completed || abandoned) {
            throw new IllegalStateException(name + (completed ? " is complete" : " was closed"));
        }
    }

    /** {@return a part, sent} {@code earlier} was sent with the same number before; null if nothing was. */
    protected abstract P send(int number, List<ByteBuffer> part, @Nullable P earlier) throws IOException;

    /** Makes a value of parts that were sent, in this order. */
    protected abstract void join(List<P> parts) throws IOException;

    /**
     * Removes what the upload has left on the server, after it was completed or abandoned. What cannot be removed
     * stays, and no exception is thrown: the value is complete, or an earlier failure is being reported.
     *
     * @param parts the parts that were sent, and are not part of a value
     */
    protected abstract void discard(List<P> parts);
}
