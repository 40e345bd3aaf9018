package dev.rechunker.io.bytes;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/** A key store that can only be read. */
public abstract class ReadOnlyKeys implements KeyStore {
    private final String what;

    /** Creates a store; {@code what} describes it in messages: {@code "a zip file"}. */
    protected ReadOnlyKeys(String what) {
        this.what = what;
    }

    @Override
    public final boolean isWritable() {
        return false;
    }

    @Override
    public final void put(String key, ByteBuffer value) {
        throw readOnly();
    }

    @Override
    public final boolean putNew(String key, ByteBuffer value) {
        throw readOnly();
    }

    @Override
    public final ByteSink create(String key, long most, Scratch scratch) {
        throw readOnly();
    }

    @Override
    public final void delete(String key) {
        throw readOnly();
    }

    @Override
    public final void deleteTree(String prefix) {
        throw readOnly();
    }

    @Override
    public final void deleteBelow(String prefix, Predicate<String> names) {
        throw readOnly();
    }

    private UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException(name() + " is " + what + ", which can only be read");
    }
}
