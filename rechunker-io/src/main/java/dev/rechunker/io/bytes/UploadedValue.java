package dev.rechunker.io.bytes;

import dev.rechunker.store.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A value of several parts that is being written. */
record UploadedValue(Upload<?> upload, int parts) implements SpillStore.Value {
    @Override
    public void put(int number, List<ByteBuffer> bytes) throws IOException {
        upload.send(number + 1, bytes);
    }

    @Override
    public void commit() throws IOException {
        upload.complete(parts);
    }

    @Override
    public void close() {
        upload.abandon();
    }
}
