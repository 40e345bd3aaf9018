package dev.rechunker.io.bytes;

import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Optional;

/** Temporary data of a plan, as values below a prefix of a key store. */
public final class KeySpill implements SpillStore {
    /** The kind in a descriptor. */
    public static final String KIND = "keys";

    private static final String BELOW = "below";

    private final KeyStore keys;
    private final String prefix;
    private final boolean owned;

    private KeySpill(KeyStore keys, String prefix, boolean owned) throws StoreException {
        if (!keys.isWritable() || keys.partBytes() == 0) {
            throw new StoreException("temporary data cannot be written to " + keys.name()
                    + (keys.isWritable()
                            ? "; to use files, give the path of a directory"
                            : ", which can only be read"));
        }
        this.keys = keys;
        this.prefix = prefix;
        this.owned = owned;
    }

    /**
     * {@return temporary data in a whole key store, which is closed with it}
     *
     * @throws StoreException if the store does not accept values in parts
     */
    public static KeySpill of(KeyStore keys) throws StoreException {
        return new KeySpill(keys, "", true);
    }

    /**
     * {@return temporary data below a prefix of a key store, which stays open}
     *
     * @throws StoreException if the store does not accept values in parts
     */
    public static KeySpill below(KeyStore keys, String prefix) throws StoreException {
        return new KeySpill(keys, prefix, false);
    }

    @Override
    public String name() {
        return keys.name() + (prefix.isEmpty() ? "" : "/" + prefix);
    }

    @Override
    public String identity() {
        return keys.identity() + "/" + prefix;
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return keys.address().map(address -> StoreDescriptor.of(KIND, address).with(BELOW, prefix));
    }

    /** {@return the temporary data of a descriptor, in a store that is closed with it} */
    public static KeySpill of(StoreDescriptor descriptor, KeyStore keys) throws StoreException {
        return new KeySpill(keys, descriptor.text(BELOW), true);
    }

    private String key(String name) {
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    @Override
    public long requestBytes() {
        return keys.sourceBytes();
    }

    @Override
    public long partBytes() {
        return keys.partBytes();
    }

    @Override
    public Value create(String name, int parts) throws IOException {
        return keys.createInParts(key(name), parts);
    }

    @Override
    public Optional<EncodedUnit> open(String name, long offset, long length) throws IOException {
        return keys.open(key(name), new Span(offset, length)).map(source -> source);
    }

    @Override
    public void delete(String below) throws IOException {
        keys.deleteTree(key(below));
    }

    @Override
    public void close() throws IOException {
        if (owned) {
            keys.close();
        }
    }

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
