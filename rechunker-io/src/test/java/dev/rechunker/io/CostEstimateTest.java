package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.CostEstimate;
import dev.rechunker.CostEstimate.Egress;
import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.BucketKeys;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.MemoryBucket;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Prices;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.testing.Data;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Costs are computed from the numbers of requests that a run makes. */
class CostEstimateTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(1024, 700), Shape.of(1024, 10)), DataType.INT32)
            .codecs(CodecSpec.parse("gzip:level=1"))
            .build();

    private final MemoryBucket from = new MemoryBucket("from");
    private final MemoryBucket to = new MemoryBucket("to");
    private final MemoryBucket tmp = new MemoryBucket("tmp");

    private ChunkStore source() throws Exception {
        ChunkStore source = Zarr.create(new BucketKeys(from, "", null));
        Data.of(source.resolve(SPEC)).write(source, "");
        return source;
    }

    private ChunkStore target() {
        return Zarr.create(new BucketKeys(to, "", null));
    }

    /** Chunks and slabs are read and written as often as the plan says; metadata are not counted. */
    @ParameterizedTest
    @CsvSource({"32 700, 100MB, Window", "32 700, 900kB, Window", "32 700, 1100kB, Spill", "1024 350, 100MB, Window"})
    void requestsAreThoseOfTheRun(String chunks, String maxMem, String strategy) throws Exception {
        try (ChunkStore source = source();
                ChunkStore target = target();
                SpillStore spill = KeySpill.of(new BucketKeys(tmp, "", null))) {
            Rechunker.Job job = Rechunker.from(source)
                    .to(target)
                    .chunks(chunks.replace(' ', ','))
                    .maxMem(maxMem)
                    .threads(2)
                    .spill(spill);
            job = strategy.equals("Spill") ? job.costModel(SLOW_TO_READ) : job.noSpill();
            Plan plan = job.plan();
            PlannedCopy copy = plan.arrays().get(0).copy();
            assertEquals(strategy, copy.strategy(), plan::explain);
            from.requests().clear();
            Report report = plan.execute();
            PlannedCopy.Requests requests = copy.requests();
            assertEquals(report.sourceChunkReads(), (long) requests.sourceReads(), plan::explain);
            assertEquals(count(from, "GET c/"), (long) requests.sourceReads(), plan::explain);
            assertEquals(count(to, "PUT c/"), (long) requests.targetWrites(), plan::explain);
            assertEquals(count(tmp, "GET rechunk-"), (long) requests.spillReads(), plan::explain);
            assertEquals(
                    count(tmp, "PUT rechunk-") - count(tmp, "PUT rechunk-.*/trial-"),
                    (long) requests.spillWrites(),
                    plan::explain);
        }
    }

    private static long count(MemoryBucket bucket, String pattern) {
        Pattern start = Pattern.compile(pattern);
        return bucket.requests().stream()
                .filter(request -> start.matcher(request).lookingAt())
                .count();
    }

    @Test
    void amountsAreQuantitiesTimesPrices() throws Exception {
        try (ChunkStore source = source();
                ChunkStore target = target()) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(1024, 350)
                    .maxMem("100MB")
                    .plan();
            CostEstimate cost = CostEstimate.of(plan, Prices.AWS, Egress.TARGET);
            assertEquals(70 * 0.4e-6, amount(cost, "requests that read"), 1e-12);
            assertEquals(2 * 5e-6, amount(cost, "requests that write"), 1e-12);
            assertEquals(0, amount(cost, "storage of the spill"));
            assertEquals(cost.seconds() / 3600 * 0.192, amount(cost, "machines"), 1e-12);
            assertEquals(1024 * 700 * 4 / 1e9 * 0.09, amount(cost, "egress"), 1e-12);
            double sum =
                    cost.items().stream().mapToDouble(CostEstimate.Item::amount).sum();
            assertEquals(sum, cost.total(), 1e-12);
            assertTrue(cost.explain().contains("list prices of S3"), cost::explain);
        }
    }

    private static double amount(CostEstimate cost, String name) {
        return cost.items().stream()
                .filter(item -> item.name().equals(name))
                .findFirst()
                .orElseThrow()
                .amount();
    }

    @Test
    void theSampleOfThePageRuns() throws Exception {
        try (ChunkStore source = source();
                ChunkStore target = target()) {
            Rechunker.Job job =
                    Rechunker.from(source).to(target).chunks(1024, 350).maxMem("100MB");
            Plan plan = job.plan();
            // snippet: cost
            CostEstimate cost = CostEstimate.of(plan, Prices.AWS, CostEstimate.Egress.NONE);
            System.out.println(cost.explain());
            Optional<CostEstimate> soon =
                    CostEstimate.within(job, Duration.ofHours(2), Prices.AWS, CostEstimate.Egress.NONE);
            // end snippet
            assertTrue(soon.isPresent());
        }
    }

    /** More workers end earlier and cost more; a proposal is what was asked for, and as cheap or fast as possible. */
    @Test
    void workersAreProposedForADeadlineOrABudget() throws Exception {
        CostModel slow = new CostModel("slow", 1e4, 1e4, 1e4, 0, 1e9);
        try (ChunkStore source = source();
                ChunkStore target = target()) {
            Rechunker.Job job = Rechunker.from(source)
                    .to(target)
                    .chunks(1024, 10)
                    .maxMem("10MB")
                    .codec("none")
                    .threads(1)
                    .costModel(slow);
            CostEstimate alone = CostEstimate.of(job.plan(), Prices.AWS, Egress.NONE);
            Duration deadline = Duration.ofSeconds((long) (alone.seconds() / 3));
            CostEstimate soon =
                    CostEstimate.within(job, deadline, Prices.AWS, Egress.NONE).orElseThrow();
            assertTrue(soon.workers() > 1 && soon.seconds() <= deadline.toSeconds(), soon::explain);
            CostEstimate cheap = CostEstimate.within(job, soon.total() * 1.05, Prices.AWS, Egress.NONE)
                    .orElseThrow();
            assertTrue(cheap.total() <= soon.total() * 1.05 && cheap.seconds() <= soon.seconds(), cheap::explain);
            assertTrue(CostEstimate.within(job, Duration.ofMillis(1), Prices.AWS, Egress.NONE)
                    .isEmpty());
            assertTrue(CostEstimate.within(job, 1e-9, Prices.AWS, Egress.NONE).isEmpty());
        }
    }

    @Test
    void tablesOfPricesAreChecked() {
        Map<String, Object> figures = Prices.AZURE.figures();
        assertEquals(Prices.AZURE, Prices.of(figures));
        for (String key : List.copyOf(figures.keySet())) {
            Map<String, Object> without = new LinkedHashMap<>(figures);
            without.remove(key);
            String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> Prices.of(without))
                    .getMessage());
            assertTrue(message.contains(key), message);
        }
        figures.put("egressPerGb", -1);
        assertThrows(IllegalArgumentException.class, () -> Prices.of(figures));
        figures.put("egressPerGb", 1);
        figures.put("discount", 1);
        assertThrows(IllegalArgumentException.class, () -> Prices.of(figures));
    }
}
