package dev.rechunker.io.bytes;

import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Optional;

/** Temporary values below a prefix of a key store. */
public final class KeySpill implements SpillStore {
    /** What a descriptor calls it. */
    public static final String KIND = "keys";

    private static final String BELOW = "below";

    private final KeyStore keys;
    private final String prefix;
    private final boolean owned;

    private KeySpill(KeyStore keys, String prefix, boolean owned) throws StoreException {
        if (!keys.isWritable() || keys.partBytes() == 0) {
            throw new StoreException("temporary values cannot be put in " + keys.name()
                    + (keys.isWritable()
                            ? "; for files, name their directory by its path"
                            : ", which can only be read"));
        }
        this.keys = keys;
        this.prefix = prefix;
        this.owned = owned;
    }

    /**
     * {@return all of a key store, which is closed with it}
     *
     * @throws StoreException if it takes no values in parts
     */
    public static KeySpill of(KeyStore keys) throws StoreException {
        return new KeySpill(keys, "", true);
    }

    /**
     * {@return what is below a prefix of a key store, which stays open}
     *
     * @throws StoreException if it takes no values in parts
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

    /** {@return what a descriptor describes, in the store that is at its place; closed with it} */
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
