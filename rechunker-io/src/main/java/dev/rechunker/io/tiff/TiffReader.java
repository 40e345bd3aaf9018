package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.codec.Codec.Needs;
import dev.rechunker.io.codec.Predictor;
import dev.rechunker.io.tiff.Decoders.Decoder;
import dev.rechunker.io.tiff.Page.Place;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads an array, chunk by chunk; of plain elements, any part of a chunk. */
final class TiffReader implements ArrayReader {
    /** The predictor of floats. */
    private static final int FLOATS = 3;

    private final String name;
    private final TiffArray array;
    private final PageLayout layout;
    private final ChunkGrid chunks;
    private final int itemSize;
    private final @Nullable Decoder decoder;
    private final ReadTraits traits;
    private final LongAdder bytesRead = new LongAdder();
    private volatile boolean closed;

    /**
     * Creates a reader.
     *
     * @param name the name of the array, for messages
     * @param heldBytes the memory of the files in use, in bytes
     * @param readingBytes the memory for reading a file in one thread, in bytes
     */
    TiffReader(String name, TiffArray array, long heldBytes, long readingBytes) throws StoreException {
        this.name = name;
        this.array = array;
        this.layout = array.layout();
        this.chunks = array.spec().chunks();
        this.itemSize = array.spec().dataType().itemSize();
        this.decoder = layout.compression() == Decoders.NONE ? null : Decoders.of(layout);
        ReadTraits basic = ReadTraits.of(layout.isPlain() ? ReadTraits.Granularity.BYTES : ReadTraits.Granularity.CHUNK)
                .withHeldBytes(array.heldBytes() + heldBytes);
        if (layout.isPlain()) {
            long box = Math.multiplyExact(chunks.chunkShape().elements(), (long) itemSize);
            this.traits = basic.withScratchBytes(BoxReader.scratchBytes(box)).withNativeBytes(readingBytes);
            return;
        }
        Needs needs = decoder == null ? Needs.NONE : decoder.needs();
        long encoded = decoder == null ? 0 : decoder.mostEncoded();
        long stored = isDirect() ? 0 : layout.rowBytes() * chunkRows();
        if (encoded + stored > Integer.MAX_VALUE - 8) {
            throw new StoreException(name + " has chunks of " + encoded + " bytes, which are too large to be decoded");
        }
        this.traits = basic.withPaddedEdges(layout.isTiled())
                .withScratchBytes(encoded + stored + needs.scratchBytes())
                .withNativeBytes(needs.nativeBytes()
                        + Predictor.heapBytes(layout.predictor() == FLOATS, layout.rowBytes())
                        + readingBytes);
    }

    private long chunkRows() {
        return chunks.axis(chunks.rank() - 2).step();
    }

    /** {@return whether decompressed bytes are the elements of a chunk} */
    private boolean isDirect() {
        return decoder != null && layout.samplesInChunk() == 1 && !layout.isPacked();
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
    public long storedBytesRead() {
        return bytesRead.sum();
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (closed) {
            throw new IllegalStateException(name + " was closed");
        }
        Region touched = chunks.chunksTouching(region);
        boolean isWhole =
                touched.elements() == 1 && (layout.isPlain() || region.equals(chunks.region(touched.origin())));
        if (!isWhole) {
            throw new IllegalArgumentException(region + " is not a chunk of " + chunks);
        }
        Shape box = traits.paddedEdges() ? chunks.chunkShape() : region.shape();
        if (target.remaining() != box.elements() * itemSize) {
            throw new IllegalArgumentException("the buffer has " + target.remaining() + " bytes, but " + region
                    + " takes " + box.elements() * itemSize);
        }
        int mark = scratch.mark();
        try {
            Optional<Page> page = array.pages().get(array.page(touched.origin()));
            return page.isPresent() && read(page.get(), touched.origin(), region, target, scratch);
        } catch (StoreException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith(name) ? e : new StoreException(name + ", chunk " + region + ": " + message, e);
        } finally {
            scratch.release(mark);
        }
    }

    private boolean read(Page page, long[] chunk, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        int rows = chunks.rank() - 2;
        long across = layout.across();
        long first = (long) array.sample(chunk) * layout.down() * across;
        if (decoder == null && !layout.isTiled()) {
            StripRows strips = new StripRows(page, first, bytesRead, fill());
            if (!strips.exist()) {
                return false;
            }
            return layout.isPlain()
                    ? readPlain(strips, chunk, region, target, scratch)
                    : readRows(strips, region, target, scratch);
        }
        Place place = page.place(first + chunk[rows] * across + chunk[rows + 1]);
        if (place.isMissing()) {
            return false;
        }
        page.file().requireInside("a chunk", place.offset(), place.bytes());
        if (layout.isPlain()) {
            if (place.bytes() < layout.chunkBytes()) {
                throw new StoreException(
                        "the tile has " + place.bytes() + " bytes, but must have " + layout.chunkBytes());
            }
            Piece tile = new Piece(page.file().bytes(), place.offset(), bytesRead);
            return readPlain(tile, chunk, region, target, scratch);
        }
        decode(page, place, region, target, scratch);
        return true;
    }

    private byte[] fill() {
        return array.spec().fillValue().element(itemSize);
    }

    /** Bytes that are read by their offset, wherever they are. */
    interface Opener {
        /** {@return the bytes; the range is opened before it is read, so that a remote file gets one request} */
        ByteSource open(long offset, long length) throws IOException;
    }

    /** Reads a part of a box of elements. */
    private boolean readPlain(Opener opener, long[] chunk, Region region, ByteBuffer target, Scratch scratch)
            throws IOException {
        long[] origin = region.origin();
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] -= chunks.axis(axis).start(chunk[axis]);
        }
        Region part = Region.of(origin, region.shape());
        Shape box = chunks.chunkShape();
        Span first = BoxReader.first(box, itemSize, part);
        try (ByteSource bytes = opener.open(first.from(), first.length())) {
            BoxReader.read(bytes::read, box, itemSize, part, target, scratch);
        }
        return true;
    }

    /** Reads rows that are not compressed. */
    private boolean readRows(StripRows strips, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        int axis = chunks.rank() - 2;
        long offset = region.start(axis) * layout.rowBytes();
        ByteBuffer stored = scratch.take(region.extent(axis) * layout.rowBytes());
        int length = stored.remaining();
        try (ByteSource rows = strips.open(offset, length)) {
            rows.read(offset, stored);
        }
        deliver(stored.flip(), target);
        return true;
    }

    private void decode(Page page, Place place, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        long rows = layout.isTiled() ? layout.chunkHeight() : region.extent(chunks.rank() - 2);
        int size = Math.toIntExact(layout.rowBytes() * rows);
        if (decoder == null) {
            if (place.bytes() < size) {
                throw new StoreException("the tile has " + place.bytes() + " bytes, but must have " + size);
            }
            ByteBuffer stored = scratch.take(size);
            fetch(page, place.offset(), stored);
            deliver(stored, target);
            return;
        }
        if (place.bytes() > decoder.mostEncoded()) {
            throw new StoreException("the chunk has " + place.bytes() + " stored bytes, but " + size
                    + " bytes take at most " + decoder.mostEncoded() + " when compressed");
        }
        ByteBuffer encoded = scratch.take(place.bytes());
        fetch(page, place.offset(), encoded);
        if (layout.isReversed() && decoder.isReversible()) {
            reverse(encoded);
        }
        ByteBuffer decoded = isDirect() ? target.slice() : scratch.take(size);
        if (decoded.remaining() != size) {
            throw new IllegalStateException("a buffer of " + decoded.remaining() + " bytes for " + size);
        }
        decoder.decode(encoded, decoded, scratch);
        decoded.flip();
        if (layout.predictor() != 1) {
            new Predictor(
                            layout.predictor() == FLOATS,
                            layout.bits(),
                            layout.byteOrder(),
                            (int) layout.rowBytes(),
                            layout.samplesInChunk())
                    .restore(decoded);
        }
        if (!isDirect()) {
            new PixelSamples(layout, itemSize).spread(decoded, target);
        }
    }

    private void fetch(Page page, long offset, ByteBuffer stored) throws IOException {
        bytesRead.add(stored.remaining());
        page.file().bytes().read(offset, stored);
        stored.flip();
    }

    /** Delivers uncompressed rows. */
    private void deliver(ByteBuffer stored, ByteBuffer target) {
        if (layout.isReversed()) {
            reverse(stored);
        }
        new PixelSamples(layout, itemSize).spread(stored, target);
    }

    private static void reverse(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            bytes.put(i, (byte) (Integer.reverse(bytes.get(i)) >>> 24));
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (decoder != null) {
                decoder.close();
            }
        }
    }
}
