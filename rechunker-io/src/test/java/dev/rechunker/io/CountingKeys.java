package dev.rechunker.io;

import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.SharedSink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what is read from a key store, and written to it, without documents of metadata. */
final class CountingKeys {
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final KeyStore keys;

    CountingKeys(KeyStore keys) {
        this.keys = counted(KeyStore.class, keys);
    }

    /** {@return the key store to be used} */
    KeyStore keys() {
        return keys;
    }

    long read() {
        return read.get();
    }

    long written() {
        return written.get();
    }

    private <T> T counted(Class<T> type, T delegate) {
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            @Nullable Object[] arguments = given == null ? new Object[0] : given;
            boolean isData = arguments.length > 0
                    && arguments[0] instanceof String key
                    && !List.of(".zarray", ".zattrs", ".zgroup", ".zmetadata", "zarr.json", "attributes.json")
                            .contains(key.substring(key.lastIndexOf('/') + 1));
            for (Object argument : arguments) {
                if (argument instanceof ByteBuffer buffer && (isData || !(delegate instanceof KeyStore))) {
                    (method.getName().equals("read") ? read : written).addAndGet(buffer.remaining());
                }
            }
            try {
                Object result = method.invoke(delegate, given);
                return isData ? wrapped(result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return type.cast(proxy);
    }

    private @Nullable Object wrapped(@Nullable Object result) {
        if (result instanceof Optional<?> optional && optional.orElse(null) instanceof ByteSource source) {
            return Optional.of(counted(ByteSource.class, source));
        }
        if (result instanceof SharedSink sink) {
            return counted(SharedSink.class, sink);
        }
        return result instanceof ByteSink sink ? counted(ByteSink.class, sink) : result;
    }
}
