package dev.rechunker.io.bytes;

import dev.rechunker.store.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A value of one part, which one request writes. It exists as soon as its part is put. */
final class OnePart implements SpillStore.Value {
    private final String name;
    private final Request request;
    private volatile boolean put;
    private volatile boolean closed;

    /** Writes a value. */
    interface Request {
        void put(List<ByteBuffer> value) throws IOException;
    }

    OnePart(String name, Request request) {
        this.name = name;
        this.request = request;
    }

    @Override
    public void put(int number, List<ByteBuffer> bytes) throws IOException {
        requireOpen();
        request.put(bytes);
        put = true;
    }

    @Override
    public void commit() {
        requireOpen();
        if (!put) {
            throw new IllegalStateException("the only part of " + name + " was not put");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(name + " was closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
