package dev.rechunker.io.concat;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When members are opened and closed, and how much memory that takes. */
class OpenMembersTest {
    private static final int MEMBERS = 40;
    private static final ArraySpec MEMBER = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(1, 20, 30), Shape.of(1, 20, 30)), DataType.INT32)
            .dimensionNames(List.of("time", "y", "x"))
            .build();
    private static final Data WHOLE = Data.of(MEMBER.toBuilder()
            .chunks(ChunkGrid.regular(Shape.of(MEMBERS, 20, 30), Shape.of(1, 20, 30)))
            .build());

    private final OpenerCount opener = new OpenerCount();

    @TempDir
    Path spills;

    private static ChunkStore member(int number) throws IOException {
        MemoryStore store = MemoryStore.builder()
                .name("member " + number)
                .granularity(Granularity.CHUNK)
                .build();
        Slices.of(WHOLE, 0, number, MEMBER).write(store, "v");
        return store;
    }

    private List<Source> sources() throws IOException {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            sources.add(opener.count(Source.of(member(i).at("v"))));
        }
        return sources;
    }

    private ChunkStore joined(int limit) throws IOException {
        ChunkStore joined = Concat.options().atMostOpen(limit).along("time", sources());
        assertEquals(MEMBERS, opener.opened().size());
        assertEquals(List.of(1), List.copyOf(new TreeSet<>(opener.opened().values())), "opened once to be checked");
        assertEquals(1, opener.mostOpen());
        opener.reset();
        return joined;
    }

    private void requireOpenedOnce() {
        assertEquals(MEMBERS, opener.opened().size());
        assertEquals(List.of(1), List.copyOf(new TreeSet<>(opener.opened().values())));
        assertEquals(0, opener.openNow(), "still open");
    }

    @Test
    void eachMemberIsOpenedOnceIfAllMayBeOpen() throws Exception {
        MemoryStore target = new MemoryStore();
        Plan plan = Rechunker.from(joined(64))
                .to(target)
                .chunks(MEMBERS, 5, 5)
                .maxMem("40kB")
                .noSpill()
                .threads(3)
                .plan();
        assertNotEquals("Spill", plan.arrays().get(0).copy().strategy());
        plan.execute();
        WHOLE.check(target, "");
        requireOpenedOnce();
    }

    @Test
    void eachMemberIsOpenedOnceByAStageThatReadsThemInOrder() throws Exception {
        MemoryStore target = new MemoryStore();
        Plan plan = Rechunker.from(joined(1))
                .to(target)
                .chunks(MEMBERS, 2, 2)
                .maxMem("12kB")
                .spill(spills)
                .costModel(new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9))
                .executor(new SerialExecutor())
                .plan();
        assertEquals("Spill", plan.arrays().get(0).copy().strategy());
        plan.execute();
        WHOLE.check(target, "");
        requireOpenedOnce();
        assertEquals(1, opener.mostOpen());
    }

    @Test
    void manyThreadsNeverOpenMoreThanTheLimit() throws Exception {
        ChunkStore joined = joined(3);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ArrayReader reader = joined.openReader("")) {
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Random random = new Random(i);
                calls.add(() -> {
                    for (int n = 0; n < 400; n++) {
                        Region chunk = reader.spec().chunks().regionAt(random.nextInt((int)
                                reader.spec().chunks().count()));
                        byte[] dense = new byte[(int) chunk.elements() * 4];
                        assertTrue(Data.read(reader, chunk, dense));
                        WHOLE.assertSame(chunk, WHOLE.elements(chunk), dense);
                    }
                    return true;
                });
            }
            for (Future<Boolean> done : threads.invokeAll(calls)) {
                assertTrue(done.get());
            }
            assertEquals(3, opener.openNow());
        } finally {
            threads.shutdownNow();
        }
        assertTrue(opener.mostOpen() <= 3, () -> opener.mostOpen() + " open");
        assertEquals(0, opener.openNow(), "still open");
    }

    @Test
    void openingAMemberIsRetried() throws IOException {
        AtomicReference<IOException> failure = new AtomicReference<>();
        ChunkStore only = member(0);
        Source source = new Source("far away", "v", () -> {
            IOException due = failure.get();
            if (due != null) {
                throw due;
            }
            return only;
        });
        ChunkStore joined = Concat.along("time", List.of(source));
        failure.set(new IOException("no route"));
        try (ArrayReader reader = joined.openReader("")) {
            Region chunk = reader.spec().chunks().regionAt(0);
            byte[] dense = new byte[(int) chunk.elements() * 4];
            IOException failed = assertThrows(IOException.class, () -> Data.read(reader, chunk, dense));
            assertFalse(failed instanceof StoreException);
            assertTrue(String.valueOf(failed.getMessage()).contains("far away"), failed.getMessage());
            failure.set(null);
            assertTrue(Data.read(reader, chunk, dense));
        }
    }

    @Test
    void aMemberThatHasChangedIsRefused() throws IOException {
        AtomicReference<ChunkStore> current = new AtomicReference<>(member(0));
        ChunkStore joined =
                Concat.along("time", List.of(new Source("changing", "v", () -> requireNonNull(current.get()))));
        MemoryStore other = new MemoryStore();
        Data.of(MEMBER.toBuilder()
                        .chunks(ChunkGrid.regular(Shape.of(1, 20, 30), Shape.of(1, 5, 30)))
                        .build())
                .write(other, "v");
        current.set(other);
        try (ArrayReader reader = joined.openReader("")) {
            Region chunk = reader.spec().chunks().regionAt(0);
            byte[] dense = new byte[(int) chunk.elements() * 4];
            StoreException refused = assertThrows(StoreException.class, () -> Data.read(reader, chunk, dense));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("changing#v has changed since the sources were joined"),
                    refused.getMessage());
        }
    }

    /** A store whose readers declare memory that they use, and count the bytes that they read. */
    private static final class Holding extends ForwardingStore {
        private final long scratch;
        private final long codecs;
        private final long held;

        Holding(ChunkStore store, long scratch, long codecs, long held) {
            super(store);
            this.scratch = scratch;
            this.codecs = codecs;
            this.held = held;
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            return new Reader(super.openReader(path)) {
                private long read;

                @Override
                public ReadTraits traits() {
                    return ReadTraits.of(Granularity.CHUNK)
                            .withScratchBytes(scratch)
                            .withNativeBytes(codecs)
                            .withHeldBytes(held);
                }

                @Override
                public boolean read(Region region, ByteBuffer target, Scratch taken) throws IOException {
                    read += 7;
                    return super.read(region, target, taken);
                }

                @Override
                public long storedBytesRead() {
                    return read;
                }
            };
        }
    }

    @Test
    void memoryOfOpenMembersIsCounted() throws IOException {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sources.add(Source.of(new Holding(member(i), 100 + i, 10, 1000L * i).at("v")));
        }
        ChunkStore joined = Concat.options().atMostOpen(3).along("time", sources);
        ArrayReader closed = joined.openReader("");
        try (ArrayReader reader = closed) {
            assertEquals(
                    ReadTraits.of(Granularity.CHUNK)
                            .withScratchBytes(109)
                            .withNativeBytes(20)
                            .withHeldBytes(9010 + 8010 + 7010),
                    reader.traits());
            assertEquals(0, reader.storedBytesRead());
            Data.readAll(reader);
            assertEquals(7 * 10, reader.storedBytesRead());
        }
        assertEquals(7 * 10, closed.storedBytesRead());
        try (ArrayReader reader = Concat.along("time", sources.subList(0, 2)).openReader("")) {
            assertEquals(
                    ReadTraits.of(Granularity.CHUNK)
                            .withScratchBytes(101)
                            .withNativeBytes(20)
                            .withHeldBytes(1020),
                    reader.traits());
        }
    }

    @Test
    void tenThousandMembersAreCheap() throws Exception {
        int years = 10_000;
        long before = used();
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < years; i++) {
            long days = i % 4 == 0 ? 366 : 365;
            sources.add(new Source("/data/somewhere/ssh-" + i + ".zarr", "ssh", () -> day(days)));
        }
        ChunkStore joined = Concat.along("time", sources);
        long perMember = (used() - before) / years;
        assertTrue(perMember < 1000, perMember + " bytes for each member");
        Plan plan = Rechunker.from(joined)
                .to(new MemoryStore())
                .chunks(-1, 1, 1)
                .maxMem("1GB")
                .plan();
        assertEquals(3_652_500, plan.arrays().get(0).source().shape().extent(0));
        assertTrue(plan.arrays().get(0).copy().stages().size() > 1, plan::explain);
    }

    /** A year without written chunks. */
    private static ChunkStore day(long days) throws IOException {
        MemoryStore store = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(days, 720, 1440), Shape.of(122, 90, 90)), DataType.FLOAT32)
                .dimensionNames(List.of("time", "y", "x"))
                .build();
        Data.of(spec).write(store, "ssh", unit -> false);
        return store;
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
