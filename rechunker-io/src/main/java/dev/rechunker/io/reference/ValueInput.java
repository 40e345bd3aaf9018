package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A value of a key store, from its start to its end. */
final class ValueInput extends InputStream {
    private final ByteSource value;
    private long at;

    ValueInput(ByteSource value) {
        this.value = value;
    }

    static ValueInput open(KeyStore keys, String key) throws IOException {
        return new ValueInput(
                keys.open(key).orElseThrow(() -> new StoreException(keys.name() + "/" + key + " does not exist")));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = (int) Math.min(length, value.size() - at);
        if (count <= 0) {
            return length == 0 ? 0 : -1;
        }
        value.read(at, ByteBuffer.wrap(bytes, offset, count));
        at += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        value.close();
    }
}
