package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.io.hdf5.format.StoredChunk;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Reads filtered chunks, each completely, or front to back if there is one filter that can be undone like that. */
final class FilteredSource implements Hdf5Reader.Source {
    private static final int MOST = Integer.MAX_VALUE - 8;

    private final StoredDataset stored;
    private final LazyChunkIndex lazyIndex;
    private final LongAdder bytesRead;
    private final ElementContext context;
    private final CodecChain chain;
    private final long mostEncoded;
    private final boolean streams;

    /** @throws StoreException if chunks are too large for a buffer, or options of a filter are not supported */
    FilteredSource(StoredDataset stored, LazyChunkIndex lazyIndex, LongAdder bytesRead) throws StoreException {
        this.stored = stored;
        this.lazyIndex = lazyIndex;
        this.bytesRead = bytesRead;
        this.context = new ElementContext(
                stored.spec().dataType(),
                stored.spec().byteOrder(),
                stored.spec().chunks().chunkShape());
        try {
            this.chain = stored.dataset().filters().chain(context, 0);
        } catch (StoreException e) {
            throw new StoreException(stored.name() + ": " + e.getMessage(), e);
        }
        this.mostEncoded = Math.max(chain.maxEncodedSize(), stored.chunkBytes());
        if (mostEncoded > MOST) {
            throw new StoreException(stored.name() + " has chunks of " + stored.chunkBytes()
                    + " bytes, which take up to " + mostEncoded + " bytes when filtered; at most " + MOST
                    + " bytes are supported");
        }
        this.streams = chain.decodesStream()
                && !stored.isShort()
                && !stored.file().file().isRemote();
    }

    @Override
    public ReadTraits traits() {
        if (streams) {
            Codec.Needs pieces = chain.decodeStreamNeeds();
            return ReadTraits.of(ReadTraits.Granularity.STREAM)
                    .withPaddedEdges(true)
                    .withScratchBytes(pieces.scratchBytes())
                    .withNativeBytes(pieces.nativeBytes() + stored.file().file().readingBytes())
                    .withHeldBytes(lazyIndex.heldBytes());
        }
        Codec.Needs needs = chain.decodeNeeds();
        // A chunk to which some filters were not applied is decoded by codecs of its own.
        return ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withPaddedEdges(true)
                .withScratchBytes(mostEncoded + needs.scratchBytes())
                .withNativeBytes(2 * needs.nativeBytes() + stored.file().file().readingBytes())
                .withHeldBytes(lazyIndex.heldBytes());
    }

    @Override
    public boolean read(long[] index, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        ChunkGrid chunks = stored.spec().chunks();
        if (!region.equals(chunks.region(index))) {
            throw new IllegalArgumentException(region + " is not a chunk of " + chunks);
        }
        stored.requireBytes(region, target.remaining(), stored.chunkBytes());
        if (streams) {
            return stream(index, stored.chunkBytes(), target::put, scratch);
        }
        ChunkIndex found = lazyIndex.get();
        long ordinal = stored.dataset().chunks().ordinal(index);
        long position = found.position(ordinal);
        if (position == 0) {
            return false;
        }
        decode(position, found.size(ordinal), mask(index, found.mask(ordinal)), target, scratch);
        return true;
    }

    @Override
    public boolean stream(long[] index, long bytes, RunSink sink, Scratch scratch) throws IOException {
        ChunkIndex found = lazyIndex.get();
        long ordinal = stored.dataset().chunks().ordinal(index);
        long position = found.position(ordinal);
        if (position == 0) {
            return false;
        }
        int size = found.size(ordinal);
        bytesRead.add(size);
        if (mask(index, found.mask(ordinal)) == 0) {
            EncodedUnit encoded = new StoredChunk(stored.file().file()::read, position, size);
            chain.decodeStream(encoded, 0, bytes, sink, scratch);
            return true;
        }
        requireUnfiltered(size, stored.chunkBytes());
        long itemSize = stored.spec().dataType().itemSize();
        ByteBuffer piece = scratch.take(chain.decodeStreamNeeds().scratchBytes() / itemSize * itemSize);
        for (long at = 0; at < bytes; at += piece.limit()) {
            stored.file().file().read(position + at, piece.clear().limit((int) Math.min(piece.capacity(), bytes - at)));
            sink.accept(piece.flip());
        }
        return true;
    }

    private static void requireUnfiltered(int size, long expected) throws StoreException {
        if (size != expected) {
            throw new StoreException("an unfiltered chunk has " + size + " bytes instead of " + expected);
        }
    }

    private int mask(long[] index, int own) {
        StoredFilters filters = stored.dataset().filters();
        boolean plainEdges = stored.dataset().layout() instanceof StoredLayout.Chunks layout && layout.plainEdges();
        ChunkGrid chunks = stored.dataset().chunks();
        for (int axis = 0; plainEdges && axis < index.length; axis++) {
            if (chunks.axis(axis).size(index[axis]) < chunks.axis(axis).step()) {
                return filters.all();
            }
        }
        return own & filters.all();
    }

    private void decode(long position, int size, int mask, ByteBuffer target, Scratch scratch) throws IOException {
        bytesRead.add(size);
        if (mask == stored.dataset().filters().all()) {
            requireUnfiltered(size, target.remaining());
            stored.file().file().read(position, target);
            return;
        }
        if (size > mostEncoded) {
            throw new StoreException("a chunk has " + size + " stored bytes, but a chunk of " + target.remaining()
                    + " bytes takes at most " + mostEncoded + " when filtered");
        }
        ByteBuffer encoded = scratch.take(size);
        stored.file().file().read(position, encoded);
        encoded.flip();
        if (mask == 0) {
            chain.decode(encoded, target, scratch);
            return;
        }
        try (CodecChain own = stored.dataset().filters().chain(context, mask)) {
            if (own.decodeNeeds().scratchBytes() > chain.decodeNeeds().scratchBytes()) {
                throw new StoreException("a chunk to which some filters were not applied needs more memory than others,"
                        + " which is not supported");
            }
            own.decode(encoded, target, scratch);
        }
    }

    @Override
    public void close() {
        chain.close();
    }
}
