package dev.rechunker.io.codec;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Things that are expensive to make and serve one thread at a time. There are never more of them than threads were busy
 * at once; closing frees the idle ones, and those still out as they come back.
 */
final class Pool<T> implements Closeable {
    private final Supplier<T> maker;
    private final Consumer<T> freer;
    private final boolean thrifty;
    private final Deque<T> idle = new ArrayDeque<>();
    private int out;
    private boolean closed;

    Pool(Supplier<T> maker, Consumer<T> freer) {
        this(maker, freer, false);
    }

    private Pool(Supplier<T> maker, Consumer<T> freer, boolean thrifty) {
        this.maker = maker;
        this.freer = freer;
        this.thrifty = thrifty;
    }

    /**
     * {@return a pool that keeps no more idle things than there are busy ones, and one}
     *
     * <p>Many arrays may be open for reading at once: those that nobody reads from hold one thing each, however many
     * threads have passed.
     */
    static <T> Pool<T> thrifty(Supplier<T> maker, Consumer<T> freer) {
        return new Pool<>(maker, freer, true);
    }

    T take() {
        synchronized (idle) {
            out++;
            T thing = idle.pollLast();
            if (thing != null) {
                return thing;
            }
        }
        try {
            return maker.get();
        } catch (RuntimeException | Error e) {
            synchronized (idle) {
                out--;
            }
            throw e;
        }
    }

    void give(T thing) {
        List<T> free = new ArrayList<>();
        synchronized (idle) {
            out--;
            idle.addLast(thing);
            int most = closed ? 0 : thrifty ? out + 1 : Integer.MAX_VALUE;
            while (idle.size() > most) {
                free.add(idle.removeFirst());
            }
        }
        free.forEach(freer);
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.forEach(freer);
            idle.clear();
        }
    }
}
