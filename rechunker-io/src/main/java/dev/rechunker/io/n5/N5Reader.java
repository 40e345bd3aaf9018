package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.MemorySource;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads an array block by block. A stored block may be smaller than its region: then the rest is zero. It may also be
 * longer on some axes, but must not have more elements than a block of the nominal size.
 */
final class N5Reader implements ArrayReader, ArrayReader.EncodedSource, ArrayReader.EncodedChunks {
    private final N5Array array;
    private final ReadTraits traits;

    N5Reader(N5Array array) {
        this.array = array;
        this.traits = ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withPaddedEdges(true)
                .withScratchBytes(BlockHeader.mostBytes(spec().chunks().rank()) + array.decodeScratch())
                .withNativeBytes(array.chain().decodeNeeds().nativeBytes()
                        + array.store().sourceBytes())
                .withHeldBytes(array.store().heldBytes());
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        UnitFiles.requireUnit(spec().chunks(), region);
        Shape nominal = spec().chunks().chunkShape();
        UnitFiles.requireRemaining(target, region, array.bytes(nominal));
        String key = array.key(region);
        Optional<ByteSource> opened = array.open(key);
        if (opened.isEmpty()) {
            return false;
        }
        int mark = scratch.mark();
        try (ByteSource block = opened.get()) {
            BlockHeader header = header(block, scratch.take(BlockHeader.mostBytes(region.rank())));
            ByteBuffer elements = target.slice();
            decode(block, header, elements.duplicate(), scratch);
            BlockFit.fit(
                    elements,
                    header.shape(),
                    nominal,
                    region.shape(),
                    spec().dataType().itemSize());
            return true;
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    private BlockHeader header(ByteSource block, ByteBuffer start) throws IOException {
        start.limit((int) Math.min(start.capacity(), block.size()));
        block.read(0, start);
        Shape nominal = spec().chunks().chunkShape();
        BlockHeader header = BlockHeader.read(start.flip(), nominal.rank());
        if (header.shape().elements() > nominal.elements()) {
            throw new StoreException("the block has the size " + header.shape()
                    + " by its header, with more elements than the block size of the array, " + nominal);
        }
        return header;
    }

    /** {@return the number of bytes after a header} */
    private long requireSize(ByteSource block, BlockHeader header) throws StoreException {
        long size = block.size() - header.bytes();
        long decoded = array.bytes(header.shape());
        if (!array.chain().canTake(size, decoded)) {
            throw new StoreException("the block has " + size + " bytes of elements, but its size " + header.shape()
                    + " takes " + decoded);
        }
        long most = array.chain().maxEncodedSize();
        if (size > most) {
            throw new StoreException("the block has " + size + " bytes, but with the codecs " + spec().codecs()
                    + " it can have at most " + most);
        }
        return size;
    }

    /** Decodes the elements of a block into {@code elements}, from byte 0. */
    private void decode(ByteSource block, BlockHeader header, ByteBuffer elements, Scratch scratch) throws IOException {
        elements.limit(Math.toIntExact(array.bytes(header.shape())));
        array.decode(block, header.bytes(), requireSize(block, header), elements, scratch);
    }

    /** {@return the size of all chunks, or of all elements if any of them can be read} */
    @Override
    public Optional<StoredSize> storedSize(long most) throws IOException {
        return traits().granularity() == ReadTraits.Granularity.BYTES
                ? Optional.of(new StoredSize(spec().bytes(), false))
                : Optional.of(array.size(spec().chunks(), most));
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return Optional.of(this);
    }

    @Override
    public String encodingIdentity() {
        return array.identity();
    }

    /** {@return the stored block, of any size} A block that {@link #read} would refuse is refused here, too. */
    @Override
    public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
        UnitFiles.requireUnit(spec().chunks(), unit);
        String key = array.key(unit);
        Optional<ByteSource> opened = array.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        ByteSource block = opened.get();
        try {
            requireSize(block, header(block, ByteBuffer.allocate(BlockHeader.mostBytes(unit.rank()))));
            return Optional.of(array.encoded(key, block));
        } catch (IOException e) {
            block.close();
            throw array.explain(key, e);
        }
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return Optional.of(this);
    }

    @Override
    public String chunkEncoding() {
        return array.chain().chunkEncoding(spec());
    }

    /** {@return the memory for encoding a block of another size than the nominal one again} */
    @Override
    public long chunkScratchBytes() {
        return array.bytes(spec().chunks().chunkShape())
                + array.chain().maxEncodedSize()
                + Math.max(traits.scratchBytes(), array.chain().encodeNeeds().scratchBytes());
    }

    @Override
    public long chunkNativeBytes() {
        return array.chain().encodeNeeds().nativeBytes();
    }

    /**
     * {@return the bytes after the header of a block}
     *
     * <p>A block of another size than the nominal one, as where the array ends, is encoded again as one of nominal
     * size.
     */
    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
        UnitFiles.requireUnit(spec().chunks(), chunk);
        String key = array.key(chunk);
        Optional<ByteSource> opened = array.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        ByteSource block = opened.get();
        try {
            BlockHeader header = header(block, ByteBuffer.allocate(BlockHeader.mostBytes(chunk.rank())));
            long size = requireSize(block, header);
            if (header.shape().equals(spec().chunks().chunkShape())) {
                return Optional.of(array.encoded(key, block, header.bytes(), size));
            }
        } catch (IOException e) {
            block.close();
            throw array.explain(key, e);
        }
        block.close();
        return encodedAgain(key, chunk, scratch);
    }

    private Optional<EncodedUnit> encodedAgain(String key, Region chunk, Scratch scratch) throws IOException {
        Shape nominal = spec().chunks().chunkShape();
        ByteBuffer elements = scratch.take(array.bytes(nominal));
        if (!read(chunk, elements.duplicate(), scratch)) {
            return Optional.empty();
        }
        byte[] fill = spec().fillValue().element(spec().dataType().itemSize());
        BlockFit.fillOutside(elements, chunk.shape(), nominal, fill);
        ByteBuffer encoded = elements;
        if (!array.chain().isRaw()) {
            encoded = scratch.take(array.chain().maxEncodedSize());
            array.chain().encode(elements.clear(), encoded, scratch);
            encoded.flip();
        }
        return Optional.of(array.encoded(key, new MemorySource("an encoded block", encoded)));
    }

    @Override
    public long storedBytesRead() {
        return array.storedBytes();
    }

    @Override
    public void close() {
        array.close();
    }
}
