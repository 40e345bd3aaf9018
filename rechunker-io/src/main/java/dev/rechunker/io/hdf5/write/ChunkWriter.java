package dev.rechunker.io.hdf5.write;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Appends chunks to the file in any order, from any number of threads, without a lock. The writeIndex is written at the
 * end.
 *
 * <p>A chunk that is written again overwrites the old one if its size is the same. Otherwise the space of the old chunk
 * is lost.
 */
final class ChunkWriter extends Hdf5Writer implements ArrayWriter.EncodedTarget {
    private static final int COPY_PIECE = 1 << 18;

    private final CodecChain chain;
    private final WriteTraits traits;
    private @Nullable ChunkTable table;

    ChunkWriter(String name, PartFile file, DatasetSpec array, Publication publication) throws StoreException {
        super(name, file, array, publication);
        this.traits = traits(array);
        this.chain = array.chain();
        this.table = new ChunkTable((int) array.spec().chunks().count());
    }

    /** {@return the traits of a writer of an array} */
    static WriteTraits traits(DatasetSpec array) throws StoreException {
        try (CodecChain chain = array.chain()) {
            Codec.Needs needs = chain.encodeNeeds();
            long encoding = chain.isRaw() ? 0 : chain.maxEncodedSize() + needs.scratchBytes();
            long chunks = array.spec().chunks().count();
            return WriteTraits.PLAIN
                    .withPaddedEdges(true)
                    .withScratchBytes(encoding)
                    .withNativeBytes(needs.nativeBytes() + Transfers.PIECE)
                    .withHeldBytes(ChunkTable.BYTES * chunks + ChunkTree.heldBytes(chunks))
                    .withEncoded(EncodedTraits.of(array.identity())
                            .withScratchBytes(copyPiece(chain))
                            .withNativeBytes(Transfers.PIECE));
        }
    }

    private static int copyPiece(CodecChain chain) {
        return (int) Math.min(COPY_PIECE, chain.maxEncodedSize());
    }

    @Override
    public WriteTraits traits() {
        return traits;
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        requireOpen();
        int chunk = ordinal(unit, data.remaining());
        int mark = scratch.mark();
        try {
            if (chain.isRaw()) {
                put(chunk, data);
            } else {
                ByteBuffer encoded = scratch.take(chain.maxEncodedSize());
                chain.encode(data, encoded, scratch);
                put(chunk, encoded.flip());
            }
        } catch (IOException e) {
            throw explain(unit, e);
        } finally {
            scratch.release(mark);
        }
    }

    private void put(int chunk, ByteBuffer bytes) throws IOException {
        int size = bytes.remaining();
        long address = address(chunk, size);
        file().write(address, bytes);
        recordStored(size);
        table().set(chunk, address, size);
    }

    private long address(int chunk, int size) {
        return table().size(chunk) == size ? table().address(chunk) : file().allocate(size);
    }

    private ChunkTable table() {
        ChunkTable held = table;
        if (held == null) {
            throw new IllegalStateException("the writer is closed");
        }
        return held;
    }

    @Override
    public Optional<EncodedTarget> encoded() {
        return Optional.of(this);
    }

    @Override
    public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
        requireOpen();
        int chunk = ordinal(unit, array().chunkBytes());
        int mark = scratch.mark();
        try {
            long size = encoded.size();
            if (size <= 0 || size > chain.maxEncodedSize()) {
                throw new StoreException(
                        "an encoded chunk has " + size + " bytes, but must have 1 to " + chain.maxEncodedSize());
            }
            long address = address(chunk, (int) size);
            ByteBuffer piece = scratch.take(copyPiece(chain));
            for (long done = 0; done < size; done += piece.limit()) {
                piece.clear().limit((int) Math.min(piece.capacity(), size - done));
                encoded.read(done, piece);
                file().write(address + done, piece.flip());
            }
            recordStored(size);
            table().set(chunk, address, (int) size);
        } catch (IOException e) {
            throw explain(unit, e);
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    ElementStorage writeIndex() throws IOException {
        long root = new ChunkTree(file(), array().storedChunks(), table()).write();
        return new ElementStorage(root, table().storedBytes());
    }

    @Override
    void free() {
        chain.close();
        table = null;
    }
}
