package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A reader of an array of a {@link MemoryStore} as it was when the reader was opened, even if it is overwritten. */
final class MemoryReader implements ArrayReader, ArrayReader.EncodedSource, ArrayReader.EncodedChunks {
    private static final int RUN = 37;

    private final MemoryArray array;
    private volatile boolean closed;

    MemoryReader(MemoryArray array) {
        this.array = array;
    }

    @Override
    public ArraySpec spec() {
        return array.spec();
    }

    @Override
    public ReadTraits traits() {
        return array.readTraits();
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) {
        requireOpen();
        return array.read(region, target);
    }

    /** Passes on runs of a moderate number of elements. */
    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        requireOpen();
        if (traits().granularity() != ReadTraits.Granularity.STREAM) {
            throw new UnsupportedOperationException(array.name() + " reads whole chunks");
        }
        ChunkGrid grid = spec().chunks();
        Region chunk = grid.region(grid.chunksTouching(region).origin());
        if (!(traits().blockBytes() > 0 ? region.isContiguousIn(chunk) : region.equals(chunk))) {
            throw new IllegalArgumentException(
                    region + " is neither one chunk of " + array.name() + " nor a stretch that is read on its own");
        }
        Region layout = Region.of(chunk.origin(), traits().paddedEdges() ? grid.nominalShape(chunk) : chunk.shape());
        int itemSize = spec().dataType().itemSize();
        int mark = scratch.mark();
        ByteBuffer all = scratch.take(layout.elements() * itemSize);
        boolean found = array.read(chunk, all);
        int end = (int) layout.ordinalAfter(region) * itemSize;
        for (int at = (int) layout.ordinal(region.origin()) * itemSize; found && at < end; at += RUN * itemSize) {
            sink.accept(all.slice(at, Math.min(RUN * itemSize, end - at)));
        }
        scratch.release(mark);
        return found;
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return array.encoded() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public String encodingIdentity() {
        return array.encodingIdentity();
    }

    @Override
    public Optional<EncodedUnit> openEncoded(Region unit) {
        requireOpen();
        if (!array.encoded()) {
            throw new UnsupportedOperationException("no encoded units can be read from " + array.name());
        }
        return Optional.ofNullable(array.unit(unit)).map(Encoded::new);
    }

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return array.encoded() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public String chunkEncoding() {
        return array.encodingIdentity();
    }

    @Override
    public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) {
        requireOpen();
        if (!array.encoded()) {
            throw new UnsupportedOperationException("no encoded chunks can be read from " + array.name());
        }
        return Optional.ofNullable(array.chunk(chunk)).map(Encoded::new);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the reader of " + array.name() + " is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    /** The elements of a unit, which are never changed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Encoded(byte[] bytes) implements EncodedUnit {
        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws EOFException {
            if (offset < 0 || offset > bytes.length - target.remaining()) {
                throw new EOFException(
                        target.remaining() + " bytes at " + offset + " of an encoded unit of " + bytes.length);
            }
            target.put(bytes, (int) offset, target.remaining());
        }

        @Override
        public void close() {}
    }
}
