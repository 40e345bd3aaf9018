package dev.rechunker.io.codec;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A pool of objects that are expensive to create, and are used by one thread at a time. There are never more of them
 * than threads that use them at the same time. Closing the pool frees idle objects, and the others when they are
 * returned.
 */
final class Pool<T> implements Closeable {
    private final Supplier<T> factory;
    private final Consumer<T> destroyer;
    private final boolean keepingFew;
    private final Deque<T> idle = new ArrayDeque<>();
    private int inUse;
    private boolean closed;

    Pool(Supplier<T> factory, Consumer<T> destroyer) {
        this(factory, destroyer, false);
    }

    private Pool(Supplier<T> factory, Consumer<T> destroyer, boolean keepingFew) {
        this.factory = factory;
        this.destroyer = destroyer;
        this.keepingFew = keepingFew;
    }

    /**
     * {@return a pool that keeps at most one idle object more than there are objects in use}
     *
     * <p>When many arrays are open for reading, an array from which no thread reads has one object only.
     */
    static <T> Pool<T> keepingFew(Supplier<T> factory, Consumer<T> destroyer) {
        return new Pool<>(factory, destroyer, true);
    }

    T take() {
        synchronized (idle) {
            inUse++;
            T object = idle.pollLast();
            if (object != null) {
                return object;
            }
        }
        try {
            return factory.get();
        } catch (RuntimeException | Error e) {
            synchronized (idle) {
                inUse--;
            }
            throw e;
        }
    }

    void giveBack(T object) {
        List<T> free = new ArrayList<>();
        synchronized (idle) {
            inUse--;
            idle.addLast(object);
            int most = closed ? 0 : keepingFew ? inUse + 1 : Integer.MAX_VALUE;
            while (idle.size() > most) {
                free.add(idle.removeFirst());
            }
        }
        free.forEach(destroyer);
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.forEach(destroyer);
            idle.clear();
        }
    }
}
