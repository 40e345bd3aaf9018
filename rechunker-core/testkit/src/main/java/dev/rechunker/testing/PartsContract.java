package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ArrayWriter.PartTarget;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.WriteTraits.PartTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/**
 * The contract of stores whose write units can be written in parts. The result must be the same as if whole units had
 * been written, in any order of the parts.
 */
public abstract class PartsContract {
    private static final int THREADS = 4;

    /** {@return the number of random arrays to test} */
    protected int cases() {
        return 150;
    }

    /** {@return a new, empty store} */
    protected abstract ChunkStore createStore() throws IOException;

    /** {@return the spec of an array to write; it is skipped if the store does not write its units in parts} */
    protected abstract ArraySpec spec(Cases random);

    /** {@return the store opened again after it was closed, or the same object if the store is not persistent} */
    protected ChunkStore reopen(ChunkStore store) throws IOException {
        return store;
    }

    @Test
    void partsInAnyOrderFormUnits() {
        int[] tried = {0};
        Cases.check(cases(), random -> {
            Data data = Data.of(spec(random), random.seed());
            // Some units are complete, of some a part is left out, and some are left out entirely.
            LongPredicate written = part -> random.seed() % 3 == 0 || (part * 7 + random.seed()) % 3 != 0;
            ChunkStore created = createStore();
            StrictStore store = new StrictStore(created).allowMissing();
            ArraySpec resolved = store.resolve(data.spec());
            PartTraits traits = store.writeTraits(resolved).parts().orElse(null);
            if (traits == null || data.spec().shape().isEmpty()) {
                store.close();
                return;
            }
            tried[0]++;
            requireRefinement(traits.grid(), resolved.writeUnits());
            try (ArrayWriter writer = store.create("a", resolved, false)) {
                List<Region> parts = parts(traits.grid());
                Collections.shuffle(parts, random.random());
                writeAll(
                        writer,
                        parts,
                        data,
                        traits.grid(),
                        written,
                        random.random().nextBoolean() ? THREADS : 1);
                writer.commit();
            }
            store.close();
            check(reopen(created), data, traits.grid(), written);
            store.assertClosed();
        });
        assertTrue(tried[0] > cases() / 3, "only " + tried[0] + " arrays had parts");
    }

    /**
     * Checks that elements are those written, or the fill value in omitted parts, and that units without parts are
     * missing.
     */
    private static void check(ChunkStore store, Data data, ChunkGrid parts, LongPredicate written) throws IOException {
        try (store;
                ArrayReader reader = store.openReader("a")) {
            ChunkGrid units = data.spec().writeUnits();
            Odometer unit = new Odometer(Region.whole(units.counts()));
            while (unit.next()) {
                Region region = units.region(unit.index());
                boolean any = parts(parts, region).stream().anyMatch(part -> written.test(ordinal(parts, part)));
                for (Region chunk : parts(data.spec().chunks(), region)) {
                    byte[] elements = new byte
                            [Math.toIntExact(
                                    chunk.elements() * data.spec().dataType().itemSize())];
                    boolean found = Data.read(reader, chunk, elements);
                    assertTrue(any || !found, region + " was never written");
                    byte[] expected = expected(data, parts, chunk, written);
                    if (found && data.spec().fillValue().isDefined()) {
                        data.assertSame(chunk, expected, elements);
                    } else if (found) {
                        assertWrittenParts(data, parts, chunk, written, elements);
                    }
                    boolean all = parts(parts, chunk).stream().allMatch(part -> written.test(ordinal(parts, part)));
                    assertTrue(found || !all, chunk + " is missing");
                }
            }
        }
    }

    /** Checks the parts that were written. Without a fill value, omitted parts may read as anything. */
    private static void assertWrittenParts(
            Data data, ChunkGrid parts, Region chunk, LongPredicate written, byte[] elements) {
        byte[] expected = data.elements(chunk);
        for (Region part : parts(parts, chunk)) {
            if (!written.test(ordinal(parts, part))) {
                fill(part, chunk, expected, new byte[] {0});
                fill(part, chunk, elements, new byte[] {0});
            }
        }
        assertArrayEquals(expected, elements);
    }

    private static byte[] expected(Data data, ChunkGrid parts, Region chunk, LongPredicate written) {
        byte[] fill = data.spec().fillValue().element(data.spec().dataType().itemSize());
        byte[] elements = data.elements(chunk);
        for (Region part : parts(parts, chunk)) {
            if (!written.test(ordinal(parts, part))) {
                fill(part, chunk, elements, fill);
            }
        }
        return elements;
    }

    /** Fills the elements that are in both regions. */
    private static void fill(Region part, Region chunk, byte[] elements, byte[] fill) {
        Region both = part.intersect(chunk).orElseThrow();
        int itemSize = Math.toIntExact(elements.length / chunk.elements());
        long[] strides = StridedCopy.denseStrides(chunk.shape().toArray(), itemSize);
        long offset = 0;
        for (int axis = 0; axis < strides.length; axis++) {
            offset += (both.start(axis) - chunk.start(axis)) * strides[axis];
        }
        byte[] element = new byte[itemSize];
        for (int i = 0; i < itemSize; i++) {
            element[i] = fill[i % fill.length];
        }
        StridedCopy.fill(
                ByteBuffer.wrap(elements), offset, strides, both.shape().toArray(), element);
    }

    private static void requireRefinement(ChunkGrid parts, ChunkGrid units) {
        for (int axis = 0; axis < parts.rank(); axis++) {
            assertEquals(parts.axis(axis).count(), parts.axis(axis).pieces(units.axis(axis)), "a part is in two units");
        }
    }

    private static long ordinal(ChunkGrid grid, Region part) {
        return grid.ordinal(grid.chunksTouching(part).origin());
    }

    private static List<Region> parts(ChunkGrid grid) {
        return parts(grid, Region.whole(grid.shape()));
    }

    private static List<Region> parts(ChunkGrid grid, Region region) {
        List<Region> parts = new ArrayList<>();
        Odometer index = new Odometer(grid.chunksTouching(region));
        while (index.next()) {
            parts.add(grid.region(index.index()));
        }
        return parts;
    }

    private static void writeAll(
            ArrayWriter writer, List<Region> parts, Data data, ChunkGrid grid, LongPredicate written, int threads)
            throws Exception {
        PartTarget target = writer.parts().orElseThrow();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread;
                running.add(pool.submit(() -> {
                    Scratch scratch =
                            Data.scratch(writer.traits().parts().orElseThrow().scratchBytes());
                    for (int i = first; i < parts.size(); i += threads) {
                        Region part = parts.get(i);
                        if (written.test(ordinal(grid, part))) {
                            target.writePart(part, direct(data.elements(part)), scratch);
                        } else {
                            target.omitPart(part, scratch);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> done : running) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static ByteBuffer direct(byte[] elements) {
        return ByteBuffer.allocateDirect(elements.length).put(elements).flip();
    }

    @Test
    void incompleteUnitIsNotCommitted() {
        int[] tried = {0};
        Cases.check(cases(), random -> {
            Data data = Data.of(spec(random), random.seed());
            try (ChunkStore store = createStore()) {
                ArraySpec resolved = store.resolve(data.spec());
                PartTraits traits = store.writeTraits(resolved).parts().orElse(null);
                if (traits == null || data.spec().shape().isEmpty()) {
                    return;
                }
                tried[0]++;
                List<Region> parts = parts(traits.grid());
                Region missing = parts.remove(random.random().nextInt(parts.size()));
                ChunkGrid units = resolved.writeUnits();
                Region unit = units.region(units.chunksTouching(missing).origin());
                try (ArrayWriter writer = store.create("a", resolved, false)) {
                    writeAll(writer, parts, data, traits.grid(), part -> true, 1);
                    boolean begun = parts(traits.grid(), unit).size() > 1;
                    if (begun) {
                        assertThrows(IllegalStateException.class, writer::commit);
                    }
                }
                assertFalse(store.node("a").isPresent(), "visible without a commit");
            }
        });
        assertTrue(tried[0] > cases() / 3, "only " + tried[0] + " arrays had parts");
    }

    /** {@return a store that can resume the writes of one that was closed, or the same object if it cannot resume} */
    protected ChunkStore reopenToResume(ChunkStore closed) throws IOException {
        return closed;
    }

    @Test
    void incompleteArrayIsResumed() {
        int[] tried = {0};
        Cases.check(cases(), random -> {
            Data data = Data.of(spec(random), random.seed());
            LongPredicate written = part -> random.seed() % 3 == 0 || (part * 7 + random.seed()) % 3 != 0;
            ChunkStore store = createStore();
            ArraySpec resolved = store.resolve(data.spec());
            PartTraits traits = store.writeTraits(resolved).parts().orElse(null);
            if (traits == null || data.spec().shape().isEmpty()) {
                store.close();
                return;
            }
            tried[0]++;
            List<Region> parts = parts(traits.grid());
            Collections.shuffle(parts, random.random());
            int done = 0;
            for (int run = 0; done < parts.size() || run == 0; run++) {
                // The last parts of a writer are written again by the next one, as if they had not been recorded.
                int again = Math.max(0, done - random.random().nextInt(4));
                int end = Math.min(parts.size(), done + 1 + random.random().nextInt(parts.size()));
                try (ArrayWriter writer = run == 0
                        ? store.create("a", resolved, false)
                        : store.resumable().orElseThrow().resume("a", resolved)) {
                    writeAll(writer, parts.subList(again, end), data, traits.grid(), written, 1);
                    if (end == parts.size()) {
                        writer.commit();
                    }
                }
                done = end;
                ChunkStore closed = store;
                closed.close();
                store = reopenToResume(closed);
                if (store == closed) {
                    assertEquals(Optional.empty(), closed.resumable());
                    return;
                }
            }
            check(store, data, traits.grid(), written);
        });
        assertTrue(tried[0] > cases() / 3, "only " + tried[0] + " arrays had parts");
    }

    @Test
    void writingPartAgainChangesNothing() {
        Cases.check(cases() / 3, random -> {
            Data data = Data.of(spec(random), random.seed());
            try (ChunkStore store = createStore()) {
                ArraySpec resolved = store.resolve(data.spec());
                PartTraits traits = store.writeTraits(resolved).parts().orElse(null);
                if (traits == null || data.spec().shape().isEmpty()) {
                    return;
                }
                try (ArrayWriter writer = store.create("a", resolved, false)) {
                    for (Region unit : parts(resolved.writeUnits())) {
                        List<Region> parts = parts(traits.grid(), unit);
                        List<Region> butLast = parts.subList(0, parts.size() - 1);
                        writeAll(writer, butLast, data, traits.grid(), part -> part % 2 == 0, 1);
                        writeAll(writer, butLast, data, traits.grid(), part -> true, THREADS);
                        writeAll(
                                writer,
                                parts.subList(parts.size() - 1, parts.size()),
                                data,
                                traits.grid(),
                                p -> true,
                                1);
                    }
                    writer.commit();
                }
                check(store, data, traits.grid(), part -> true);
            }
        });
    }
}
