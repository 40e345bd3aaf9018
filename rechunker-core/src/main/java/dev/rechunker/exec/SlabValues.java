package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
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
 * A temporary copy of one block in an object store: one value for each slab, which is what one task puts together of
 * the source or of the copy before.
 *
 * <p>A slab of nothing but zeros is put too, so that a value that is missing is an error. All values of the block are
 * deleted when its last window is done.
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
     * Names the values of a block, of which an earlier run may have put some.
     *
     * @param block what their names start with
     * @param region the region of the block
     * @param slabs what is put together at once
     * @param windows what will be read at once
     * @param pieces the array in pieces, which cross neither a slab nor a window
     * @param isDone whether an earlier run is done with a window
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
    public ArrayReader reader(LongConsumer told) {
        return new Reader(told);
    }

    @Override
    public ArrayWriter writer(LongConsumer told) {
        return new Writer(told);
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

    /** Does nothing: what was put is stored. */
    @Override
    public void force() {}

    @Override
    public void close() throws IOException {
        if (!values.kept() && windowsLeft.get() > 0) {
            values.store().delete(block);
        }
    }

    /** Reads pieces front to back, each by a request for its range. */
    private final class Reader implements ArrayReader {
        private final LongConsumer told;

        Reader(LongConsumer told) {
            this.told = told;
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
            told.accept(layout.bytes(piece));
            return true;
        }

        @Override
        public void close() {}
    }

    /** The range of a piece; the rest of it is asked for anew when a read has failed. */
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
                            "the spill " + place + " of the unfinished run is gone", Advice.RESTART));
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

    /** Its units are pieces, which are put together with the others of their slab: see {@link SlabOutput}. */
    final class Writer implements ArrayWriter {
        private final LongConsumer told;

        private Writer(LongConsumer told) {
            this.told = told;
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public WriteTraits traits() {
            return WriteTraits.PLAIN.withNativeBytes(traits.requestBytes());
        }

        /** {@return a slab of which nothing has arrived} */
        SlabParts slab(Region slab) {
            return new SlabParts(values.store(), name(slab), attempts, layout, traits, layout.bytes(slab), told);
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) {
            throw new UnsupportedOperationException("pieces are put together with the others of their slab");
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
