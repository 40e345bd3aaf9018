package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedChunks;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A writer of a window of an existing array. A write unit that is inside the window is written directly. One that is
 * partly outside is read first, merged with the new elements and written back; or assembled from encoded chunks, if the
 * window does not cut any.
 */
final class MergingWriter extends ForwardingStore.Writer {
    private final ArrayReader before;
    private final Insertion insertion;
    private final ArraySpec spec;
    private final boolean keepEmpty;
    private final RegionRead read;
    private final ChunkGrid units;
    private final int itemSize;
    private final byte[] fill;
    private final boolean padded;
    private final WriteTraits traits;

    /** Creates the writer, which closes {@code before} and {@code after}. */
    MergingWriter(ArrayReader before, ArrayWriter after, Insertion insertion, boolean keepEmpty) throws IOException {
        super(after);
        this.before = before;
        this.insertion = insertion;
        this.spec = insertion.spec();
        this.keepEmpty = keepEmpty;
        this.read = RegionRead.ofAny(before.spec(), before.traits());
        this.units = after.spec().writeUnits();
        this.itemSize = spec.dataType().itemSize();
        this.fill = spec.fillValue().element(itemSize);
        this.padded = after.traits().paddedEdges();
        this.traits = traits(after.traits());
    }

    private WriteTraits traits(WriteTraits write) throws IOException {
        ReadTraits reading = before.traits();
        Shape unit = padded ? units.chunkShape() : units.largestChunk();
        long merged = Math.multiplyExact(unit.elements(), (long) itemSize);
        WriteTraits traits = WriteTraits.PLAIN
                .withScratchBytes(Math.addExact(merged, Math.max(read.scratchBytes(), write.scratchBytes())))
                .withNativeBytes(write.nativeBytes() + reading.nativeBytes())
                .withHeldBytes(write.heldBytes() + reading.heldBytes());
        Optional<EncodedTraits> encoded = encoded(write);
        return encoded.isPresent() ? traits.withEncodedChunks(encoded.get()) : traits;
    }

    /**
     * {@return how encoded chunks are written; empty if the window cuts chunks, or the existing ones cannot be read}
     */
    private Optional<EncodedTraits> encoded(WriteTraits write) throws IOException {
        if (keepEmpty
                || write.encodedChunks().isEmpty()
                || !RegionReader.isAligned(delegate().spec().chunks(), insertion.window())) {
            return Optional.empty();
        }
        EncodedTraits theirs = write.encodedChunks().get();
        Optional<EncodedChunks> existing = before.encodedChunks();
        if (existing.isEmpty() || !existing.get().chunkEncoding().equals(theirs.identity())) {
            return Optional.empty();
        }
        long scratch = Math.addExact(theirs.scratchBytes(), existing.get().chunkScratchBytes());
        long outside = before.traits().nativeBytes() + existing.get().chunkNativeBytes();
        return Optional.of(theirs.withScratchBytes(scratch).withNativeBytes(theirs.nativeBytes() + outside));
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public WriteTraits traits() {
        return traits;
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        Region part = unit.moved(insertion.window().origin());
        Region whole = units.region(units.chunksTouching(part).origin());
        Shape layout = padded ? units.nominalShape(whole) : whole.shape();
        if (layout.equals(part.shape())) {
            put(whole, data, scratch);
            return;
        }
        int mark = scratch.mark();
        try {
            long[] strides = StridedCopy.denseStrides(layout.toArray(), itemSize);
            ByteBuffer merged = scratch.take(layout.elements() * itemSize);
            StridedCopy.fill(merged, 0, strides, layout.toArray(), fill);
            if (!whole.equals(part)) {
                readExisting(whole, part, merged, strides, scratch);
            }
            long[] extents = part.shape().toArray();
            long[] from = StridedCopy.denseStrides(extents, itemSize);
            long at = part.offsetIn(whole, strides);
            StridedCopy.copy(data, data.position(), from, merged, at, strides, extents, itemSize, 1);
            put(whole, merged, scratch);
        } finally {
            scratch.release(mark);
        }
    }

    /** Reads the existing chunks of a write unit into {@code merged}, except those that are overwritten completely. */
    private void readExisting(Region whole, Region part, ByteBuffer merged, long[] strides, Scratch scratch)
            throws IOException {
        ChunkGrid chunks = before.spec().chunks();
        Optional<Region> old = whole.intersect(Region.whole(chunks.shape()));
        if (old.isEmpty()) {
            return;
        }
        Odometer touched = new Odometer(chunks.chunksTouching(old.get()));
        while (touched.next()) {
            Region chunk = chunks.region(touched.index());
            if (!part.contains(chunk.intersect(old.get()).orElseThrow())) {
                read.readPiece(before, chunk, whole, merged, strides, scratch);
            }
        }
    }

    private void put(Region whole, ByteBuffer data, Scratch scratch) throws IOException {
        boolean empty =
                spec.fillValue().isDefined() && StridedCopy.isFilled(data, data.position(), data.remaining(), fill);
        if (empty && !keepEmpty) {
            delegate().erase(whole);
        } else {
            delegate().write(whole, data, scratch);
        }
    }

    @Override
    public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) {
        throw new UnsupportedOperationException("encoded units cannot be written into a part of an array");
    }

    @Override
    public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        Region window = insertion.window();
        Region part = unit.moved(window.origin());
        Region whole = units.region(units.chunksTouching(part).origin());
        long[] back = Arrays.stream(window.origin()).map(start -> -start).toArray();
        super.writeChunks(
                whole,
                (chunk, working) ->
                        part.contains(chunk) ? chunks.open(chunk.moved(back), working) : existing(chunk, working),
                scratch);
    }

    /** {@return an encoded chunk that is not overwritten} */
    private Optional<EncodedUnit> existing(Region chunk, Scratch scratch) throws IOException {
        Optional<Region> old = chunk.intersect(Region.whole(before.spec().shape()));
        return old.isPresent() ? before.encodedChunks().orElseThrow().openChunk(old.get(), scratch) : Optional.empty();
    }

    @Override
    public void close() throws IOException {
        try (before) {
            super.close();
        }
    }
}
