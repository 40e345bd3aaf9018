package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.file.ContiguousRuns;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.hdf5.format.StoredChunk;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a chunked array of a file that is being written, or was just finished. */
final class WrittenChunkReader implements ArrayReader, ArrayReader.EncodedSource, ArrayReader.EncodedChunks {
    private final String name;
    private final PartFile file;
    private final DatasetSpec array;
    private final @Nullable OutsideElements outside;
    private final CodecChain chain;
    private final String identity;
    private final ChunkTable table;
    private volatile boolean closed;

    /** @param outside the elements that are outside of the dataset; null if it has none */
    WrittenChunkReader(
            String name, PartFile file, DatasetSpec array, @Nullable OutsideElements outside, ElementStorage storage)
            throws IOException {
        this.name = name;
        this.file = file;
        this.array = array;
        this.outside = outside;
        this.table = new ChunkTable((int) array.spec().chunks().count());
        if (!storage.isEmpty()) {
            new ChunkTree(file, array.storedChunks(), table).load(storage.address());
        }
        this.identity = array.identity();
        this.chain = array.chain();
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return traits(array, chain);
    }

    /** {@return the traits of a reader of an array} */
    static ReadTraits traits(DatasetSpec array) throws StoreException {
        try (CodecChain chain = array.chain()) {
            return traits(array, chain);
        }
    }

    private static ReadTraits traits(DatasetSpec array, CodecChain chain) {
        Codec.Needs needs = chain.decodeNeeds();
        long decoding = chain.maxEncodedSize() + needs.scratchBytes();
        return ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withPaddedEdges(array.isPadded())
                .withScratchBytes(
                        array.isVariable()
                                ? array.chunkBytes() + Math.max(decoding, array.outsideScratchBytes())
                                : decoding)
                .withNativeBytes(needs.nativeBytes() + Transfers.PIECE)
                .withHeldBytes((long) ChunkTable.BYTES * array.spec().chunks().count());
    }

    private int chunk(Region region) {
        if (closed) {
            throw new IllegalStateException("the reader of " + name + " is closed");
        }
        long[] index = region.origin();
        for (int axis = 0; axis < index.length; axis++) {
            index[axis] /= spec().chunks().axis(axis).step();
        }
        return (int) spec().chunks().ordinal(index);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        int chunk = chunk(region);
        if (table.size(chunk) == 0) {
            return false;
        }
        int mark = scratch.mark();
        try {
            if (array.isVariable()) {
                readElements(chunk, region, target, scratch);
            } else {
                decode(chunk, target, scratch);
            }
            return true;
        } catch (IOException e) {
            throw Hdf5Writer.explain(name, region, e);
        } finally {
            scratch.release(mark);
        }
    }

    private void decode(int chunk, ByteBuffer target, Scratch scratch) throws IOException {
        ByteBuffer stored = scratch.take(table.size(chunk));
        file.read(table.address(chunk), stored);
        chain.decode(stored.flip(), target, scratch);
    }

    private void readElements(int chunk, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        ByteBuffer stored = scratch.take(array.chunkBytes());
        int mark = scratch.mark();
        decode(chunk, stored.duplicate(), scratch);
        scratch.release(mark);
        OutsideElements.Reader elements = Objects.requireNonNull(outside).reader(scratch);
        ContiguousRuns.visit(
                spec().chunks().chunkShape(),
                array.elementSize(),
                Region.whole(region.shape()),
                (offset, bytes) -> elements.read(stored.slice((int) offset, (int) bytes), target));
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return array.isVariable() ? Optional.empty() : Optional.of(this);
    }

    @Override
    public String encodingIdentity() {
        return identity;
    }

    @Override
    public Optional<EncodedUnit> openEncoded(Region unit) {
        int chunk = chunk(unit);
        return table.size(chunk) == 0
                ? Optional.empty()
                : Optional.of(new StoredChunk(file::read, table.address(chunk), table.size(chunk)));
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return array.isVariable() ? Optional.empty() : Optional.of(this);
    }

    @Override
    public String chunkEncoding() {
        return chain.chunkEncoding(spec());
    }

    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) {
        return openEncoded(chunk);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            chain.close();
        }
    }
}
