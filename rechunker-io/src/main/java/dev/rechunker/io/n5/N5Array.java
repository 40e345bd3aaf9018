package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;

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
        return toRead(store, path, spec, Long.MAX_VALUE);
    }

    /**
     * {@return an array for reading: any block may have the nominal size}
     *
     * @param mostBytes the most bytes of the texts of a block; {@link Long#MAX_VALUE} if only the longest limits them
     */
    static N5Array toRead(KeyStore store, String path, ArraySpec spec, long mostBytes) throws StoreException {
        return open(store, path, spec, decoded(spec, spec.chunks().chunkShape(), mostBytes));
    }

    /** {@return an array for writing: blocks are cropped where the array ends} */
    static N5Array toWrite(KeyStore store, String path, ArraySpec spec) throws StoreException {
        requireBuffer(
                NodePaths.inStore(store.name(), path),
                "blocks",
                bytes(spec, spec.chunks().chunkShape()));
        return open(store, path, spec, decoded(spec, spec.chunks().largestChunk(), Long.MAX_VALUE));
    }

    /** {@return what is encoded in the largest block: elements, or the bytes of texts} */
    private static ElementContext decoded(ArraySpec spec, Shape largest, long mostBytes) {
        DataType type = spec.dataType();
        if (!type.isVariable()) {
            return new ElementContext(type, spec.byteOrder(), largest);
        }
        long most = type.isMeasured() ? Math.min(Texts.mostBytes(type, largest.elements()), mostBytes) : mostBytes;
        return new ElementContext(DataType.UINT8, spec.byteOrder(), Shape.of(Math.max(1, most)));
    }

    private static N5Array open(KeyStore store, String path, ArraySpec spec, ElementContext decoded)
            throws StoreException {
        String name = NodePaths.inStore(store.name(), path);
        try {
            requireBuffer(name, "blocks", decoded.decodedSize());
            CodecChain chain = Codecs.chainUpTo(spec.codecs(), decoded);
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

    /** {@return the bytes of scratch that decoding a block takes} */
    long decodeScratch() {
        return chain.isRaw() ? 0 : chain.maxEncodedSize() + chain.decodeNeeds().scratchBytes();
    }

    /**
     * Decodes the contents of a block.
     *
     * @param from the size of its header
     * @param size the number of bytes after the header
     * @param decoded takes the decoded bytes, up to its limit
     */
    void decode(ByteSource block, long from, long size, ByteBuffer decoded, Scratch scratch) throws IOException {
        if (chain.isRaw()) {
            block.read(from, decoded);
            return;
        }
        ByteBuffer encoded = scratch.take(size);
        block.read(from, encoded);
        chain.decode(encoded.flip(), decoded, scratch);
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
    protected String cause() {
        DataType type = spec.dataType();
        return type.isVariable() && type.isMeasured()
                ? "; or the array has changed since the plan was made, with elements of at most " + type.longest()
                        + " bytes: make a new plan"
                : "";
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
