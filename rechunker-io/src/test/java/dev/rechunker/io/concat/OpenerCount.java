package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often sources are opened, and how many are open at the same time. */
final class OpenerCount {
    private final ConcurrentMap<String, AtomicInteger> opened = new ConcurrentHashMap<>();
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** {@return a source that is counted} */
    Source count(Source source) {
        return new Source(source.name(), source.path(), () -> {
            opened.computeIfAbsent(source.name(), name -> new AtomicInteger()).incrementAndGet();
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            return new Counted(source.open());
        });
    }

    private final class Counted extends ForwardingStore {
        private final AtomicBoolean open = new AtomicBoolean(true);

        Counted(ChunkStore store) {
            super(store);
        }

        @Override
        public void close() throws IOException {
            assertEquals(true, open.getAndSet(false), "closed twice: " + name());
            now.decrementAndGet();
            super.close();
        }
    }

    /** Sets the counts to zero. */
    void reset() {
        opened.clear();
        most.set(now.get());
    }

    /** {@return how often each source was opened, by its name} */
    Map<String, Integer> opened() {
        Map<String, Integer> counts = new TreeMap<>();
        opened.forEach((name, count) -> counts.put(name, count.get()));
        return counts;
    }

    int openNow() {
        return now.get();
    }

    int mostOpen() {
        return most.get();
    }
}
