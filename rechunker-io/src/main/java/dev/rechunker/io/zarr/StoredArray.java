package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.store.StoreException;

/** An array in a store: its layout, codecs and files. Readers and writers share this class. */
final class StoredArray extends UnitFiles {
    private final Layout layout;
    private final CodecChain chain;

    private StoredArray(KeyStore store, String path, Layout layout, CodecChain chain) {
        super(store, path);
        this.layout = layout;
        this.chain = chain;
    }

    /** {@return the layout of the array} */
    Layout layout() {
        return layout;
    }

    /** {@return the codecs of chunks} */
    CodecChain chain() {
        return chain;
    }

    /** {@return an array with its codecs} */
    static StoredArray open(KeyStore store, String path, Layout layout) throws StoreException {
        return open(store, path, layout, 0);
    }

    /**
     * {@return an array with its codecs}
     *
     * @param mostBytes the most bytes of the elements of a chunk if they have a variable length that is not measured
     */
    static StoredArray open(KeyStore store, String path, Layout layout, long mostBytes) throws StoreException {
        String name = NodePaths.inStore(store.name(), path);
        StoredArray array = new StoredArray(store, path, layout, layout.chain(name, mostBytes));
        try {
            if (!array.chain.isRaw()) {
                requireBuffer(name, "chunks", Math.max(layout.chunkBytes(), array.chain.maxEncodedSize()));
            }
        } catch (ArithmeticException e) {
            throw new StoreException(name + " has chunks of more than 2^63 bytes", e);
        }
        return array;
    }

    @Override
    public String key(Region region) {
        return absolute(layout.key(region));
    }

    @Override
    protected long maxStoredBytes() {
        long most = chain.maxEncodedSize();
        for (int i = layout.levels().size() - 1; i >= 0; i--) {
            ShardLevel level = layout.levels().get(i);
            most = Math.addExact(Math.multiplyExact(level.counts().elements(), most), level.indexSize());
        }
        return most;
    }

    /** Refuses a stored write unit whose size is not possible. */
    void requireUnit(String key, long size) throws StoreException {
        if (layout.levels().isEmpty()) {
            requireChunk(key, size);
        } else {
            requireIndex(layout.levels().get(0), key, size);
        }
    }

    /** Refuses a shard that is shorter than its index. */
    void requireIndex(ShardLevel level, String key, long size) throws StoreException {
        if (size < level.indexSize()) {
            throw refuse(
                    key,
                    "a shard of " + size + " bytes is too short for its index of " + level.indexSize()
                            + "; it was cut off, or belongs to another array");
        }
    }

    /** Refuses a stored chunk with fewer or more bytes than any encoded chunk can have. */
    void requireChunk(String key, long size) throws StoreException {
        if (!chain.canTake(size, layout.chunkBytes())) {
            throw refuse(
                    key,
                    "it has " + size + " bytes, but a chunk takes " + layout.chunkBytes()
                            + "; it was cut off, or belongs to another array");
        }
        long most = chain.maxEncodedSize();
        if (size > most) {
            throw refuse(
                    key,
                    "it has " + size + " bytes, but a chunk of " + chain.decodedSize() + " bytes takes at most " + most
                            + " when encoded by " + layout.spec().codecs());
        }
    }

    @Override
    public String identity() {
        return layout.identity(chain);
    }

    @Override
    public void close() {
        super.close();
        chain.close();
    }
}
