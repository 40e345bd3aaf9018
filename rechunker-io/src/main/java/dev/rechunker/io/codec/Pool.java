package dev.rechunker.io.codec;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Things that are expensive to make and serve one thread at a time. There are never more of them than threads were busy
 * at once; closing frees the idle ones, and those still out as they come back.
 */
final class Pool<T> implements Closeable {
    private final Supplier<T> maker;
    private final Consumer<T> freer;
    private final Deque<T> idle = new ArrayDeque<>();
    private boolean closed;

    Pool(Supplier<T> maker, Consumer<T> freer) {
        this.maker = maker;
        this.freer = freer;
    }

    T take() {
        synchronized (idle) {
            T thing = idle.pollLast();
            if (thing != null) {
                return thing;
            }
        }
        return maker.get();
    }

    void give(T thing) {
        synchronized (idle) {
            if (!closed) {
                idle.addLast(thing);
                return;
            }
        }
        freer.accept(thing);
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
