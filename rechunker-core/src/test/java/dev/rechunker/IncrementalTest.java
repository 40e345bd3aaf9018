package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of parts of arrays, and writes into existing arrays. */
class IncrementalTest {
    @TempDir
    Path spills;

    private static MemoryStore store(Cases random) {
        return MemoryStore.builder()
                .granularity(random.oneOf(Granularity.values()))
                .paddedEdges(random.random().nextBoolean())
                .build();
    }

    private static ArraySpec spec(Shape shape, Shape chunks, String... names) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.INT32)
                .dimensionNames(List.of(names))
                .fillValue(FillValue.zero(4))
                .build();
    }

    private static MemoryStore holding(Data data) throws IOException {
        MemoryStore store = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(store, "");
        return store;
    }

    private Report run(Rechunker.Into into, String maxMem) throws IOException, InterruptedException {
        return into.maxMem(maxMem).spill(spills).threads(2).execute();
    }

    /** Runs a job with the least maxMem that the planner reports. */
    private Report runTiny(Rechunker.Into into) throws IOException, InterruptedException {
        InfeasiblePlanException refusal = assertThrows(
                InfeasiblePlanException.class, () -> into.maxMem("1").threads(2).plan());
        ByteSize least = ByteSize.of(refusal.minimumMemory());
        Report report = into.maxMem(least).spill(spills).threads(2).execute();
        assertTrue(report.measuredMemory() <= least.bytes(), report.toString());
        return report;
    }

    private static void assertHolds(Data expected, ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            Region all = Region.whole(expected.spec().shape());
            assertEquals(all.shape(), reader.spec().shape());
            expected.assertSame(all, expected.elements(), Data.readAll(reader));
        }
    }

    // ------------------------------------------------------------------ regions

    @Test
    void anyRegionOfAnyArrayIsCopied() {
        Cases.check(200, random -> {
            ArraySpec spec = random.spec();
            if (spec.shape().rank() == 0) {
                return;
            }
            Data data = Data.of(spec, random.seed());
            MemoryStore source = store(random);
            data.write(source, "");
            long[] origin = new long[spec.shape().rank()];
            long[] extents = new long[origin.length];
            for (int axis = 0; axis < origin.length; axis++) {
                origin[axis] = random.between(0, spec.shape().extent(axis));
                extents[axis] = random.between(0, spec.shape().extent(axis) - origin[axis]);
            }
            Region region = Region.of(origin, Shape.of(extents));
            Shape chunks = random.regularGrid(region.shape()).chunkShape();
            MemoryStore target = store(random);
            Rechunker.from(source)
                    .to(target)
                    .chunks(chunks.toArray())
                    .maxMem("1MB")
                    .region(region)
                    .spill(spills)
                    .threads(2)
                    .verify()
                    .execute();
            try (ArrayReader reader = target.openReader("")) {
                data.assertSame(region, data.elements(region), Data.readAll(reader));
            }
        });
    }

    @Test
    void regionByNameSelectsFromEveryArrayWithTheAxis() throws Exception {
        MemoryStore source = new MemoryStore();
        source.writeGroup("", Map.of("title", "sea"));
        Data ssh = Data.of(spec(Shape.of(20, 6), Shape.of(7, 4), "time", "lat"));
        Data time = Data.of(spec(Shape.of(20), Shape.of(20), "time"));
        Data lat = Data.of(spec(Shape.of(6), Shape.of(6), "lat"));
        ssh.write(source, "ssh");
        time.write(source, "time");
        lat.write(source, "lat");
        MemoryStore target = new MemoryStore();
        Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .region("time=3:12")
                .execute();
        assertArrayEquals(ssh.elements(Region.of(new long[] {3, 0}, Shape.of(9, 6))), target.elements("ssh"));
        assertArrayEquals(time.elements(Region.of(new long[] {3}, Shape.of(9))), target.elements("time"));
        assertArrayEquals(lat.elements(), target.elements("lat"));
        try (ArrayReader reader = target.openReader("ssh")) {
            assertEquals(Shape.of(7, 4), reader.spec().chunks().chunkShape(), "keep does not change the chunks");
        }
        assertEquals(
                "sea",
                ((ChunkStore.GroupNode) target.node("").orElseThrow())
                        .attributes()
                        .get("title"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "a:b", "5:3", "time=1:2, :", "time=1:2, time=3:4", "-1:", "99999999999999999999:"})
    void invalidRegionsAreRefused(String text) throws IOException {
        Rechunker.Job job = Rechunker.from(new MemoryStore())
                .to(new MemoryStore())
                .chunks("keep")
                .maxMem("1MB");
        assertThrows(IllegalArgumentException.class, () -> job.region(text));
    }

    @Test
    void regionOutsideOfArrayIsRefused() throws IOException {
        MemoryStore source = new MemoryStore();
        Data.of(spec(Shape.of(20, 6), Shape.of(7, 4), "time", "lat")).write(source, "a");
        Data.of(spec(Shape.of(10, 6), Shape.of(7, 4), "time", "lat")).write(source, "b");
        assertSays("/a has 2: (20, 6)", part(source, "a", "1:2"));
        assertSays("20 elements on axis time", part(source, "a", "time=1:21"));
        assertSays("names [depth], but the axes of", part(source, "a", "depth=1:2"));
        assertSays("is not the same part everywhere", part(source, "", "time=1:2"));
        assertSays("is for one array", part(source, "", "1:2, :"));
    }

    private static Executable part(ChunkStore source, String path, String region) {
        return Rechunker.from(source.at(path))
                .to(new MemoryStore())
                .chunks("keep")
                .maxMem("1MB")
                .region(region)::plan;
    }

    private static void assertSays(String part, Executable what) {
        String message = String.valueOf(assertThrows(Exception.class, what).getMessage());
        assertTrue(message.contains(part), message);
    }

    @Test
    void appendingWorksWithTheLeastMaxMem() throws Exception {
        ArraySpec there = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(19, 6, 3, 6), Shape.of(11, 8, 4, 7)), DataType.INT64)
                .build();
        ArraySpec added = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(19, 8, 3, 6), Shape.of(20, 10, 3, 1)), DataType.INT64)
                .build();
        Rechunker.Into append = Rechunker.from(MemoryStore.of(added, new byte[(int) added.bytes()]))
                .into(MemoryStore.of(there, new byte[(int) there.bytes()]))
                .append(1);
        for (long bound : new long[] {9000, 31680, 34000}) {
            InfeasiblePlanException refusal = assertThrows(
                    InfeasiblePlanException.class,
                    () -> append.maxMem(ByteSize.of(bound)).plan());
            long least = refusal.minimumMemory();
            append.maxMem(ByteSize.of(least)).plan();
            assertThrows(
                    InfeasiblePlanException.class,
                    () -> append.maxMem(ByteSize.of(least - 1)).plan());
        }
    }

    // ------------------------------------------------------------------ into and append

    @Test
    void windowOfAnyArrayIsWritten() {
        Cases.check(200, random -> {
            ArraySpec spec = random.spec();
            if (spec.shape().rank() == 0) {
                return;
            }
            Data old = Data.of(spec, 1);
            MemoryStore target = store(random);
            old.write(target, "", random.random().nextBoolean() ? unit -> true : unit -> unit % 2 == 0);
            byte[] before = target.elements("");
            long[] origin = new long[spec.shape().rank()];
            long[] extents = new long[origin.length];
            for (int axis = 0; axis < origin.length; axis++) {
                origin[axis] = random.between(0, spec.shape().extent(axis));
                extents[axis] = random.between(0, spec.shape().extent(axis) - origin[axis]);
            }
            Region window = Region.of(origin, Shape.of(extents));
            ArraySpec part = spec.toBuilder()
                    .shards(null)
                    .chunks(random.grid(window.shape()))
                    .build();
            Data added = Data.of(spec, 2).part(window, part);
            MemoryStore source = store(random);
            added.write(source, "");
            StrictStore strict = new StrictStore(target).allowMissing();
            Rechunker.from(source)
                    .into(strict)
                    .at(origin)
                    .maxMem("1MB")
                    .spill(spills)
                    .threads(2)
                    .verify()
                    .execute();
            strict.assertClosed();
            byte[] expected = before.clone();
            overlay(Data.of(spec, 2), window, expected);
            old.assertSame(Region.whole(spec.shape()), expected, target.elements(""));
        });
    }

    /** Replaces the elements of a window in all elements of an array. */
    private static void overlay(Data data, Region window, byte[] all) {
        int itemSize = data.spec().dataType().itemSize();
        byte[] elements = data.elements(window);
        for (long i = 0; i < window.elements(); i++) {
            long rest = i;
            long position = 0;
            long stride = 1;
            for (int axis = window.rank() - 1; axis >= 0; axis--) {
                position += (window.start(axis) + rest % window.extent(axis)) * stride;
                rest /= window.extent(axis);
                stride *= data.spec().shape().extent(axis);
            }
            System.arraycopy(elements, (int) i * itemSize, all, (int) position * itemSize, itemSize);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 1000})
    void appendingIsTheSameAsWritingAtOnce(long steps) throws Exception {
        for (boolean tiny : List.of(false, true)) {
            Data whole = Data.of(spec(Shape.of(53 + steps, 9, 5), Shape.of(10, 4, 5), "time", "y", "x"));
            MemoryStore target = existing(whole, 53);
            Data added = appended(whole, 53, Shape.of(3, 9, 2));
            Rechunker.Into append = Rechunker.from(holding(added)).into(target).append("time");
            if (tiny) {
                runTiny(append);
            } else {
                run(append, "1MB");
            }
            assertHolds(whole, target, "");
        }
    }

    @Test
    void irregularChunksAreAppendedTo() {
        Cases.check(100, random -> {
            Shape shape = random.shape((int) random.between(1, 3));
            long steps = random.between(1, 20);
            ArraySpec spec = random.spec(random.grid(shape), random.dataType());
            boolean inShards = spec.chunks().isRegular() && random.random().nextBoolean();
            ArraySpec old = inShards ? spec : spec.toBuilder().shards(null).build();
            long[] larger = shape.toArray();
            larger[0] += steps;
            Data whole = Data.of(old.grown(Shape.of(larger)), random.seed());
            MemoryStore target = MemoryStore.builder()
                    .granularity(Granularity.CHUNK)
                    .paddedEdges(random.random().nextBoolean())
                    .build();
            whole.part(Region.whole(shape), old).write(target, "");
            long[] extents = shape.toArray();
            extents[0] = steps;
            long[] origin = new long[extents.length];
            origin[0] = shape.extent(0);
            Region added = Region.of(origin, Shape.of(extents));
            MemoryStore source = holding(whole.part(
                    added,
                    old.toBuilder()
                            .shards(null)
                            .chunks(random.regularGrid(added.shape()))
                            .build()));
            Rechunker.Into append = Rechunker.from(source).into(target).append(0);
            append.maxMem("10MB").spill(spills).threads(2).verify().execute();
            assertHolds(whole, target, "");
            try (ArrayReader reader = target.openReader("")) {
                assertEquals(whole.spec().chunks(), reader.spec().chunks());
            }
        });
    }

    private static MemoryStore existing(Data whole, long steps) throws IOException {
        Shape all = whole.spec().shape();
        Shape shape = Shape.of(steps, all.extent(1), all.extent(2));
        Shape chunks = whole.spec().chunks().chunkShape();
        ArraySpec spec = whole.spec().toBuilder()
                .chunks(ChunkGrid.regular(shape, chunks))
                .build();
        return holding(whole.part(Region.whole(shape), spec));
    }

    private static Data appended(Data whole, long from, Shape chunks) {
        Shape all = whole.spec().shape();
        Region region =
                Region.of(new long[] {from, 0, 0}, Shape.of(all.extent(0) - from, all.extent(1), all.extent(2)));
        ArraySpec spec = whole.spec().toBuilder()
                .chunks(ChunkGrid.regular(region.shape(), chunks))
                .build();
        return whole.part(region, spec);
    }

    @Test
    void readersSeeTheOldArrayUntilAppendIsComplete() throws Exception {
        Data whole = Data.of(spec(Shape.of(60, 4, 4), Shape.of(8, 4, 4), "t", "y", "x"));
        MemoryStore target = existing(whole, 53);
        Plan plan = Rechunker.from(holding(appended(whole, 53, Shape.of(7, 4, 4))))
                .into(target)
                .append(0)
                .maxMem("1MB")
                .executor(new SerialExecutor())
                .onProgress(progress -> {
                    try {
                        assertEquals(
                                progress.tasksDone() == progress.tasks() ? 60 : 53,
                                target.openReader("").spec().shape().extent(0));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .plan();
        plan.execute();
        assertHolds(whole, target, "");
        StoreException again = assertThrows(StoreException.class, plan::execute);
        assertTrue(String.valueOf(again.getMessage()).contains("make a new plan"), again.getMessage());
        assertHolds(whole, target, "");
    }

    @Test
    void invalidAppendsAreRefused() throws IOException {
        ArraySpec spec = spec(Shape.of(10, 6), Shape.of(4, 4), "time", "lat").toBuilder()
                .attributes(Map.of("units", "m"))
                .build();
        MemoryStore source = holding(Data.of(spec));
        assertAppendSays(
                source, spec.toBuilder().dataType(DataType.FLOAT32).build(), "in the type: int32 (10, 6), not float32");
        assertAppendSays(
                source,
                spec.toBuilder()
                        .missingValue(FillValue.of(new byte[] {1, 0, 0, 0}))
                        .build(),
                "in the missing value");
        assertAppendSays(
                source,
                spec.toBuilder()
                        .chunks(ChunkGrid.regular(Shape.of(10, 7), Shape.of(4, 4)))
                        .build(),
                "in the shape on axis 1: (10, 6), not (10, 7)");
        assertAppendSays(
                source, spec.toBuilder().dimensionNames(List.of("lat", "time")).build(), "the names of axes");
        assertAppendSays(
                source,
                spec.toBuilder().attributes(Map.of("units", "km")).build(),
                "the attribute units, on which the meaning");
        assertAppendSays(source, spec(Shape.of(10), Shape.of(4), "time"), "the number of axes");
        assertSays("which does not exist", append(source, new MemoryStore(), "time"));
        assertSays("has no axis depth", append(source, holding(Data.of(spec)), "depth"));
        MemoryStore group = new MemoryStore();
        group.writeGroup("", Map.of());
        assertSays("which is a group", append(source, group, "time"));
        Rechunker.Job job =
                Rechunker.from(source).into(holding(Data.of(spec))).append(0).maxMem("1MB");
        assertSays("codecs are for new arrays", job.codec("none")::plan);
        assertSays("shards are for new arrays", job.shards("none")::plan);
        assertSays("overwriting is for new arrays", job.overwrite()::plan);
        assertSays(
                "is not inside of",
                Rechunker.from(source).into(holding(Data.of(spec))).at(1, 0).maxMem("1MB")::plan);
        assertSays(
                "(10, 6) at [9223372036854775807, 0] is not inside of memory, which is (10, 6)",
                Rechunker.from(source)
                        .into(holding(Data.of(spec)))
                        .at(Long.MAX_VALUE, 0)
                        .maxMem("1MB")::plan);
        assertSays("same place", append(source, source, "time"));
    }

    private static void assertAppendSays(ChunkStore source, ArraySpec there, String part) throws IOException {
        MemoryStore target = holding(Data.of(there));
        byte[] before = target.elements("");
        assertSays(part.replace("int32 (10, 6)", "int32"), append(source, target, "time"));
        assertArrayEquals(before, target.elements(""));
    }

    private static Executable append(ChunkStore source, ChunkStore target, String axis) {
        return Rechunker.from(source).into(target).append(axis).maxMem("1MB")::plan;
    }

    @Test
    void byteOrderMayDifferAndUndefinedFillValueIsZero() throws Exception {
        ArraySpec spec = spec(Shape.of(10, 6), Shape.of(4, 4)).toBuilder()
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .fillValue(FillValue.UNDEFINED)
                .build();
        MemoryStore target = holding(Data.of(spec(Shape.of(5, 6), Shape.of(4, 4))));
        byte[] before = target.elements("");
        Data added = Data.of(spec);
        Rechunker.from(holding(added)).into(target).append(0).maxMem("1MB").execute();
        byte[] after = target.elements("");
        assertArrayEquals(before, Arrays.copyOf(after, before.length));
        byte[] big = added.elements();
        for (int i = 0; i < big.length; i++) {
            assertEquals(big[i], after[before.length + (i / 4 * 4 + 3 - i % 4)]);
        }
    }

    private static final Data LAT = Data.of(spec(Shape.of(6), Shape.of(6), "lat"));
    private static final Data FIRST = Data.of(spec(Shape.of(10, 6), Shape.of(4, 4), "time", "lat"), 1);
    private static final Data SECOND = Data.of(spec(Shape.of(7, 6), Shape.of(5, 2), "time", "lat"), 2);

    private static MemoryStore dataset(Data ssh, Data lat) throws IOException {
        return dataset(ssh, lat, ssh.spec().shape().extent(0));
    }

    private static MemoryStore dataset(Data ssh, Data lat, long steps) throws IOException {
        MemoryStore store = new MemoryStore();
        store.writeGroup("", Map.of("title", "sea"));
        ssh.write(store, "ssh");
        Data.of(spec(Shape.of(steps), Shape.of(4), "time"), steps).write(store, "time");
        lat.write(store, "lat");
        return store;
    }

    private static MemoryStore twice(Data a, Data b) throws IOException {
        MemoryStore store = new MemoryStore();
        a.write(store, "a");
        b.write(store, "b");
        return store;
    }

    @Test
    void everyArrayOfGroupWithTheAxisGrows() throws Exception {
        MemoryStore target = dataset(FIRST, LAT);
        Rechunker.from(dataset(SECOND, LAT))
                .into(target)
                .append("time")
                .maxMem("1MB")
                .verify()
                .execute();
        byte[] expected = Bytes.concat(FIRST.elements(), SECOND.elements());
        assertArrayEquals(expected, target.elements("ssh"));
        assertEquals(17 * 4, target.elements("time").length);
        assertArrayEquals(LAT.elements(), target.elements("lat"));
        Data elsewhere = Data.of(spec(Shape.of(6), Shape.of(6), "lat"), 9);
        assertSays(
                "arrays without the axis must be the same in source and target",
                append(dataset(SECOND, elsewhere), target, "time"));
        MemoryStore more = dataset(FIRST, LAT);
        Data.of(spec(Shape.of(10), Shape.of(4), "time")).write(more, "depth");
        assertSays(
                "nothing would be appended to it, as the source has no such array",
                append(dataset(SECOND, LAT), more, "time"));
        MemoryStore cutOff = twice(
                Data.of(spec(Shape.of(17), Shape.of(4), "time")), Data.of(spec(Shape.of(10), Shape.of(4), "time")));
        MemoryStore next =
                twice(Data.of(spec(Shape.of(7), Shape.of(4), "time")), Data.of(spec(Shape.of(7), Shape.of(4), "time")));
        assertSays(
                "a has 17 elements along time, but b has 10, perhaps because an append was killed",
                append(next, cutOff, "time"));
        MemoryStore shorter = dataset(FIRST, LAT, 9);
        String wrong = "ssh has 10 elements along time, but there are coordinates for 9 in time";
        assertSays(wrong, append(dataset(SECOND, LAT), shorter, "time"));
        assertSays(wrong, append(shorter, dataset(SECOND, LAT), "time"));
        assertSays("has an axis depth", append(dataset(FIRST, LAT), dataset(FIRST, LAT), "depth"));
    }

    @Test
    void groupGrowsCompletelyOrNotAtAll() throws Exception {
        int failed = 0;
        for (int n = 1; n <= 40; n++) {
            MemoryStore target = dataset(FIRST, LAT);
            StrictStore strict = new StrictStore(target).allowMissing();
            ChunkStore faulty = new FaultyStore(dataset(SECOND, LAT)).failFrom(FaultyStore.Operation.READ, n);
            try {
                Rechunker.from(faulty)
                        .into(strict)
                        .append("time")
                        .maxMem("1MB")
                        .executor(new SerialExecutor())
                        .execute();
            } catch (IOException e) {
                failed++;
                assertEquals(10 * 6 * 4, target.elements("ssh").length);
                assertEquals(10 * 4, target.elements("time").length);
            }
            strict.assertClosed();
        }
        assertTrue(failed > 3 && failed < 40, failed + " of 40 failed");
    }

    /** If opening or committing the second array fails temporarily, nothing that was written is lost. */
    @ParameterizedTest
    @CsvSource({"CREATE", "COMMIT"})
    void transientFailuresOfOneArrayOfGroupAreRetried(FaultyStore.Operation operation) throws Exception {
        for (int n = 1; n <= 4; n++) {
            MemoryStore target = dataset(FIRST, LAT);
            StrictStore strict = new StrictStore(target).allowMissing();
            FaultyStore faulty = new FaultyStore(strict);
            Plan plan = Rechunker.from(dataset(SECOND, LAT))
                    .into(faulty)
                    .append("time")
                    .maxMem("1MB")
                    .plan();
            faulty.failOnce(operation, faulty.count(operation) + n);
            plan.execute();
            assertArrayEquals(Bytes.concat(FIRST.elements(), SECOND.elements()), target.elements("ssh"));
            assertEquals(17 * 4, target.elements("time").length);
            strict.assertClosed();
        }
    }

    /** A plan whose run failed and abandoned an array that was already written can be executed again. */
    @Test
    void planThatFailedAtSecondArrayCanBeExecutedAgain() throws Exception {
        MemoryStore target = dataset(FIRST, LAT);
        StrictStore strict = new StrictStore(target).allowMissing();
        FaultyStore source = new FaultyStore(dataset(SECOND, LAT)).throwing(StoreException::new);
        Plan plan = Rechunker.from(source)
                .into(strict)
                .append("time")
                .maxMem("1MB")
                .retries(0)
                .plan();
        source.failOnce(FaultyStore.Operation.OPEN_READER, source.count(FaultyStore.Operation.OPEN_READER) + 2);
        assertThrows(StoreException.class, plan::execute);
        strict.assertClosed();
        assertEquals(10 * 4, target.elements("time").length);
        plan.execute();
        assertArrayEquals(Bytes.concat(FIRST.elements(), SECOND.elements()), target.elements("ssh"));
        strict.assertClosed();
    }

    /** Units that an unfinished run left beyond the end must not become visible if the source has no chunks there. */
    @Test
    void emptyUnitsReplaceExistingOnes() throws Exception {
        ArraySpec spec = spec(Shape.of(20), Shape.of(4));
        MemoryStore target = holding(Data.of(spec));
        MemoryStore source = MemoryStore.of(spec(Shape.of(20), Shape.of(20)), new byte[80]);
        Rechunker.from(source).into(target).maxMem("1MB").execute();
        assertArrayEquals(new byte[80], target.elements(""));
        try (ArrayReader reader = target.openReader("")) {
            byte[] chunk = new byte[16];
            assertFalse(Data.read(reader, Region.of(new long[] {4}, Shape.of(4)), chunk), "it is removed");
        }
        Rechunker.from(source).into(target).maxMem("1MB").writeEmptyChunks().execute();
        try (ArrayReader reader = target.openReader("")) {
            byte[] chunk = new byte[16];
            assertTrue(Data.read(reader, Region.of(new long[] {4}, Shape.of(4)), chunk), "it is written");
        }
    }

    /** The same if chunks are copied as they are encoded. */
    @Test
    void missingChunksReplaceExistingOnes() throws Exception {
        ArraySpec spec = spec(Shape.of(20), Shape.of(4));
        Data data = Data.of(spec);
        MemoryStore target = holding(Data.of(spec, 1));
        MemoryStore source = new MemoryStore();
        data.write(source, "", unit -> unit != 1);
        Plan plan = Rechunker.from(source).into(target).maxMem("1MB").plan();
        assertTrue(plan.explain().contains("strategy CopyEncoded"), plan.explain());
        plan.execute();
        byte[] expected = data.elements();
        Arrays.fill(expected, 16, 32, (byte) 0);
        assertArrayEquals(expected, target.elements(""));
        try (ArrayReader reader = target.openReader("")) {
            byte[] chunk = new byte[16];
            assertFalse(Data.read(reader, Region.of(new long[] {4}, Shape.of(4)), chunk), "it is removed");
        }
    }

    @Test
    void regionIsWrittenAtItsOrigin() throws Exception {
        ArraySpec spec = spec(Shape.of(20, 6), Shape.of(7, 4), "time", "lat");
        MemoryStore target = holding(Data.of(spec, 1));
        byte[] expected = target.elements("");
        overlay(Data.of(spec, 2), Region.of(new long[] {5, 0}, Shape.of(9, 6)), expected);
        Rechunker.from(holding(Data.of(spec, 2)))
                .into(target)
                .maxMem("1MB")
                .region("time=5:14")
                .execute();
        assertArrayEquals(expected, target.elements(""));
    }
}
