package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Strategy;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.FaultyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies that spill to a bucket: every element arrives with few requests, even if requests fail. */
@Timeout(120)
class RemoteSpillTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    private static S3Server server;

    private final MemoryStore target =
            MemoryStore.builder().granularity(Granularity.CHUNK).build();

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.startUnsigned();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String place(String address) {
        return "s3://" + server.bucket() + "/tmp?endpoint=" + address + "&anonymous=true";
    }

    private static Data data(long rows, long columns, long chunk) {
        return Data.of(
                ArraySpec.builder(ChunkGrid.regular(Shape.of(rows, columns), Shape.of(rows, chunk)), DataType.INT32)
                        .build());
    }

    private Plan plan(Data data, SpillStore spill, String maxMem, int threads, long rows) throws IOException {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(source, "");
        Plan plan = Rechunker.from(source)
                .to(target)
                .chunks(rows, data.spec().shape().extent(1))
                .maxMem(maxMem)
                .threads(threads)
                .costModel(SLOW_TO_READ)
                .spill(spill)
                .plan();
        assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
        return plan;
    }

    private void runAndCheck(Plan plan, Data data) throws Exception {
        Report report = plan.execute();
        assertArrayEquals(data.elements(), target.elements(""));
        assertTrue(report.measuredMemory() <= report.projectedMemory(), plan::explain);
        assertTrue(report.projectedMemory() <= plan.maxMem().bytes(), plan::explain);
    }

    private static void assertEmpty(String place) throws IOException {
        try (KeyStore keys = Stores.keys(place)) {
            assertTrue(keys.list("").isEmpty(), "files are left: " + keys.list(""));
        }
    }

    /** {@return the URI of a place on the test server in the place of one in the documentation} */
    private static String in(String place) {
        return place.replaceFirst("//bucket", "//" + server.bucket()) + "?endpoint=" + server.address()
                + "&anonymous=true";
    }

    @Test
    void theSampleOfTheGuideRuns() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(50, 100), Shape.of(5, 100)), DataType.INT16)
                .dimensionNames(List.of("time", "x"))
                .build();
        MemoryStore source = new MemoryStore();
        Data.of(spec).write(source, "");
        // snippet: spill
        try (SpillStore bucket = Stores.temporary(in("s3://bucket/tmp"))) {
            Rechunker.from(source)
                    .to(target)
                    .chunks("time=-1, ...=72")
                    .maxMem("2GB")
                    .spill(bucket)
                    .execute();
        }
        // end snippet
        assertArrayEquals(Data.of(spec).elements(), target.elements(""));
    }

    @Test
    void aSlabIsWrittenByOneRequestAndAWindowReadsOneRangeOfEachSlab() throws Exception {
        Data data = data(1024, 700, 10);
        String place = place(server.address());
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> Fault.NONE);
                SpillStore spill = Stores.temporary(place.replace(server.address(), proxy.address()))) {
            Plan plan = plan(data, spill, "1100kB", 2, 32);
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            Strategy.Spill strategy = (Strategy.Spill) copy.strategy();
            runAndCheck(plan, data);
            long slabs = strategy.slabs().count();
            long ranges = copy.stages().get(1).source().count();
            assertTrue(ranges <= slabs * strategy.windows().count() && slabs > 2, plan::explain);
            // One request tests the place. The value of that test and each block are listed and deleted.
            long others = 1 + 3 * (1 + strategy.blocks().count());
            assertEquals(slabs + ranges + others, proxy.requests(), plan::explain);
        }
        assertEmpty(place);
    }

    @Test
    void largeSlabsAreUploadedInParts() throws Exception {
        Data data = data(4000, 4500, 50);
        String place = place(server.address());
        try (SpillStore spill = Stores.temporary(place)) {
            Plan plan = plan(data, spill, "26MB", 3, 40);
            Strategy.Spill strategy =
                    (Strategy.Spill) EnginePlans.of(plan.arrays().get(0)).strategy();
            assertTrue(strategy.slabs().largestChunk().elements() * 4 > 16 << 20, plan::explain);
            runAndCheck(plan, data);
        }
        assertEmpty(place);
    }

    @Test
    void failedRequestsAreRetried() throws Exception {
        Random random = new Random(5);
        Fault[] kinds = {Fault.BUSY, Fault.RESET, Fault.TRUNCATED, Fault.SLOW};
        Data data = data(1024, 700, 10);
        String place = place(server.address());
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> {
                    synchronized (random) {
                        return random.nextInt(6) == 0 ? kinds[random.nextInt(kinds.length)] : Fault.NONE;
                    }
                });
                SpillStore spill = Stores.temporary(place.replace(server.address(), proxy.address()))) {
            runAndCheck(plan(data, spill, "1100kB", 2, 32), data);
            for (Fault kind : kinds) {
                assertTrue(proxy.count(kind) > 0, kind.toString());
            }
        }
        assertEmpty(place);
    }

    /** Many ranges are read at the same time. */
    @Test
    void latencyIsHidden() throws Exception {
        Data data = data(2048, 2800, 10);
        String place = place(server.address());
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 40, request -> Fault.NONE);
                SpillStore spill = Stores.temporary(place.replace(server.address(), proxy.address()))) {
            MemoryStore source =
                    MemoryStore.builder().granularity(Granularity.CHUNK).build();
            data.write(source, "");
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(32, 2800)
                    .maxMem("10MB")
                    .threads(16)
                    .costModel(new CostModel("far", 1, 1e9, 1e9, 1e-6, 0.04, 1e9))
                    .spill(spill)
                    .plan();
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            assertEquals("Spill", copy.strategy().name(), plan::explain);
            runAndCheck(plan, data);
            assertTrue(proxy.mostUnderWay() >= 4, "in progress: " + proxy.mostUnderWay());
        }
        assertEmpty(place);
    }

    @Test
    void compressedArraysSpillToMemoryToo() throws Exception {
        try (MemoryKeys keys = new MemoryKeys();
                ChunkStore source = Zarr.create(new MemoryKeys());
                ChunkStore zarr = Zarr.create(new MemoryKeys());
                SpillStore spill = KeySpill.below(keys, "some/where")) {
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(512, 640), Shape.of(512, 4)), DataType.FLOAT64)
                    .codecs(CodecSpec.parse("gzip:level=1"))
                    .build();
            Data data = Data.of(source.resolve(spec));
            data.write(source, "", unit -> unit % 3 != 1);
            Plan plan = Rechunker.from(source)
                    .to(zarr)
                    .chunks(4, 640)
                    .maxMem("1200kB")
                    .threads(1)
                    .costModel(SLOW_TO_READ)
                    .spill(spill)
                    .verify()
                    .plan();
            assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
            assertTrue(plan.explain().contains("spill: memory/some/where"), plan::explain);
            Report report = plan.execute();
            assertEquals(512 * 640, report.elementsVerified());
            assertTrue(keys.list("").isEmpty());
        }
    }

    /** The target is resumed, and so is the spill in a bucket. */
    @Test
    void aFailedRunIsResumedWithItsSpill(@TempDir Path directory) throws Exception {
        Data data = data(512, 700, 10);
        MemoryStore memory =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(memory, "");
        ForwardingStore source = new ForwardingStore(memory) {
            @Override
            public String identity() {
                return "positions";
            }
        };
        try (MemoryKeys keys = new MemoryKeys();
                SpillStore spill = KeySpill.below(keys, "tmp");
                ChunkStore zarr = Zarr.create(directory.resolve("t.zarr"))) {
            Function<ChunkStore, Rechunker.Job> into = target -> Rechunker.from(source)
                    .to(target)
                    .chunks(4, 700)
                    .maxMem("300kB")
                    .executor(new SerialExecutor())
                    .costModel(SLOW_TO_READ)
                    .retries(0)
                    .codec("none")
                    .spill(spill);
            FaultyStore failing = new FaultyStore(zarr);
            Rechunker.Job job = into.apply(failing);
            assertEquals("Spill", job.plan().arrays().get(0).copy().strategy());
            failing.failFrom(FaultyStore.Operation.WRITE, 60);
            TaskFailedException e = assertThrows(TaskFailedException.class, job::execute);
            assertTrue(String.valueOf(e.getMessage()).contains("resume it with resume()"), e.toString());
            assertEquals(List.of("tmp"), keys.list("").directories());
            Rechunker.Job again = into.apply(new FaultyStore(zarr));
            assertThrows(RefusedException.class, again::execute);
            Report report = again.resume().execute();
            assertTrue(report.tasksDoneBefore() > 3, report::toString);
            assertEquals(0, report.sourceChunkReads());
            data.check(zarr, "");
            assertTrue(keys.list("").isEmpty(), "files are left");
        }
    }

    @Test
    void placesThatCannotBeWrittenToAreRefused() throws Exception {
        StoreException web = assertThrows(StoreException.class, () -> Stores.temporary("https://host/x"));
        assertTrue(String.valueOf(web.getMessage()).contains("can only be read"), web.toString());
        String nowhere = "s3://no-such-bucket-here/tmp?endpoint=" + server.address() + "&anonymous=true";
        try (SpillStore spill = Stores.temporary(nowhere)) {
            Plan plan = plan(data(1024, 700, 10), spill, "1100kB", 2, 32);
            StoreException e = assertThrows(StoreException.class, plan::execute);
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("the spill cannot be written to s3://no-such-bucket-here/tmp"), message);
            assertEquals(Optional.empty(), target.node(""));
        }
    }
}
