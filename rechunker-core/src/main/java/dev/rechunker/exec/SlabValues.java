package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The temporary copy of one block in an object store. It has one value for each slab, which is the region that one task
 * assembles from the source or from the copy before.
 *
 * <p>A slab of zeros is written, too, so that a missing value is an error. All values of the block are deleted when its
 * last window is done.
 */
final class SlabValues implements SpillBlock {
    private final SpillValues values;
    private final Attempts attempts;
    private final String block;
    private final ArraySpec spec;
    private final SlabLayout layout;
    private final RemoteSpill traits;
    private final long bytes;
    private final AtomicLong windowsLeft = new AtomicLong();

    /**
     * Creates the copy of a block. An earlier run may have written some of its values.
     *
     * @param block the first part of the names of the values
     * @param region the region of the block
     * @param slabs the regions that are assembled
     * @param windows the regions that will be read
     * @param pieces the array in pieces, which do not cross slabs or windows
     * @param isDone whether a window was done by an earlier run
     */
    SlabValues(
            SpillValues values,
            Attempts attempts,
            String block,
            Region region,
            ChunkGrid slabs,
            ChunkGrid windows,
            ArraySpec pieces,
            Predicate<Region> isDone) {
        this.values = values;
        this.attempts = attempts;
        this.block = block;
        this.spec = pieces;
        int itemSize = pieces.dataType().itemSize();
        this.layout = new SlabLayout(slabs, windows, pieces.chunks(), itemSize);
        this.traits = SpillValues.traits(values.store());
        this.bytes = region.elements() * itemSize;
        Odometer window = new Odometer(windows.chunksTouching(region));
        while (window.next()) {
            if (!isDone.test(windows.region(window.index()))) {
                windowsLeft.incrementAndGet();
            }
        }
    }

    private String name(Region slab) {
        return block + "/" + layout.name(slab);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public ArrayReader reader(LongConsumer counter) {
        return new Reader(counter);
    }

    @Override
    public ArrayWriter writer(LongConsumer counter) {
        return new Writer(counter);
    }

    @Override
    public void finish(Region window) {
        if (windowsLeft.decrementAndGet() == 0) {
            try {
                attempts.run(() -> values.store().delete(block));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the spill in " + values.store().name() + "/" + block + " cannot be deleted", e);
            }
        }
    }

    /** Has no effect, because values are stored when they exist. */
    @Override
    public void force() {}

    @Override
    public void close() throws IOException {
        if (!values.kept() && windowsLeft.get() > 0) {
            values.store().delete(block);
        }
    }

    /** A reader that streams pieces, each by one request for its range. */
    private final class Reader implements ArrayReader {
        private final LongConsumer counter;

        Reader(LongConsumer counter) {
            this.counter = counter;
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public ReadTraits traits() {
            long scratch = traits.scratchBytes(spec.dataType().itemSize());
            return ReadTraits.of(ReadTraits.Granularity.STREAM)
                    .withScratchBytes(scratch)
                    .withNativeBytes(traits.requestBytes());
        }

        @Override
        public boolean read(Region piece, ByteBuffer target, Scratch scratch) throws IOException {
            return stream(piece, target::put, scratch);
        }

        @Override
        public boolean stream(Region piece, RunSink sink, Scratch scratch) throws IOException {
            ByteBuffer buffer = scratch.take(traits.scratchBytes(spec.dataType().itemSize()));
            try (Range range = new Range(piece)) {
                while (range.bytesLeft() > 0) {
                    buffer.clear().limit((int) Math.min(buffer.capacity(), range.bytesLeft()));
                    attempts.run(() -> range.read(buffer.rewind()));
                    sink.accept(buffer.flip());
                }
            }
            counter.accept(layout.bytes(piece));
            return true;
        }

        @Override
        public void close() {}
    }

    /** The range of a piece. After a failed read, the rest of the range is requested again. */
    private final class Range implements AutoCloseable {
        private final Region slab;
        private final long end;
        private long next;
        private @Nullable EncodedUnit value;

        Range(Region piece) {
            this.slab = layout.slab(piece);
            this.next = layout.offset(piece);
            this.end = next + layout.bytes(piece);
        }

        long bytesLeft() {
            return end - next;
        }

        void read(ByteBuffer target) throws IOException {
            int bytes = target.remaining();
            EncodedUnit open = value;
            if (open == null) {
                open = open();
                value = open;
            }
            try {
                open.read(next, target);
                next += bytes;
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        private EncodedUnit open() throws IOException {
            String place = values.store().name() + "/" + name(slab);
            EncodedUnit opened = values.store()
                    .open(name(slab), next, bytesLeft())
                    .orElseThrow(() -> new StoreException(
                            "the spill " + place + " of the unfinished run is missing", Advice.RESTART));
            if (opened.size() != layout.bytes(slab)) {
                opened.close();
                throw new StoreException(
                        "the spill " + place + " has " + opened.size() + " bytes instead of " + layout.bytes(slab),
                        Advice.RESTART);
            }
            return opened;
        }

        @Override
        public void close() throws IOException {
            EncodedUnit open = value;
            value = null;
            if (open != null) {
                open.close();
            }
        }
    }

    /** A writer of pieces, which {@link SlabOutput} assembles to values. */
    final class Writer implements ArrayWriter {
        private final LongConsumer counter;

        private Writer(LongConsumer counter) {
            this.counter = counter;
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public WriteTraits traits() {
            return WriteTraits.PLAIN.withNativeBytes(traits.requestBytes());
        }

        /** {@return a slab without pieces} */
        SlabParts slab(Region slab) {
            return new SlabParts(values.store(), name(slab), attempts, layout, traits, layout.bytes(slab), counter);
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) {
            throw new UnsupportedOperationException("pieces are written together with the others of their slab");
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
