package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.function.Executable;

/** The stores that a contract tests, and what its clauses share. */
abstract class StoreFixture {
    static final int THREADS = 4;

    /** {@return the number of random arrays to test; fewer if each request of the store takes long} */
    protected int cases() {
        return 120;
    }

    /** {@return a new store with nothing in it} */
    protected abstract ChunkStore createStore() throws IOException;

    /** {@return the same store, opened again after it was closed; the same object if the store is not persistent} */
    protected ChunkStore reopen(ChunkStore store) throws IOException {
        return store;
    }

    /** {@return whether the store can hold an array; if not, {@link ChunkStore#resolve} must refuse it} */
    protected boolean supports(ArraySpec spec) {
        return true;
    }

    /** {@return whether units that were never written are missing; otherwise they contain the fill value} */
    protected boolean knowsMissing() {
        return true;
    }

    /** Called after each test with each store that it used, closed or not. Closes it by default. */
    protected void afterUse(ChunkStore store) throws IOException {
        store.close();
    }

    /**
     * {@return a store with one array at {@link #path()}, of which the units that {@code written} accepts were written}
     *
     * <p>By default, the store writes the array itself. A store that cannot be written provides it by other means.
     */
    protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
        ChunkStore store = createStore();
        data.write(store, path(), written);
        store.finish(false);
        store.close();
        return reopen(store);
    }

    /** {@return the path of arrays in tests; the root if the store holds one array} */
    protected final String path() throws IOException {
        return capabilities().hierarchical() ? "some/where" : "";
    }

    Capabilities capabilities() throws IOException {
        ChunkStore store = createStore();
        try {
            return store.capabilities();
        } finally {
            afterUse(store);
        }
    }

    /** {@return an array that most stores can hold: 2 axes, clipped chunks} */
    protected ArraySpec simple() {
        return spec(new long[] {11, 10}, new long[] {4, 3}, DataType.INT32).build();
    }

    static ArraySpec.Builder spec(long[] shape, long[] chunk, DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type)
                .fillValue(FillValue.zero(type.itemSize()));
    }

    /** Compares what a format may not express differently. */
    static void assertSameArray(ArraySpec expected, ArraySpec actual) {
        assertEquals(expected.shape(), actual.shape());
        assertEquals(expected.chunks(), actual.chunks());
        assertEquals(expected.shards(), actual.shards());
        assertEquals(expected.dataType().itemSize(), actual.dataType().itemSize());
        assertEquals(expected.dataType().kind(), actual.dataType().kind());
        if (expected.fillValue().isDefined()) {
            assertEquals(expected.fillValue(), actual.fillValue());
        }
    }

    void assertInvisible(ChunkStore store) throws IOException {
        assertFalse(store.node(path()).orElse(null) instanceof ArrayNode, "visible before the commit");
        assertThrows(StoreException.class, () -> store.openReader(path()));
    }

    /** Checks that units that {@code written} rejects are missing, or contain the fill value. */
    void checkWritten(Data data, ArrayReader reader, LongPredicate written) throws IOException {
        if (knowsMissing()) {
            data.check(reader, written);
        } else {
            Region whole = Region.whole(data.spec().shape());
            data.assertSame(whole, data.elements(whole, written), Data.readAll(reader));
        }
    }

    interface Use {
        void with(ChunkStore store) throws Exception;
    }

    /** Tests a store if it is writable. */
    void writing(Use use) throws IOException {
        ChunkStore store = createStore();
        try {
            if (store.capabilities().writable()) {
                use.with(store);
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            afterUse(store);
        }
    }

    static void assertRefusedAfterClose(Executable call) {
        try {
            call.execute();
        } catch (IOException | IllegalStateException expected) {
            return;
        } catch (Throwable other) {
            throw new AssertionError("closed, but failed with " + other, other);
        }
        fail("closed, but still works");
    }

    interface Work {
        void run(int thread) throws Exception;
    }

    static void atOnce(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                calls.add(() -> {
                    work.run(thread);
                    return true;
                });
            }
            for (Future<Boolean> done : threads.invokeAll(calls)) {
                assertTrue(done.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
