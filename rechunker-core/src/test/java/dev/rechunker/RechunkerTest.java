package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Progress;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals and their messages, parsing of options, and what {@link Rechunker} keeps of a source. */
class RechunkerTest {
    @TempDir
    Path spills;

    private static ArraySpec spec(Shape shape, Shape chunks, String... names) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.INT16)
                .dimensionNames(List.of(names))
                .fillValue(FillValue.zero(2))
                .build();
    }

    private static final ArraySpec CUBE = spec(Shape.of(30, 20, 10), Shape.of(5, 20, 10), "time", "lat", "lon");

    private static MemoryStore chunked(String name) {
        return MemoryStore.builder().name(name).granularity(Granularity.CHUNK).build();
    }

    private static MemoryStore holding(ArraySpec spec) throws IOException {
        return holding("", spec);
    }

    private static MemoryStore holding(String path, ArraySpec spec) throws IOException {
        MemoryStore store = chunked("source");
        Data.of(spec).write(store, path);
        return store;
    }

    private static Rechunker.Job job(ChunkStore source, ChunkStore target, String chunks) {
        return Rechunker.from(source).to(target).chunks(chunks).maxMem("1MB").executor(new SerialExecutor());
    }

    private static void assertRefused(Class<? extends Exception> type, String message, Executable what) {
        assertEquals(message, assertThrows(type, what).getMessage());
    }

    private static void assertSays(Class<? extends Exception> type, String part, Executable what) {
        String message = String.valueOf(assertThrows(type, what).getMessage());
        assertTrue(message.contains(part), message);
    }

    // ------------------------------------------------------------------ refusals

    @Test
    void chunksOfAnotherRankAreRefusedWithBothValues() throws IOException {
        MemoryStore root = holding(CUBE);
        assertRefused(
                IllegalArgumentException.class,
                "chunks has 2 axes, but the array has 3: (30, 20, 10)",
                job(root, new MemoryStore(), "72, 72")::plan);
        assertRefused(
                IllegalArgumentException.class,
                "chunks has 1 axis, but the array has 3: (30, 20, 10)",
                job(root, new MemoryStore(), "72")::plan);
        assertRefused(
                IllegalArgumentException.class,
                "chunks has 4 axes, but /raw/data has 3: (30, 20, 10)",
                job(holding("raw/data", CUBE), new MemoryStore(), "1,1,1,1")::plan);
        assertRefused(
                IllegalArgumentException.class,
                "shards has 2 axes, but the array has 3: (30, 20, 10)",
                job(root, new MemoryStore(), "keep").shards("10, 10")::plan);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,1,1|a chunk extent of 0 is not possible; write a positive number, -1 for the whole axis, or keep",
                "-2,1,1|a chunk extent of -2 is not possible; write a positive number, -1 for the whole axis, or keep",
                "1,99999999999999999999,1|a chunk extent of 99999999999999999999 exceeds 2^63",
                "a=1, a=2|chunks \"a=1, a=2\" names axis a twice",
                "time=1, 2, 3|chunks \"time=1, 2, 3\" names some axes but not all; name each, or none",
                "1,x,1|\"x\" is not a chunk extent; write a number, -1 for the whole axis, keep, auto, a size like"
                        + " 100MB, or a list like [31,28,31x2]",
                "1,,1|\"\" is not a chunk extent; write a number, -1 for the whole axis, keep, auto, a size like"
                        + " 100MB, or a list like [31,28,31x2]",
                "1,[2,3|\"[2\" is not a list of chunks; write their sizes, where 31x2 is 31 two times, such as"
                        + " [31,28,31x2], or [keep] for those of the source",
                "[2,0]|a chunk extent of 0 is not possible; write a positive number, -1 for the whole axis, or keep"
            })
    void textsThatMakeNoSenseAreRefused(String chunks, String message) {
        assertRefused(IllegalArgumentException.class, message, () -> ChunkRule.parse(chunks));
    }

    @Test
    void invalidNumbersAreRefused() throws IOException {
        Rechunker.To to = Rechunker.from(holding(CUBE)).to(new MemoryStore());
        assertSays(IllegalArgumentException.class, "a chunk extent of 0 ", () -> to.chunks(0, 1, 1));
        assertSays(IllegalArgumentException.class, "a chunk extent of -7 ", () -> to.chunks(1, -7, 1));
        assertSays(
                IllegalArgumentException.class,
                "is not a size",
                () -> to.chunks(1, 1, 1).maxMem("much"));
        assertSays(
                IllegalArgumentException.class,
                "threads is 0",
                () -> to.chunks(1, 1, 1).maxMem("1MB").threads(0));
    }

    @Test
    void unknownAxesAndTwoSizesAreRefused() throws IOException {
        MemoryStore source = holding(CUBE);
        assertRefused(
                IllegalArgumentException.class,
                "chunks names [lot, depth], but the axes of the array are called [time, lat, lon]",
                job(source, new MemoryStore(), "time=1, lot=2, depth=3")::plan);
        assertSays(
                IllegalArgumentException.class,
                "chunks names two sizes, 1.00 kB and 2.00 kB; a chunk has one",
                job(source, new MemoryStore(), "1kB, 2kB, 1")::plan);
    }

    @Test
    void tooSmallMaxMemIsRefusedAndTheLeastPossibleWorks() throws Exception {
        for (boolean spill : new boolean[] {true, false}) {
            MemoryStore source = holding("raw/data", CUBE);
            MemoryStore target = chunked("target");
            Rechunker.Chunked chunked = Rechunker.from(source).to(target).chunks(30, 7, 3);
            Rechunker.Job tooSmall = chunked.maxMem(ByteSize.of(100));
            InfeasiblePlanException e = assertThrows(
                    InfeasiblePlanException.class, (spill ? tooSmall.spill(spills) : tooSmall.noSpill())::plan);
            assertTrue(
                    String.valueOf(e.getMessage()).startsWith("source#raw/data: no plan fits into maxMem = 100 B: "),
                    e::getMessage);
            assertTrue(
                    String.valueOf(e.getMessage())
                            .contains("the least possible maxMem is "
                                    + ByteSize.of(e.minimumMemory()).roundedUp()),
                    e::getMessage);
            Rechunker.Job enough = chunked.maxMem(ByteSize.of(e.minimumMemory()));
            Report report = (spill ? enough.spill(spills) : enough.noSpill()).execute();
            assertTrue(report.measuredMemory() <= e.minimumMemory());
            assertArrayEquals(Data.of(CUBE).elements(), target.elements("raw/data"));
        }
    }

    @Test
    void leastMaxMemOfGroupIsThatOfItsLargestArray() throws Exception {
        MemoryStore source = holding("a", CUBE);
        Data.of(spec(Shape.of(60, 70), Shape.of(6, 70))).write(source, "b/large");
        Data.of(CUBE).write(source, "c");
        Rechunker.Chunked chunked = Rechunker.from(source)
                .to(chunked("target"))
                .chunks(ChunkRule.named("b/large", "60, 70").orElse(ChunkRule.of(30, 7, 3)));
        InfeasiblePlanException e = assertThrows(
                InfeasiblePlanException.class, chunked.maxMem(ByteSize.of(1)).noSpill()::plan);
        assertTrue(
                String.valueOf(e.getMessage()).startsWith("source#b/large: no plan fits into maxMem = 1 B: "),
                e::getMessage);
        chunked.maxMem(ByteSize.of(e.minimumMemory())).noSpill().plan();
        assertThrows(
                InfeasiblePlanException.class,
                chunked.maxMem(ByteSize.of(e.minimumMemory() - 1)).noSpill()::plan);
    }

    /** A store with one array at its root. */
    private static final class OneArray extends ForwardingStore {
        OneArray() {
            super(chunked("one"));
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofOneArray().withWritable(true).withConcurrentWriters(true);
        }
    }

    @Test
    void targetOfOneArrayRefusesGroupsAndPaths() throws Exception {
        MemoryStore group = holding("a", CUBE);
        assertSays(StoreException.class, "holds one array, but", job(group, new OneArray(), "keep")::plan);
        assertSays(
                StoreException.class,
                "cannot be an array",
                Rechunker.from(group.at("a"))
                        .to(new OneArray().at("b"))
                        .chunks("keep")
                        .maxMem("1GB")::plan);
        Rechunker.from(group.at("a"))
                .to(new OneArray())
                .chunks("keep")
                .maxMem("1GB")
                .plan();
    }

    @Test
    void arrayIsNotCopiedOntoItself() throws IOException {
        MemoryStore store = holding("a/b", CUBE);
        for (String[] pair :
                new String[][] {{"", ""}, {"a", "a"}, {"a", "a/b"}, {"a/b", "a"}, {"", "x"}, {"a", ""}, {"a", "/a/c/"}
                }) {
            assertSays(
                    StoreException.class,
                    "source and target are the same place, or one is inside the other: source",
                    () -> Rechunker.from(store.at(pair[0]))
                            .to(store.at(pair[1]))
                            .chunks(ChunkRule.keep())
                            .maxMem("1MB")
                            .plan());
        }
    }

    @Test
    void siblingPathIsNotNested() throws Exception {
        MemoryStore store = holding("a", CUBE);
        Rechunker.from(store.at("a"))
                .to(store.at("ab"))
                .chunks(30, 1, 1)
                .maxMem("1MB")
                .execute();
        assertArrayEquals(store.elements("a"), store.elements("ab"));
    }

    @Test
    void existingTargetIsReplacedOnlyIfAllowed() throws Exception {
        MemoryStore target = chunked("target");
        ArraySpec old = spec(Shape.of(3), Shape.of(2));
        Data.of(old).write(target, "");
        Rechunker.Job job = job(holding(CUBE), target, "30, 1, 1");
        assertRefused(
                StoreException.class,
                "the target target exists; write elsewhere, or allow it to be replaced with overwrite()",
                job::execute);
        assertArrayEquals(Data.of(old).elements(), target.elements(""));
        job.overwrite().execute();
        assertArrayEquals(Data.of(CUBE).elements(), target.elements(""));
    }

    @Test
    void nothingOfGroupIsWrittenIfOneArrayExists() throws Exception {
        MemoryStore source = holding("a", CUBE);
        Data.of(CUBE).write(source, "b");
        MemoryStore target = chunked("target");
        Data.of(CUBE).write(target, "b");
        assertSays(StoreException.class, "the target target#b exists", job(source, target, "keep")::execute);
        assertTrue(target.node("a").isEmpty());
    }

    @Test
    void refusalOfTargetStoreComesBeforeAnythingIsWritten() throws IOException {
        MemoryStore source = holding("a", CUBE);
        Data.of(CUBE).write(source, "b");
        MemoryStore target = chunked("target");
        target.writeGroup("b", Map.of());
        assertSays(
                RefusedException.class,
                "there is a group at target#b already",
                job(source, target, "keep").overwrite()::execute);
        assertTrue(target.node("a").isEmpty());
    }

    @Test
    void readOnlyTargetsAndMissingSourcesAreRefused() throws IOException {
        ChunkStore readOnly = new ForwardingStore(chunked("fixed")) {
            @Override
            public Capabilities capabilities() {
                return Capabilities.ofHierarchy();
            }
        };
        assertRefused(StoreException.class, "fixed can only be read", job(holding(CUBE), readOnly, "keep")::plan);
        assertRefused(
                StoreException.class,
                "there is no array or group at source#nowhere",
                () -> Rechunker.from(holding("a", CUBE).at("nowhere"))
                        .to(new MemoryStore())
                        .chunks("keep")
                        .maxMem("1MB")
                        .plan());
    }

    @Test
    void arrayWithoutRuleIsRefused() throws IOException {
        MemoryStore source = holding("ssh", CUBE);
        Data.of(CUBE).write(source, "sst");
        assertRefused(
                IllegalArgumentException.class,
                "no rule says how to chunk source#sst; add one, or orElseKeep()",
                () -> Rechunker.from(source)
                        .to(new MemoryStore())
                        .chunks(ChunkRule.named("ssh", "keep"))
                        .maxMem("1MB")
                        .plan());
    }

    @Test
    void planIsRefusedIfArrayHasChanged() throws Exception {
        MemoryStore source = holding(CUBE);
        MemoryStore target = chunked("target");
        Plan plan = job(source, target, "keep").plan();
        source.create("", spec(Shape.of(7), Shape.of(3)), true).close();
        Data.of(spec(Shape.of(7), Shape.of(3))).write(source, "");
        assertSays(StoreException.class, "source has changed since the plan was made: it was ", plan::execute);
        assertTrue(target.node("").isEmpty());
    }

    @Test
    void optionsReturnNewJobs() throws Exception {
        MemoryStore target = chunked("target");
        Rechunker.Job job = job(holding(CUBE), target, "30,1,1");
        Rechunker.Job replacing = job.overwrite();
        job.execute();
        assertSays(StoreException.class, "exists", job::execute);
        replacing.execute();
    }

    // ------------------------------------------------------------------ forms of chunks

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8, 7, 3|8 7 3",
                "-1, 1, -1|30 1 10",
                "keep|5 20 10",
                "keep, 2, KEEP|5 2 10",
                "-1|30 20 10",
                "auto|30 20 10",
                "time=-1, lat=4|30 4 10",
                " lon = 2 , ...=3|3 3 2",
                "...=-1|30 20 10",
                "time=2|2 20 10",
                "100, 100, 100|100 100 100",
                "-1, 120B, 120B|30 1 2",
                "lat=240B, time=240B, lon=1|15 7 1",
                "1 kB|6 7 5",
                "1, 20, 100B|1 20 2"
            })
    void chunksAreUnderstood(String text, String chunks) {
        Shape expected = Shape.of(
                Arrays.stream(chunks.split(" ")).mapToLong(Long::parseLong).toArray());
        Shape chosen = ChunkRule.parse(text).chunks("", CUBE).orElseThrow().chunkShape();
        if (text.contains("kB") || text.contains("B,")) {
            long most = text.contains("kB") ? 1000 : text.contains("240B") ? 240 : 120;
            assertTrue(chosen.elements() * 2 <= most, () -> chosen + " takes more than " + text);
            assertTrue(chosen.elements() * 2 * 3 >= most, () -> chosen + " takes far less than " + text);
        } else {
            assertEquals(expected, chosen);
        }
    }

    @Test
    void chunksDoNotExceedTheirSize() {
        ArraySpec large = spec(Shape.of(350_640, 721, 1440), Shape.of(31, 721, 1440), "time", "lat", "lon");
        Shape auto = ChunkRule.parse("auto").chunks("", large).orElseThrow().chunkShape();
        assertTrue(auto.elements() * 2 <= ChunkRule.autoSize().bytes(), auto::toString);
        assertTrue(auto.elements() * 2 > ChunkRule.autoSize().bytes() / 2, auto::toString);
        Shape series = ChunkRule.parse("time=-1, ...=100MB")
                .chunks("", large)
                .orElseThrow()
                .chunkShape();
        assertEquals(350_640, series.extent(0));
        assertTrue(series.elements() * 2 <= 100_000_000L && series.elements() * 2 > 50_000_000L, series::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"399B, -1, -1|1 20 10", "time=100B, ...=-1|1 20 10", "19B, 19B, -1|1 1 10", "1B|1 1 1"})
    void tooLargeExtentsAreCombinedWithOneElementOfOtherAxes(String text, String chunks) {
        Shape expected = Shape.of(
                Arrays.stream(chunks.split(" ")).mapToLong(Long::parseLong).toArray());
        assertEquals(
                expected, ChunkRule.parse(text).chunks("", CUBE).orElseThrow().chunkShape());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ssh|ssh|true",
                "ssh|a/ssh|true",
                "ssh|assh|false",
                "ssh|ssh/x|false",
                "ss*|a/sst|true",
                "*|a/b/c|true",
                "a/*|a/b|true",
                "a/*|x/a/b|false",
                "a/*|a/b/c|false",
                "s.h|ssh|false",
                "*/0|image/0|true",
                "*/0|0|false",
                "*/0|a/image/0|false",
                "**/0|0|true",
                "**/0|a/image/0|true",
                "**/0|a/image/10|false",
                "**/temperature|a/b/temperature|true",
                "**/temperature|temperature|true",
                "**/temperature|a/xtemperature|false",
                "a/**|a/b/c|true",
                "a/**|ab/c|false",
                "a/**/0|a/0|true",
                "a/**/0|a/b/c/0|true",
                "labels/**/s*|labels/cells/s3|true",
                "labels/**/s*|labels/cells/s3/x|false",
                "a\\E/b|a/b|false",
                "*s*|mass|true",
                "/ssh|ssh|true",
                "/ssh|a/ssh|false",
                "/a/*|a/b|true",
                "/**/0|a/b/0|true"
            })
    void rulesAreForNames(String pattern, String path, boolean matches) {
        assertEquals(
                matches, ChunkRule.named(pattern, "keep").chunks(path, CUBE).isPresent());
    }

    @Test
    void firstMatchingRuleIsUsed() {
        ChunkRule rule = ChunkRule.named("a", "1,1,1").orElse(ChunkRule.named("*", "2,2,2"));
        assertEquals(Shape.of(1, 1, 1), rule.chunks("a", CUBE).orElseThrow().chunkShape());
        assertEquals(Shape.of(2, 2, 2), rule.chunks("b", CUBE).orElseThrow().chunkShape());
        assertEquals(
                Shape.of(5, 20, 10),
                ChunkRule.named("a", "1,1,1")
                        .orElseKeep()
                        .chunks("b", CUBE)
                        .orElseThrow()
                        .chunkShape());
    }

    // ------------------------------------------------------------------ what is kept

    @Test
    void groupIsCopiedWithItsAttributes() throws Exception {
        MemoryStore source = holding(
                "deep/ssh",
                CUBE.toBuilder()
                        .attributes(Map.of("units", "m", "nested", List.of(1, 2)))
                        .codecs(CodecSpec.parse("zstd"))
                        .build());
        Data.of(CUBE).write(source, "sst");
        source.writeGroup("", Map.of("title", "sea"));
        source.writeGroup("deep", Map.of("level", 3));
        source.writeGroup("empty", Map.of("nothing", true));
        MemoryStore target = chunked("target");

        Plan plan = Rechunker.from(source)
                .to(target.at("copy"))
                .chunks(ChunkRule.named("ssh", "time=-1, ...=2").orElseKeep())
                .maxMem("1MB")
                .plan();
        plan.execute();

        assertEquals(2, plan.arrays().size());
        assertArrayEquals(source.elements("deep/ssh"), target.elements("copy/deep/ssh"));
        assertArrayEquals(source.elements("sst"), target.elements("copy/sst"));
        for (String path : List.of("", "/deep", "/empty")) {
            assertEquals(
                    source.node(path.isEmpty() ? "" : path.substring(1)), target.node("copy" + path), "group " + path);
        }
        ArraySpec before = specOf(source, "deep/ssh");
        ArraySpec after = specOf(target, "copy/deep/ssh");
        assertEquals(before.toBuilder().chunks(after.chunks()).build(), after);
        assertEquals(Shape.of(30, 2, 2), after.chunks().chunkShape());
        assertEquals(CUBE, specOf(target, "copy/sst"));
        plan.execute();
        assertArrayEquals(source.elements("deep/ssh"), target.elements("copy/deep/ssh"));
    }

    private static ArraySpec specOf(ChunkStore store, String path) throws IOException {
        return ((ChunkStore.ArrayNode) store.node(path).orElseThrow()).spec();
    }

    @Test
    void shardsAreKeptEnlargedOrLeftOut() throws Exception {
        ArraySpec sharded = CUBE.toBuilder()
                .shards(ChunkGrid.regular(CUBE.shape(), Shape.of(10, 20, 10)))
                .build();
        MemoryStore source = holding(sharded);
        assertEquals(Shape.of(10, 20, 10), shards(source, "5, 5, 5", null));
        assertEquals(Shape.of(12, 21, 12), shards(source, "4, 7, 6", null));
        assertEquals(Shape.of(30, 20, 10), shards(source, "30, 1, 1", null));
        assertEquals(Shape.of(), shards(source, "4, 7, 6", "none"));
        assertEquals(Shape.of(8, 14, 6), shards(source, "4, 7, 6", "8, 14, 6"));
        assertEquals(Shape.of(32, 21, 12), shards(source, "4, 7, 6", "-1"));
        assertEquals(Shape.of(Long.MAX_VALUE, 21, 12), shards(source, "7, 7, 6", Long.MAX_VALUE + ", 21, 12"));
        assertEquals(Shape.of(), shards(holding(CUBE), "5, 5, 5", null));
        assertEquals(Shape.of(12, 14, 6), shards(source, "4, 7, 6", "10, 14, 6"));
    }

    /** {@return the shards of the copy, of rank 0 if there are none} */
    private static Shape shards(ChunkStore source, String chunks, @org.jspecify.annotations.Nullable String shards)
            throws Exception {
        MemoryStore target = chunked("target");
        Rechunker.Job job = job(source, target, chunks);
        (shards == null ? job : job.shards(shards)).execute();
        assertArrayEquals(Data.of(CUBE).elements(), target.elements(""));
        return specOf(target, "").shards().map(ChunkGrid::chunkShape).orElse(Shape.of());
    }

    @Test
    void codecsAreKeptUnlessOthersAreGiven() throws Exception {
        List<CodecSpec> codecs = List.of(
                CodecSpec.of("transpose").with("order", List.of(1, 0, 2)),
                CodecSpec.of("zstd").with("level", 3));
        MemoryStore source = holding(CUBE.toBuilder().codecs(codecs).build());
        MemoryStore kept = chunked("kept");
        job(source, kept, "30, 1, 1").execute();
        assertEquals(codecs, specOf(kept, "").codecs());
        MemoryStore changed = chunked("changed");
        job(source, changed, "30, 1, 1").codec(List.of(CodecSpec.of("gzip"))).execute();
        assertEquals(
                List.of(codecs.get(0), CodecSpec.of("gzip")),
                specOf(changed, "").codecs());
    }

    @Test
    void formatIsPassedToTheTarget() throws Exception {
        ArraySpec target = job(holding(CUBE), new MemoryStore(), "keep")
                .format("zarr3")
                .plan()
                .arrays()
                .get(0)
                .target();
        assertEquals("zarr3", target.hints().get(ArraySpec.FORMAT_HINT));
    }

    /** A store that writes elements in big-endian order. */
    private static final class BigEndianStore extends ForwardingStore {
        BigEndianStore(ChunkStore delegate) {
            super(delegate);
        }

        @Override
        public ArraySpec resolve(ArraySpec wanted) throws StoreException {
            boolean same = wanted.byteOrder().equals(ByteOrder.BIG_ENDIAN);
            return super.resolve(wanted.toBuilder()
                    .byteOrder(ByteOrder.BIG_ENDIAN)
                    .fillValue(
                            same
                                    ? wanted.fillValue()
                                    : wanted.fillValue()
                                            .swapped(wanted.dataType().wordSize()))
                    .build());
        }
    }

    @Test
    void byteOrderOfTargetIsUsed() throws Exception {
        for (DataType type : List.of(
                DataType.UINT8,
                DataType.INT16,
                DataType.FLOAT32,
                DataType.FLOAT64,
                DataType.COMPLEX64,
                DataType.COMPLEX128,
                DataType.bytes(3))) {
            byte[] fill = new byte[type.itemSize()];
            fill[0] = 7;
            ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(9, 8), Shape.of(2, 8)), type)
                    .fillValue(FillValue.of(fill))
                    .build();
            for (String chunks : List.of("9, 3", "keep", "4, 8")) {
                for (Granularity granularity : List.of(Granularity.CHUNK, Granularity.BYTES)) {
                    assertSwapped(spec, granularity, chunks, "1MB");
                }
            }
        }
    }

    /** With the least maxMem there are no buffers for reading except the units, in which words are reversed. */
    @Test
    void bytesAreSwappedWithinTheLeastMaxMem() throws Exception {
        for (DataType type : List.of(DataType.UINT8, DataType.INT16, DataType.COMPLEX64, DataType.FLOAT64)) {
            ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(9, 8), Shape.of(2, 8)), type)
                    .build();
            for (long columns : List.of(3, 4, 8)) {
                long least = 9 * columns * type.itemSize();
                assertSwapped(spec, Granularity.BYTES, "9, " + columns, least + "B");
            }
        }
    }

    private static void assertSwapped(ArraySpec spec, Granularity granularity, String chunks, String maxMem)
            throws Exception {
        MemoryStore source = MemoryStore.builder().granularity(granularity).build();
        // The second chunk is missing.
        Data.of(spec).write(source, "", ordinal -> ordinal != 1);
        MemoryStore target = chunked("target");
        Rechunker.from(source)
                .to(new BigEndianStore(target))
                .chunks(chunks)
                .maxMem(maxMem)
                .noSpill()
                .executor(new SerialExecutor())
                .execute();
        byte[] expected = source.elements("");
        int word = spec.dataType().wordSize();
        for (int at = 0; at < expected.length; at += word) {
            for (int i = 0; i < word / 2; i++) {
                byte b = expected[at + i];
                expected[at + i] = expected[at + word - 1 - i];
                expected[at + word - 1 - i] = b;
            }
        }
        assertArrayEquals(expected, target.elements(""), spec.dataType() + " in " + chunks);
    }

    // ------------------------------------------------------------------ unusual arrays

    @Test
    void emptyAndScalarArraysAreCopied() throws Exception {
        assertCopied(spec(Shape.of(), Shape.of()), "");
        assertCopied(spec(Shape.of(), Shape.of()), "keep");
        assertCopied(spec(Shape.of(0), Shape.of(3)), "7");
        assertCopied(spec(Shape.of(4, 0, 3), Shape.of(2, 1, 3)), "-1");
        assertCopied(spec(Shape.of(4, 0, 3), Shape.of(2, 1, 3)), "auto");
        assertCopied(spec(Shape.of(5), Shape.of(100)), "3");
        assertCopied(spec(Shape.of(5, 7), Shape.of(2, 9)), "50, 70");
        assertCopied(spec(Shape.of(1, 1, 1, 1, 1, 1, 1), Shape.of(1, 1, 1, 1, 1, 1, 1)), "2,2,2,2,2,2,2");
    }

    private static void assertCopied(ArraySpec spec, String chunks) throws Exception {
        Data data = Data.of(spec, 1); // whose first element is not zero
        MemoryStore source = chunked("source");
        data.write(source, "");
        MemoryStore target = chunked("target");
        Report report = job(source, target, chunks).execute();
        assertArrayEquals(data.elements(), target.elements(""), spec + " to " + chunks);
        assertEquals(
                ChunkRule.parse(chunks).chunks("", spec).orElseThrow(),
                specOf(target, "").chunks());
        assertEquals(spec.bytes(), report.bytesRead());
    }

    // ------------------------------------------------------------------ empty units

    @Test
    void missingChunksAndUnitsOfFillValuesAreNotWritten() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(8, 8), Shape.of(1, 8)), DataType.UINT8)
                .fillValue(FillValue.of((byte) 9))
                .build();
        // Rows 0 to 3 have data except row 2, which has only fill values; rows 4 to 7 were never written.
        Data data = Data.of(spec, (position, element) -> element[0] = position / 8 == 2 ? 9 : (byte) (position + 100));
        MemoryStore source = chunked("source");
        data.write(source, "", ordinal -> ordinal < 4);
        for (boolean all : new boolean[] {false, true}) {
            MemoryStore memory = chunked("target");
            CountingStore target = new CountingStore(memory);
            Rechunker.Job job = job(source, target, "2, 4").executor(new SerialExecutor());
            Report report = (all ? job.writeEmptyChunks() : job).execute();
            assertArrayEquals(source.elements(""), memory.elements(""));
            assertEquals(all ? 8 : 4, target.writes());
            assertEquals(all ? 8 : 4, report.unitsWritten());
            assertEquals(all ? 0 : 4, report.unitsEmpty());
            MemoryStore rows = chunked("rows");
            CountingStore counting = new CountingStore(rows);
            Rechunker.Job byRow = job(source, counting, "1, 4");
            (all ? byRow.writeEmptyChunks() : byRow).execute();
            assertEquals(all ? 16 : 6, counting.writes());
            CountingStore same = new CountingStore(chunked("same"));
            Rechunker.Job asTheyAre = job(source, same, "1, 8");
            report = (all ? asTheyAre.writeEmptyChunks() : asTheyAre).execute();
            assertEquals(all ? 8 : 4, report.unitsWritten());
        }
    }

    @Test
    void chunksOfSizeAreChosenForLongestAxes() throws Exception {
        for (Shape shape : List.of(Shape.of(Long.MAX_VALUE), Shape.of(Long.MAX_VALUE, 0))) {
            Shape ones = shape.rank() == 1 ? Shape.of(1) : Shape.of(1, 1);
            ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, ones), DataType.UINT8)
                    .build();
            Shape chunk = ChunkRule.parse("auto").chunks("", spec).orElseThrow().chunkShape();
            assertTrue(chunk.elements() > 0 && chunk.elements() <= 16 << 20, chunk::toString);
        }
    }

    // ------------------------------------------------------------------ stores with fewer capabilities

    @Test
    void unitsAreWrittenOneAtATimeIfStoreRequiresIt() throws Exception {
        MemoryStore memory = chunked("target");
        AtomicInteger writing = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ChunkStore target = new ForwardingStore(memory) {
            @Override
            public Capabilities capabilities() {
                return Capabilities.ofHierarchy().withWritable(true).withAtomicPublish(true);
            }

            @Override
            public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
                return new ForwardingStore.Writer(super.create(path, spec, overwrite)) {
                    @Override
                    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                        most.accumulateAndGet(writing.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(100_000);
                        super.write(unit, data, scratch);
                        writing.decrementAndGet();
                    }
                };
            }
        };
        job(holding(CUBE), target, "3, 7, 3").executor(new ForkJoinExecutor(4)).execute();
        assertArrayEquals(Data.of(CUBE).elements(), memory.elements(""));
        assertEquals(1, most.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {-8, 8})
    void readerThatDeliversTooLittleOrTooMuchFailsTheRun(int more) throws Exception {
        MemoryStore memory =
                MemoryStore.builder().granularity(Granularity.STREAM).build();
        Data.of(CUBE).write(memory, "");
        ChunkStore source = new ForwardingStore(memory) {
            @Override
            public ArrayReader openReader(String path) throws IOException {
                return new ForwardingStore.Reader(super.openReader(path)) {
                    @Override
                    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
                        ByteBuffer all = ByteBuffer.allocate((int) CUBE.bytes() + 8);
                        super.stream(region, all::put, scratch);
                        all.position(all.position() + more).flip();
                        sink.accept(all);
                        return true;
                    }
                };
            }
        };
        MemoryStore target = chunked("target");
        TaskFailedException e = assertThrows(
                TaskFailedException.class,
                () -> job(source, target, "3, 7, 3").retries(0).execute());
        assertTrue(String.valueOf(e.getMessage()).contains("the reader has passed"), e::getMessage);
        assertTrue(target.node("").isEmpty());
    }

    @Test
    void interruptWhilePlanningIsReported() throws Exception {
        ChunkStore source = new ForwardingStore(holding(CUBE)) {
            @Override
            public Optional<Node> node(String path) throws IOException {
                if (Thread.currentThread().isInterrupted()) {
                    throw new ClosedByInterruptException(); // as channels of files do
                }
                return super.node(path);
            }
        };
        Rechunker.Job job = job(source, chunked("target"), "3, 7, 3");
        Thread.currentThread().interrupt();
        InterruptedIOException planning = assertThrows(InterruptedIOException.class, job::plan);
        assertEquals("interrupted while planning", planning.getMessage());
        assertThrows(InterruptedException.class, job::execute);
        assertFalse(Thread.interrupted());
        job.execute();
    }

    @Test
    void nullOptionsAreRefused() throws IOException {
        Rechunker.To to = Rechunker.from(holding(CUBE)).to(chunked("target"));
        Rechunker.Job job = to.chunks("keep").maxMem("1MB");
        assertNothing("listener", () -> job.onProgress(nothing()));
        assertNothing("executor", () -> job.executor(nothing()));
        assertNothing("model", () -> job.costModel(nothing()));
        assertNothing("what", () -> job.onCorrupt(nothing()));
        assertNothing("rule", () -> to.chunks(RechunkerTest.<ChunkRule>nothing()));
        assertNothing("size", () -> to.chunks("keep").maxMem(RechunkerTest.<ByteSize>nothing()));
        assertNothing("target", () -> Rechunker.from(holding(CUBE)).to(RechunkerTest.<StoreLocation>nothing()));
        assertNothing("source", () -> Rechunker.from(RechunkerTest.<StoreLocation>nothing()));
    }

    private static void assertNothing(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // callers without NullAway can pass null
    private static <T> T nothing() {
        return (T) null;
    }

    // ------------------------------------------------------------------ reports and progress

    @Test
    void reportHasCountsOfTheRun() throws Exception {
        CountingStore source = new CountingStore(holding(CUBE));
        CountingStore target = new CountingStore(chunked("target"));
        Plan plan = job(source, target, "30, 7, 3").plan();
        Report report = plan.execute();
        assertEquals(CUBE.bytes(), report.bytesRead());
        assertEquals(CUBE.bytes(), report.bytesWritten());
        assertEquals(source.reads(), report.sourceChunkReads());
        assertEquals(6, report.sourceChunkReads());
        assertEquals(target.writes(), report.unitsWritten());
        assertEquals(12, report.unitsWritten());
        assertEquals(0, report.unitsEmpty());
        assertEquals(0, report.spillPeakBytes());
        assertEquals(plan.tasks(), report.tasks());
        assertEquals(plan.projectedMemory().bytes(), report.projectedMemory());
        assertTrue(report.measuredMemory() > 0 && report.measuredMemory() <= report.projectedMemory());
        assertFalse(report.elapsed().isNegative());
        assertTrue(plan.explain().contains("strategy Window"), plan.explain());
        assertTrue(plan.explain().startsWith("copy source to target\n"), plan.explain());
    }

    @Test
    void progressReachesTheEnd() throws Exception {
        FaultyStore source = new FaultyStore(holding(CUBE)).slow(Operation.READ, Duration.ofMillis(60));
        List<Progress> events = new CopyOnWriteArrayList<>();
        List<Progress> last = new ArrayList<>();
        Plan plan = Rechunker.from(source)
                .to(chunked("target"))
                .chunks(30, 7, 3)
                .maxMem("1MB")
                .threads(2)
                .onProgress(event -> {
                    events.add(event);
                    last.clear();
                    last.add(event);
                })
                .plan();
        plan.execute();
        assertTrue(events.size() >= 2, "events: " + events);
        for (int i = 1; i < events.size(); i++) {
            Progress before = events.get(i - 1);
            Progress after = events.get(i);
            assertTrue(after.fraction() >= before.fraction(), () -> before + " then " + after);
            assertTrue(after.bytesMoved() >= before.bytesMoved(), () -> before + " then " + after);
            assertTrue(after.tasksDone() >= before.tasksDone(), () -> before + " then " + after);
            assertTrue(after.elapsed().compareTo(before.elapsed()) >= 0, () -> before + " then " + after);
            assertNotEquals(before, after);
        }
        Progress end = last.get(0);
        assertEquals(1.0, end.fraction());
        assertEquals(end.tasks(), end.tasksDone());
        assertEquals(plan.tasks(), end.tasks());
        assertEquals(2 * CUBE.bytes(), end.bytesMoved());
        assertEquals(end.bytesToMove(), end.bytesMoved());
        assertEquals(Duration.ZERO, end.remaining());
        assertEquals(0, end.memoryHeld());
        assertTrue(end.ended());
        assertEquals(plan.maxMem().bytes(), end.maxMem());
        assertEquals(1, events.stream().filter(Progress::ended).count());
    }

    /** The contents of pictures are tested in the package that draws them. */
    @Test
    void planIsDrawn() throws Exception {
        Plan plan = job(holding(CUBE), chunked("target"), "30, 7, 3").plan();
        String svg = plan.toSvg();
        assertTrue(svg.startsWith("<svg ") && svg.contains(">source to target</text>"), svg);
        assertTrue(svg.contains(">time 30</text>") && svg.contains(">6 chunks of 2 kB</text>"), svg);
        String before = plan.toHtml();
        assertTrue(before.contains("<h1>source to target</h1>") && before.contains("<figure"), before);
        String page = plan.toHtml(plan.execute());
        assertTrue(page.startsWith(before.substring(0, before.indexOf("</figure>"))), "the page shows the picture");
        assertTrue(page.contains("throughput"), "the page shows the run");
    }

    @Test
    void arrayExistsOnceItIsComplete() throws Exception {
        MemoryStore source = holding("a", CUBE);
        Data.of(CUBE, 1).write(source, "b");
        FaultyStore target = new FaultyStore(chunked("target")).failOnce(Operation.COMMIT, 2);
        Plan plan = job(source, target, "30, 7, 3").retries(0).plan();
        assertSays(IOException.class, "told to fail COMMIT 2", plan::execute);
        assertTrue(target.node("a").isPresent());
        assertTrue(target.node("b").isEmpty());
        plan.execute();
        try (var reader = target.openReader("b")) {
            Data.of(CUBE, 1)
                    .assertSame(Region.whole(CUBE.shape()), Data.of(CUBE, 1).elements(), Data.readAll(reader));
        }
    }
}
