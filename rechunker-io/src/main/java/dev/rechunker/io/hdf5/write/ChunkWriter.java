package dev.rechunker.io.hdf5.write;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.file.ContiguousRuns;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends chunks to the file in any order, from any number of threads, without a lock. The writeIndex is written at the
 * end.
 *
 * <p>A chunk that is written again overwrites the old one if its size is the same. Otherwise the space of the old chunk
 * is lost.
 */
final class ChunkWriter extends Hdf5Writer implements ArrayWriter.EncodedTarget, ArrayWriter.ChunkTarget {
    private static final int COPY_PIECE = 1 << 18;

    private final CodecChain chain;
    private final WriteTraits traits;
    private final @Nullable OutsideElements outside;
    private @Nullable ChunkTable table;

    /** @param outside what elements refer to; null if they do not */
    ChunkWriter(
            String name, PartFile file, DatasetSpec array, @Nullable OutsideElements outside, Publication publication)
            throws StoreException {
        super(name, file, array, publication);
        this.traits = traits(array);
        this.chain = array.chain();
        this.outside = outside;
        this.table = new ChunkTable((int) array.spec().chunks().count());
    }

    /** {@return the traits of a writer of an array} */
    static WriteTraits traits(DatasetSpec array) throws StoreException {
        try (CodecChain chain = array.chain()) {
            Codec.Needs needs = chain.encodeNeeds();
            long encoding = chain.isRaw() ? 0 : chain.maxEncodedSize() + needs.scratchBytes();
            long chunks = array.spec().chunks().count();
            long held = ChunkTable.BYTES * chunks + ChunkTree.heldBytes(chunks);
            WriteTraits traits = WriteTraits.PLAIN
                    .withPaddedEdges(array.isPadded())
                    .withNativeBytes(needs.nativeBytes() + Transfers.PIECE);
            if (array.isVariable()) {
                long scratch = array.chunkBytes() + Math.max(encoding, array.outsideScratchBytes());
                return traits.withScratchBytes(scratch)
                        .withHeldBytes(held + ElementHeap.HELD_BYTES + (array.isFillStated() ? scratch : 0));
            }
            return traits.withScratchBytes(encoding)
                    .withHeldBytes(held)
                    .withEncoded(encoded(array.identity(), chain))
                    .withEncodedChunks(encoded(array.chunkEncoding(), chain));
        }
    }

    private static EncodedTraits encoded(String identity, CodecChain chain) {
        return EncodedTraits.of(identity).withScratchBytes(copyPiece(chain)).withNativeBytes(Transfers.PIECE);
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
            if (outside == null) {
                encode(chunk, data, scratch);
            } else {
                ByteBuffer elements = data.duplicate();
                encode(chunk, references(outside, unit, () -> elements, scratch), scratch);
            }
        } catch (IOException e) {
            throw explain(unit, e);
        } finally {
            scratch.release(mark);
        }
    }

    private void encode(int chunk, ByteBuffer data, Scratch scratch) throws IOException {
        if (chain.isRaw()) {
            put(chunk, data);
        } else {
            ByteBuffer encoded = scratch.take(chain.maxEncodedSize());
            chain.encode(data, encoded, scratch);
            put(chunk, encoded.flip());
        }
    }

    /**
     * Writes what elements refer to; {@return the chunk of references to them, which are null where the array ends}
     *
     * @param next the buffer that has the next element at its position
     */
    private ByteBuffer references(OutsideElements outside, Region unit, Supplier<ByteBuffer> next, Scratch scratch)
            throws IOException {
        ByteBuffer chunk = scratch.take(array().chunkBytes());
        StridedCopy.fill(chunk, 0, new long[] {1}, new long[] {chunk.limit()}, new byte[1]);
        int mark = scratch.mark();
        OutsideElements.Unit elements = outside.elements(chunk, scratch);
        int size = array().elementSize();
        Region inChunk = Region.whole(unit.shape());
        ContiguousRuns.visit(spec().chunks().chunkShape(), size, inChunk, (offset, bytes) -> {
            for (long at = offset; at < offset + bytes; at += size) {
                elements.add(next.get(), (int) at);
            }
        });
        recordStored(elements.finish());
        scratch.release(mark);
        return chunk;
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
        return outside == null ? Optional.of(this) : Optional.empty();
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
    public Optional<ChunkTarget> encodedChunks() {
        return outside == null ? Optional.of(this) : Optional.empty();
    }

    @Override
    public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        Optional<EncodedUnit> opened = chunks.open(unit, scratch);
        if (opened.isPresent()) {
            try (EncodedUnit chunk = opened.get()) {
                writeEncoded(unit, chunk, scratch);
            }
        }
    }

    @Override
    ElementStorage writeIndex() throws IOException {
        if (outside != null) {
            if (array().isFillStated()) {
                writeMissing(outside);
            }
            outside.flush();
        }
        long root = new ChunkTree(file(), array().storedChunks(), table()).write();
        return new ElementStorage(root, table().storedBytes());
    }

    /** Writes all chunks that are missing, with fill values. */
    private void writeMissing(OutsideElements outside) throws IOException {
        ByteBuffer element =
                ByteBuffer.wrap(spec().fillValue().element(spec().dataType().itemSize()));
        Scratch scratch = Scratch.allocate((int) traits.scratchBytes());
        for (int chunk = 0; chunk < spec().chunks().count(); chunk++) {
            if (table().size(chunk) == 0) {
                Region unit = spec().chunks().regionAt(chunk);
                encode(chunk, references(outside, unit, element::rewind, scratch), scratch);
                scratch.release(0);
            }
        }
    }

    @Override
    void free() {
        chain.close();
        table = null;
    }
}
