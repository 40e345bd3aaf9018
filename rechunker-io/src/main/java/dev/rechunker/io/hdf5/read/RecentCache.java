package dev.rechunker.io.hdf5.read;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was read at the addresses that were used most recently. Thread-safe; two threads may read the same. */
final class RecentCache<T> {
    private static final int REMEMBERED = 16;

    private final Reader<T> reader;
    private final Map<Long, T> recent = new LinkedHashMap<>(REMEMBERED, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Reads what is at an address. */
    interface Reader<T> {
        T read(long address) throws IOException;
    }

    RecentCache(Reader<T> reader) {
        this.reader = reader;
    }

    /** {@return what is at an address, which is read if it is not remembered} */
    T get(long address) throws IOException {
        synchronized (recent) {
            T known = recent.get(address);
            if (known != null) {
                return known;
            }
        }
        T read = reader.read(address);
        synchronized (recent) {
            recent.put(address, read);
        }
        return read;
    }
}
