package dev.rechunker.exec;

import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.store.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished value of a slab. Its pieces are in the ring. A part of the value is written by the next free thread
 * when its pieces are complete. The value exists when the last part was written.
 */
final class SlabParts implements AutoCloseable {
    private final SpillStore store;
    private final String name;
    private final Attempts attempts;
    private final SlabLayout layout;
    private final long partBytes;
    private final long bytes;
    private final LongConsumer counter;
    private final List<Part> parts = new ArrayList<>();
    private final AtomicInteger partsLeft;
    private volatile boolean written;
    private SpillStore.@Nullable Value value;

    SlabParts(
            SpillStore store,
            String name,
            Attempts attempts,
            SlabLayout layout,
            RemoteSpill traits,
            long bytes,
            LongConsumer counter) {
        this.store = store;
        this.name = name;
        this.attempts = attempts;
        this.layout = layout;
        this.partBytes = traits.partSize(bytes);
        this.bytes = bytes;
        this.counter = counter;
        this.partsLeft = new AtomicInteger(traits.parts(bytes));
        for (int i = 0; i < partsLeft.get(); i++) {
            parts.add(new Part(i));
        }
    }

    /** Takes a complete piece; {@return the parts that are complete now} Not thread-safe. */
    List<Parcel> add(Unit piece) {
        long from = layout.offset(piece.region);
        long to = from + layout.bytes(piece.region);
        int first = (int) (from / partBytes);
        int last = (int) ((to - 1) / partBytes);
        piece.setParcels(last - first + 1);
        List<Parcel> complete = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            if (parts.get(i).add(piece, from)) {
                complete.add(parts.get(i));
            }
        }
        return complete;
    }

    /** {@return whether the value exists} */
    boolean isWritten() {
        return written;
    }

    private synchronized SpillStore.Value value() throws IOException {
        SpillStore.Value made = value;
        if (made == null) {
            made = store.create(name, parts.size());
            value = made;
        }
        return made;
    }

    @Override
    public synchronized void close() {
        if (value != null) {
            value.close();
        }
    }

    /** A piece, and its offset in the value. */
    private record Placed(Unit piece, long offset) {}

    /** A part of the value, which begins at a multiple of the size of parts. */
    private final class Part implements Parcel {
        private final int number;
        private final long start;
        private final long end;
        private final List<Placed> pieces = new ArrayList<>();
        private long missing;

        private Part(int number) {
            this.number = number;
            this.start = number * partBytes;
            this.end = Math.min(bytes, start + partBytes);
            this.missing = end - start;
        }

        private boolean add(Unit piece, long offset) {
            pieces.add(new Placed(piece, offset));
            missing -= Math.min(end, offset + piece.bytes) - Math.max(start, offset);
            return missing == 0;
        }

        @Override
        public List<Unit> units() {
            return pieces.stream().map(Placed::piece).toList();
        }

        @Override
        public void write(ByteBuffer lane) throws IOException {
            attempts.run(() -> value().put(number, buffers()));
            counter.accept(end - start);
            if (partsLeft.decrementAndGet() == 0) {
                attempts.run(() -> value().commit());
                written = true;
            }
        }

        private List<ByteBuffer> buffers() {
            return pieces.stream()
                    .sorted(Comparator.comparingLong(Placed::offset))
                    .map(this::slice)
                    .toList();
        }

        private ByteBuffer slice(Placed placed) {
            int from = (int) (Math.max(start, placed.offset) - placed.offset);
            int to = (int) (Math.min(end, placed.offset + placed.piece.bytes) - placed.offset);
            return placed.piece.buffer().slice(from, to - from);
        }
    }
}
