package dev.rechunker.resource;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Memory that earlier runs have left for later ones. An executor that returns the same cache for every run saves the
 * system the time to clear new memory, which may be more than a tenth of the time of a copy.
 *
 * <p>The cache holds weak references only, so the garbage collector may take the memory at any time. Its methods are
 * for the engine; safe for use by several threads.
 */
public final class MemoryCache {
    private final List<WeakReference<Object>> left = new ArrayList<>();

    /** Creates an empty cache. */
    public MemoryCache() {}

    /**
     * {@return memory of a type that a run has left and that is wanted, removed from the cache; empty if there is none}
     */
    public <T> Optional<T> take(Class<T> type, Predicate<T> wanted) {
        synchronized (left) {
            left.removeIf(each -> each.get() == null);
            for (WeakReference<Object> each : left) {
                Object memory = each.get();
                if (type.isInstance(memory) && wanted.test(type.cast(memory))) {
                    left.remove(each);
                    return Optional.of(type.cast(memory));
                }
            }
        }
        return Optional.empty();
    }

    /** Leaves memory to later runs; the caller must not use it any more. */
    public void leave(Object memory) {
        synchronized (left) {
            left.add(new WeakReference<>(memory));
        }
    }
}
