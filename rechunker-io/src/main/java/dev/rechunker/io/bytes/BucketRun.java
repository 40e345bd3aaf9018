package dev.rechunker.io.bytes;

import dev.rechunker.store.RunValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Values of a run in a bucket.
 *
 * @param keys the bucket
 * @param below the start of the keys, which no key of the store has
 */
record BucketRun(BucketKeys keys, String below) implements RunValues {
    private String key(String name) {
        return below + "/" + name;
    }

    @Override
    public String name() {
        return keys.name() + "/" + below;
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        Optional<ByteSource> opened = keys.find(key(name), Span.ALL);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = opened.get()) {
            byte[] value = new byte[Math.toIntExact(source.size())];
            source.read(0, ByteBuffer.wrap(value));
            return Optional.of(value);
        }
    }

    @Override
    public void put(String name, byte[] value) throws IOException {
        keys.store(key(name), ByteBuffer.wrap(value));
    }

    @Override
    public boolean putNew(String name, byte[] value) throws IOException {
        return keys.storeNew(key(name), ByteBuffer.wrap(value));
    }

    @Override
    public void delete(String prefix) throws IOException {
        keys.deleteBelow(key(prefix));
    }

    @Override
    public void deleteAll() throws IOException {
        keys.deleteBelow(below);
    }
}
