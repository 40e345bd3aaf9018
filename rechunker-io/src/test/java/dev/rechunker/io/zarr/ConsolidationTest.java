package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The metadata of many nodes of a remote store are read at the same time when they are consolidated. */
class ConsolidationTest {
    private static final int ARRAYS = 100;
    private static final ArraySpec SPEC = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.INT8)
            .build();

    private final MemoryKeys memory = new MemoryKeys();
    private volatile long latencyMillis;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    /** The number of requests that were made while no other was under way. */
    private final AtomicInteger rounds = new AtomicInteger();

    /** The store in memory, declared as remote, whose requests take their time. */
    private final KeyStore remote = (KeyStore) Proxy.newProxyInstance(
            KeyStore.class.getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, arguments) -> {
                boolean isRequest = List.of("open", "list", "put", "delete").contains(method.getName());
                if (method.getName().equals("isRemote")) {
                    return true;
                }
                if (isRequest) {
                    requests.incrementAndGet();
                    rounds.addAndGet(underWay.getAndIncrement() == 0 ? 1 : 0);
                    Thread.sleep(latencyMillis);
                }
                try {
                    return method.invoke(memory, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                } finally {
                    underWay.addAndGet(isRequest ? -1 : 0);
                }
            });

    private void assertConsolidated(List<String> arrays) throws IOException {
        for (String path : arrays) {
            for (String document : List.of("zarr.json", ".zarray")) {
                memory.delete(path + "/" + document);
            }
        }
        ChunkStore consolidated = Zarr.open(memory);
        assertTrue(((GroupNode) consolidated.node("").orElseThrow()).consolidated());
        for (String path : arrays) {
            assertTrue(consolidated.node(path).isPresent(), path);
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void arraysOfOneRunAreReadAtTheSameTime(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(remote, format);
        ArraySpec spec = store.resolve(SPEC);
        List<String> paths =
                IntStream.range(0, ARRAYS).mapToObj(i -> "g" + i % 2 + "/a" + i).toList();
        for (String path : paths) {
            store.create(path, spec, false).commit();
        }
        requests.set(0);
        rounds.set(0);
        latencyMillis = 10;
        store.finish(true);
        int perArray = format == ZarrFormat.V3 ? 3 : 9;
        assertTrue(requests.get() < perArray * ARRAYS + 100, () -> requests + " requests");
        assertTrue(rounds.get() < ARRAYS / 2, () -> rounds + " rounds");
        assertConsolidated(paths);
    }

    /** What was a group before the run, and is an array now, has no metadata of a group. */
    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void anArrayInPlaceOfAGroupIsConsolidatedAsAnArray(ZarrFormat format) throws IOException {
        ChunkStore first = Zarr.create(memory, format);
        first.writeGroup("a", Map.of());
        first.finish(true);
        ChunkStore second = Zarr.create(memory, format);
        ArraySpec spec = second.resolve(SPEC);
        second.create("a", spec, true).commit();
        second.finish(false);
        assertEquals(Optional.of(spec), Zarr.open(memory).node("a").map(node -> ((ChunkStore.ArrayNode) node).spec()));
        assertConsolidated(List.of("a"));
    }
}
