package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.store.StoreException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** An array in a store: its layout, codecs and files. Readers and writers share this class. */
final class StoredArray extends UnitFiles {
    /** The most shapes of chunks of which the codecs are remembered. */
    private static final int MOST_CHAINS = 64;

    private final Layout layout;
    private final CodecChain chain;
    private final long mostBytes;
    /** The codecs of chunks of other shapes than the largest. */
    private final ConcurrentMap<Shape, CodecChain> chains = new ConcurrentHashMap<>();

    private StoredArray(KeyStore store, String path, Layout layout, CodecChain chain, long mostBytes) {
        super(store, path);
        this.layout = layout;
        this.chain = chain;
        this.mostBytes = mostBytes;
    }

    /** {@return the layout of the array} */
    Layout layout() {
        return layout;
    }

    /** {@return the codecs of chunks; if chunks are irregular, those of the largest} */
    CodecChain chain() {
        return chain;
    }

    /** {@return the codecs of the chunk that contains the origin of a region} */
    CodecChain chain(Region region) throws StoreException {
        Shape shape = layout.spec().chunks().nominalShape(region);
        if (shape.equals(layout.spec().chunks().chunkShape())) {
            return chain;
        }
        CodecChain known = chains.get(shape);
        if (known != null) {
            return known;
        }
        CodecChain made = layout.chain(name(), shape, mostBytes).sharing(chain);
        if (chains.size() < MOST_CHAINS) {
            chains.put(shape, made);
        }
        return made;
    }

    /** {@return an array with its codecs} */
    static StoredArray open(KeyStore store, String path, Layout layout) throws StoreException {
        return open(store, path, layout, Long.MAX_VALUE);
    }

    /**
     * {@return an array with its codecs}
     *
     * @param mostBytes the most bytes of the elements of a chunk if they have a variable length, and their lengths;
     *     {@link Long#MAX_VALUE} if only the longest element limits them
     */
    static StoredArray open(KeyStore store, String path, Layout layout, long mostBytes) throws StoreException {
        String name = NodePaths.inStore(store.name(), path);
        CodecChain chain = layout.chain(name, layout.spec().chunks().chunkShape(), mostBytes);
        StoredArray array = new StoredArray(store, path, layout, chain, mostBytes);
        try {
            if (!array.chain.isRaw()) {
                long decoded = array.chain.decodesElements() ? 0 : layout.chunkBytes();
                requireBuffer(name, "chunks", Math.max(decoded, array.chain.maxEncodedSize()));
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
            most = Math.addExact(Math.multiplyExact(level.mostChunks(), most), level.mostIndexSize());
        }
        return most;
    }

    /** Refuses a stored write unit whose size is not possible. */
    void requireUnit(String key, Region unit, long size) throws StoreException {
        if (layout.levels().isEmpty()) {
            requireChunk(key, unit, size);
        } else {
            requireIndex(layout.levels().get(0), key, unit, size);
        }
    }

    /** Refuses a shard that is shorter than its index. */
    void requireIndex(ShardLevel level, String key, Region region, long size) throws StoreException {
        if (size < level.indexSize(region)) {
            throw refuse(
                    key,
                    "a shard of " + size + " bytes is too short for its index of " + level.indexSize(region)
                            + "; it was cut off, or belongs to another array");
        }
    }

    /** Refuses a stored chunk with fewer or more bytes than any encoded chunk of its shape can have. */
    void requireChunk(String key, Region region, long size) throws StoreException {
        CodecChain codecs = chain(region);
        if (!codecs.canTake(size, codecs.decodedSize())) {
            throw refuse(
                    key,
                    "it has " + size + " bytes, but a chunk takes " + codecs.decodedSize()
                            + "; it was cut off, or belongs to another array");
        }
        long most = codecs.maxEncodedSize();
        if (size > most) {
            throw refuse(
                    key,
                    "it has " + size + " bytes, but a chunk of " + codecs.decodedSize() + " bytes takes at most " + most
                            + " when encoded by " + layout.spec().codecs());
        }
    }

    @Override
    protected String cause() {
        DataType type = layout.spec().dataType();
        return type.isVariable() && type.isMeasured()
                ? "; or the array has changed since the plan was made, with elements of at most " + type.longest()
                        + " bytes: make a new plan"
                : "";
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
