package dev.rechunker.examples.cli;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Scratch;
import dev.rechunker.memory.Workspace;
import dev.rechunker.store.ArrayReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares two arrays of one shape and type, element by element and bit by bit, inside a bound.
 *
 * <p>Window by window, the one side is assembled in memory, in the byte order of the other; then the chunks of the
 * other are read and compared with it. Elements that were never written have the fill value.
 */
final class ArrayComparison {
    private final ComparedSide a;
    private final ComparedSide b;
    private final int itemSize;
    private final ComparisonPlan plan;
    private final AtomicReference<@Nullable Difference> first = new AtomicReference<>();

    private ArrayComparison(ComparedSide a, ComparedSide b, ByteSize maxMem, int threads) {
        this.a = a;
        this.b = b;
        this.itemSize = a.spec().dataType().itemSize();
        this.plan = ComparisonPlan.of(a, b, maxMem, threads);
    }

    /**
     * {@return the first difference in C order, or nothing if there is none}
     *
     * @throws UsageException if the bound is too small to compare them
     * @throws IOException if one cannot be read
     * @throws InterruptedException if interrupted
     */
    static Optional<Difference> compare(ArrayReader a, ArrayReader b, ByteSize maxMem, int threads)
            throws IOException, InterruptedException {
        if (a.spec().shape().isEmpty()) {
            return Optional.empty();
        }
        return new ArrayComparison(new ComparedSide(a), new ComparedSide(b), maxMem, threads).run(maxMem);
    }

    private Optional<Difference> run(ByteSize maxMem) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(plan.threads());
        MemoryBudget.Reservation held = MemoryBudget.of(maxMem).reserve(plan.bytes());
        try {
            ByteBuffer window = allocate(plan.windows().largestChunk().elements() * itemSize);
            List<Lane> lanes = new ArrayList<>();
            for (int i = 0; i < plan.threads(); i++) {
                lanes.add(new Lane(allocate(plan.bufferBytes()), new Scratch(allocate(plan.scratchBytes()))));
            }
            for (long i = 0; i < plan.windows().count(); i++) {
                Region region = plan.windows().regionAt(i);
                if (mayComeBefore(region)) {
                    long[] strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
                    each(pool, lanes, a, region, new Assembly(region, window, strides));
                    each(pool, lanes, b, region, new Check(region, window, strides));
                }
            }
            return Optional.ofNullable(first.get());
        } finally {
            pool.shutdownNow();
            held.close();
        }
    }

    private static ByteBuffer allocate(long bytes) {
        return bytes == 0 ? ByteBuffer.allocateDirect(0) : new Workspace(bytes, bytes, 0).buffer(0, bytes);
    }

    /** {@return whether a difference in a region would come before the one that is known} */
    private boolean mayComeBefore(Region region) {
        Difference known = first.get();
        return known == null || Difference.isBefore(Json.list(region.origin()), known.index());
    }

    private record Lane(ByteBuffer buffer, Scratch scratch) {}

    /** Reads all chunks of a side that touch a window, and returns when all have been taken. */
    private static void each(
            ExecutorService pool, List<Lane> lanes, ComparedSide side, Region window, ComparedSide.Sink sink)
            throws IOException, InterruptedException {
        Region chunks = side.chunks(window);
        long count = chunks.elements();
        AtomicLong next = new AtomicLong();
        List<Future<?>> running = new ArrayList<>();
        for (Lane lane : lanes) {
            running.add(pool.submit(() -> {
                for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    side.read(index(chunks, i), window, lane.buffer, lane.scratch, sink);
                }
                return null;
            }));
        }
        for (Future<?> lane : running) {
            try {
                lane.get();
            } catch (ExecutionException e) {
                next.set(count);
                throw e.getCause() instanceof IOException failure
                        ? failure
                        : new IOException("comparing failed: " + e.getCause(), e.getCause());
            }
        }
    }

    private static long[] index(Region box, long ordinal) {
        long[] index = box.origin();
        long rest = ordinal;
        for (int axis = index.length - 1; axis >= 0; axis--) {
            index[axis] += rest % box.extent(axis);
            rest /= box.extent(axis);
        }
        return index;
    }

    /** Puts the parts of the one side into their places in the window. */
    private final class Assembly implements ComparedSide.Sink {
        private final Region region;
        private final ByteBuffer window;
        private final long[] windowStrides;
        private final int swapWord;
        private final byte[] fill;

        Assembly(Region region, ByteBuffer window, long[] windowStrides) {
            this.region = region;
            this.window = window;
            this.windowStrides = windowStrides;
            ArraySpec spec = a.spec();
            int word = spec.dataType().wordSize();
            this.swapWord = spec.byteOrder() == b.spec().byteOrder() ? 1 : word;
            this.fill = spec.fillValue().swapped(swapWord).element(itemSize);
        }

        @Override
        public void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides) {
            long place = ComparedSide.offset(part, region, windowStrides);
            long[] extents = part.shape().toArray();
            if (data == null) {
                StridedCopy.fill(window, place, windowStrides, extents, fill);
            } else {
                StridedCopy.copy(data, offset, strides, window, place, windowStrides, extents, itemSize, swapWord);
            }
        }
    }

    /** Compares the parts of the other side with the window, run by run. */
    private final class Check implements ComparedSide.Sink {
        private final Region region;
        private final ByteBuffer window;
        private final long[] windowStrides;
        private final byte[] fill;

        Check(Region region, ByteBuffer window, long[] windowStrides) {
            this.region = region;
            this.window = window;
            this.windowStrides = windowStrides;
            this.fill = b.spec().fillValue().element(itemSize);
        }

        @Override
        public void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides) {
            long place = ComparedSide.offset(part, region, windowStrides);
            int outer = part.rank();
            int run = itemSize;
            while (outer > 0 && windowStrides[outer - 1] == run && (data == null || strides[outer - 1] == run)) {
                outer--;
                run = Math.toIntExact(run * part.extent(outer));
            }
            Odometer rows = new Odometer(
                    Region.whole(Shape.of(Arrays.copyOf(part.shape().toArray(), outer))));
            while (rows.next()) {
                long inWindow = place;
                long inData = offset;
                for (int axis = 0; axis < outer; axis++) {
                    inWindow += rows.at(axis) * windowStrides[axis];
                    inData += rows.at(axis) * strides[axis];
                }
                int different = mismatch((int) inWindow, data, (int) inData, run);
                if (different >= 0) {
                    note(part, rows, outer, different / itemSize, (int) inWindow, data, (int) inData);
                    return;
                }
            }
        }

        /** {@return the first byte of a run that differs, or -1} */
        private int mismatch(int inWindow, @Nullable ByteBuffer data, int inData, int run) {
            if (data != null) {
                return window.slice(inWindow, run).mismatch(data.slice(inData, run));
            }
            if (StridedCopy.isFilled(window, inWindow, run, fill)) {
                return -1;
            }
            int at = 0;
            while (window.get(inWindow + at) == fill[at % itemSize]) {
                at++;
            }
            return at;
        }

        private void note(
                Region part,
                Odometer rows,
                int outer,
                int element,
                int inWindow,
                @Nullable ByteBuffer data,
                int inData) {
            Long[] index = new Long[part.rank()];
            long rest = element;
            for (int axis = index.length - 1; axis >= 0; axis--) {
                long at = axis < outer ? rows.at(axis) : rest % part.extent(axis);
                rest /= axis < outer ? 1 : part.extent(axis);
                index[axis] = part.start(axis) + at;
            }
            byte[] one = new byte[itemSize];
            byte[] other = fill.clone();
            window.get(inWindow + element * itemSize, one);
            if (data != null) {
                data.get(inData + element * itemSize, other);
            }
            Difference found = new Difference(List.of(index), text(one), text(other));
            first.accumulateAndGet(found, Difference::first);
        }

        private String text(byte[] element) {
            return Elements.text(b.spec().dataType(), b.spec().byteOrder(), element);
        }
    }
}
