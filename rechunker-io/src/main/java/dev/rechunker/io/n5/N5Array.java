package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.store.StoreException;

/** An array in a store, as its readers and writers need it. */
final class N5Array extends UnitFiles {
    private final ArraySpec spec;
    private final CodecChain chain;

    private N5Array(KeyStore store, String path, ArraySpec spec, CodecChain chain) {
        super(store, path);
        this.spec = spec;
        this.chain = chain;
    }

    /** {@return an array for reading: any block may have the nominal size} */
    static N5Array toRead(KeyStore store, String path, ArraySpec spec) throws StoreException {
        return open(store, path, spec, spec.chunks().chunkShape());
    }

    /** {@return an array for writing: blocks are cropped where the array ends} */
    static N5Array toWrite(KeyStore store, String path, ArraySpec spec) throws StoreException {
        return open(store, path, spec, spec.chunks().largestChunk());
    }

    private static N5Array open(KeyStore store, String path, ArraySpec spec, Shape largest) throws StoreException {
        String name = NodePaths.inStore(store.name(), path);
        try {
            requireBuffer(name, "blocks", bytes(spec, spec.chunks().chunkShape()));
            CodecChain chain =
                    Codecs.chainUpTo(spec.codecs(), new ElementContext(spec.dataType(), spec.byteOrder(), largest));
            N5Array array = new N5Array(store, path, spec, chain);
            try {
                requireBuffer(name, "encoded blocks", array.maxStoredBytes());
            } catch (StoreException e) {
                array.close();
                throw e;
            }
            return array;
        } catch (ArithmeticException e) {
            throw new StoreException(name + " has blocks of more than 2^63 bytes", e);
        } catch (StoreException e) {
            throw String.valueOf(e.getMessage()).startsWith(name)
                    ? e
                    : new StoreException(name + ": " + e.getMessage(), e);
        }
    }

    ArraySpec spec() {
        return spec;
    }

    /** {@return the codecs for blocks up to the largest size} */
    CodecChain chain() {
        return chain;
    }

    /** {@return the key in the store of the block at the origin of a region, x first} */
    @Override
    public String key(Region region) {
        StringBuilder key = new StringBuilder();
        for (int axis = region.rank() - 1; axis >= 0; axis--) {
            key.append(key.length() == 0 ? "" : "/")
                    .append(region.start(axis) / spec.chunks().axis(axis).step());
        }
        return absolute(key.toString());
    }

    /** {@return the size of a box of elements, in bytes} */
    long bytes(Shape shape) {
        return bytes(spec, shape);
    }

    private static long bytes(ArraySpec spec, Shape shape) {
        return Math.multiplyExact(shape.elements(), (long) spec.dataType().itemSize());
    }

    @Override
    protected long maxStoredBytes() {
        return chain.maxEncodedSize() + BlockHeader.mostBytes(spec.chunks().rank());
    }

    @Override
    public String identity() {
        return "n5 " + spec.dataType() + " " + spec.codecs();
    }

    @Override
    public void close() {
        super.close();
        chain.close();
    }
}
