package dev.rechunker.resource;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Memory that runs leave for later runs. If an executor returns the same cache for every run, the system does not have
 * to clear new memory each time, which may take more than a tenth of the time of a copy.
 *
 * <p>The cache has only weak references, so the garbage collector may reclaim the memory at any time. Its methods are
 * called by the engine. Several threads may use a cache at once.
 */
public final class MemoryCache {
    private final List<WeakReference<Object>> references = new ArrayList<>();

    /** Creates an empty cache. */
    public MemoryCache() {}

    /**
     * Removes memory from the cache.
     *
     * @param type the type of the memory
     * @param wanted accepts the memory that the caller can use
     * @return the memory, or empty if there is none that the caller can use
     */
    public <T> Optional<T> take(Class<T> type, Predicate<T> wanted) {
        synchronized (references) {
            references.removeIf(each -> each.get() == null);
            for (WeakReference<Object> each : references) {
                Object memory = each.get();
                if (type.isInstance(memory) && wanted.test(type.cast(memory))) {
                    references.remove(each);
                    return Optional.of(type.cast(memory));
                }
            }
        }
        return Optional.empty();
    }

    /** Leaves memory for later runs; the caller must not use it any more. */
    public void leave(Object memory) {
        synchronized (references) {
            references.add(new WeakReference<>(memory));
        }
    }
}
