package dev.rechunker.io.hdf5.write;

import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.file.ContiguousRuns;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes regions of a contiguous array. Each run of elements is written to its position. Regions that were not written
 * get the fill value at the end.
 */
final class RegionWriter extends Hdf5Writer {
    /** For each region, 1 if it was written. */
    private byte[] written;

    private final @Nullable OutsideElements outside;
    private long address = MessageBytes.UNDEFINED;

    /** @param outside what elements refer to; null if they do not */
    RegionWriter(
            String name, PartFile file, DatasetSpec array, @Nullable OutsideElements outside, Publication publication) {
        super(name, file, array, publication);
        this.outside = outside;
        this.written = new byte[(int) array.spec().chunks().count()];
    }

    /** {@return the traits of a writer of an array} */
    static WriteTraits traits(DatasetSpec array) {
        long held = array.spec().chunks().count() + Transfers.PIECE;
        WriteTraits traits = WriteTraits.PLAIN.withNativeBytes(Transfers.PIECE);
        if (!array.isVariable()) {
            return traits.withHeldBytes(held);
        }
        long unit = array.spec().chunks().largestChunk().elements();
        long outside = array.outsideScratchBytes();
        return traits.withScratchBytes(Math.multiplyExact(unit, (long) array.elementSize()) + outside)
                .withHeldBytes(held + outside + ElementHeap.HELD_BYTES);
    }

    @Override
    public WriteTraits traits() {
        return traits(array());
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        requireOpen();
        int ordinal = ordinal(unit, data.remaining());
        int mark = scratch.mark();
        try {
            ByteBuffer stored = outside == null ? data.duplicate() : references(outside, unit, data, scratch);
            long base = base();
            ContiguousRuns.visit(spec().shape(), array().elementSize(), unit, (offset, bytes) -> {
                stored.limit(stored.position() + (int) bytes);
                file().write(base + offset, stored);
            });
            recordStored(unit.elements() * array().elementSize());
            written[ordinal] = 1;
        } catch (IOException e) {
            throw explain(unit, e);
        } finally {
            scratch.release(mark);
        }
    }

    /** Writes what elements refer to; {@return references to them} */
    private ByteBuffer references(OutsideElements outside, Region unit, ByteBuffer data, Scratch scratch)
            throws IOException {
        ByteBuffer from = data.duplicate();
        ByteBuffer references = scratch.take(unit.elements() * array().elementSize());
        OutsideElements.Unit elements = outside.elements(references, scratch);
        for (int at = 0; at < references.limit(); at += array().elementSize()) {
            elements.add(from, at);
        }
        recordStored(elements.finish());
        return references;
    }

    private synchronized long base() {
        if (address == MessageBytes.UNDEFINED) {
            address = file().allocate(array().storedBytes());
        }
        return address;
    }

    @Override
    ElementStorage writeIndex() throws IOException {
        byte[] element = spec().fillValue().element(spec().dataType().itemSize());
        boolean isFilled = outside == null
                ? address != MessageBytes.UNDEFINED && !Arrays.equals(element, new byte[element.length])
                : array().isFillStated() && array().storedBytes() > 0;
        long base = isFilled ? base() : address;
        if (isFilled) {
            Filling filling =
                    outside == null ? new Repeated(element) : new Referenced(outside, element, array().elementSize());
            for (int i = 0; i < written.length; i++) {
                if (written[i] == 0) {
                    ContiguousRuns.visit(
                            spec().shape(),
                            array().elementSize(),
                            spec().chunks().regionAt(i),
                            (offset, bytes) -> fill(base + offset, bytes, filling));
                }
            }
        }
        if (outside != null) {
            outside.flush();
        }
        return new ElementStorage(base, array().storedBytes());
    }

    private void fill(long from, long bytes, Filling filling) throws IOException {
        for (long done = 0; done < bytes; ) {
            ByteBuffer piece = filling.next(bytes - done);
            long size = piece.remaining();
            file().write(from + done, piece);
            done += size;
        }
    }

    /** What the file has for fill values. */
    private interface Filling {
        /** {@return the next whole elements, of at most {@code most} bytes} */
        ByteBuffer next(long most) throws IOException;
    }

    /** The same bytes for each element. */
    private static final class Repeated implements Filling {
        private final ByteBuffer elements;

        Repeated(byte[] element) {
            elements = ByteBuffer.allocate(Math.max(1, Transfers.PIECE / element.length) * element.length);
            while (elements.hasRemaining()) {
                elements.put(element);
            }
        }

        @Override
        public ByteBuffer next(long most) {
            return elements.clear().limit((int) Math.min(elements.capacity(), most));
        }
    }

    /** References, each to contents of its own, as programs free the contents of an element that they replace. */
    private static final class Referenced implements Filling {
        private final OutsideElements outside;
        private final ByteBuffer element;
        private final int size;
        private final Scratch scratch = Scratch.allocate(Transfers.PIECE + ElementHeap.COLLECTION);

        Referenced(OutsideElements outside, byte[] element, int size) {
            this.outside = outside;
            this.element = ByteBuffer.wrap(element);
            this.size = size;
        }

        @Override
        public ByteBuffer next(long most) throws IOException {
            int mark = scratch.mark();
            ByteBuffer references = scratch.take(Math.min((long) Transfers.PIECE / size * size, most));
            OutsideElements.Unit elements = outside.elements(references, scratch);
            for (int at = 0; at < references.limit(); at += size) {
                elements.add(element.rewind(), at);
            }
            elements.finish();
            scratch.release(mark);
            return references;
        }
    }

    @Override
    void free() {
        written = new byte[0];
    }
}
