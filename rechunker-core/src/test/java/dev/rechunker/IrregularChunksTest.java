package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunks of different sizes along an axis: how they are stated, kept, and shown. */
class IrregularChunksTest {
    private static final Partition TIME = Partition.ofSizes(31, 28, 31, 30);
    private static final ArraySpec REGULAR = spec(Partition.regular(120, 40), Partition.regular(6, 4), Map.of());
    private static final ArraySpec IRREGULAR = spec(TIME, Partition.regular(6, 4), Map.of());
    private static final ArraySpec STORED =
            spec(TIME, Partition.regular(6, 4), Map.of(ArraySpec.IRREGULAR_HINT, "rectilinear"));

    private static ArraySpec spec(Partition time, Partition x, Map<String, String> hints) {
        return ArraySpec.builder(ChunkGrid.of(List.of(time, x)), DataType.INT16)
                .dimensionNames(List.of("time", "x"))
                .hints(hints)
                .build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[31,28,31,30], 4|[31,28,31,30]|4",
                "time=[31, 28 , 61], x=-1|[31,28,61]|6",
                "time=[30x4]|30|4",
                "time=[1x3,117]|[1x3,117]|4",
                "time=[100,40]|[100,40]|4",
                "time=[50,70], x=40B|[50,70]|1",
                "time=[keep], ...=1|40|1"
            })
    void listsOfSizesAreUnderstood(String text, String time, String x) {
        ChunkGrid chunks = ChunkRule.parse(text).chunks("", REGULAR).orElseThrow();
        assertEquals(
                List.of(time, x), chunks.axes().stream().map(Partition::text).toList());
    }

    @Test
    void listsThatDoNotFitAreRefused() {
        assertSays(
                "chunks of axis 0 are 119 elements in all, but the axis has 120",
                () -> ChunkRule.parse("[31,28,31,29],4").chunks("", REGULAR));
        assertSays(
                "chunks of axis 0 are 150 elements in all, but the axis has 120",
                () -> ChunkRule.parse("[31,28,31,30x2],4").chunks("", REGULAR));
        assertSays(
                "at most 16777216 can be listed",
                () -> ChunkRule.parse("[2,1x18000000],4")
                        .chunks("", spec(Partition.regular(18_000_002, 5), Partition.regular(6, 4), Map.of())));
    }

    @Test
    void storedIrregularChunksAreKept() {
        ChunkRule keep = ChunkRule.keep();
        assertEquals(TIME, keep.chunks("", STORED).orElseThrow().axis(0));
        assertEquals(
                TIME, ChunkRule.parse("x=2").chunks("", STORED).orElseThrow().axis(0));
        assertEquals(
                Partition.regular(120, 31),
                keep.chunks("", IRREGULAR).orElseThrow().axis(0));
        assertEquals(
                TIME,
                ChunkRule.parse("[keep]").chunks("", IRREGULAR).orElseThrow().axis(0));
    }

    @Test
    void aCopyIsInTheListedChunks() throws Exception {
        Data data = Data.of(REGULAR);
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(source, "a");
        MemoryStore target = new MemoryStore();
        Plan plan = Rechunker.from(source)
                .to(target)
                .chunks("time=[31,28,31,30]")
                .maxMem("1MB")
                .verify()
                .plan();
        assertTrue(plan.explain().contains("([31,28,31,30], 4)"), plan::explain);
        plan.execute();
        assertArrayEquals(data.elements(), target.elements("a"));
        assertEquals(
                IRREGULAR.chunks(),
                ((ChunkStore.ArrayNode) target.node("a").orElseThrow()).spec().chunks());
    }

    @Test
    void shardsCanBeIrregular() throws Exception {
        Data data = Data.of(REGULAR);
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(source, "");
        MemoryStore target = new MemoryStore();
        Rechunker.Job job = Rechunker.from(source).to(target).chunks("10,3").maxMem("1MB");
        job.shards("time=[30,90], x=6").execute();
        assertArrayEquals(data.elements(), target.elements(""));
        ArraySpec stored = ((ChunkStore.ArrayNode) target.node("").orElseThrow()).spec();
        assertEquals("([30,90], 6)", stored.shards().orElseThrow().chunkText());
        assertSays(
                "shards of axis 0 have a size of 31, which is not a whole number of chunks of 10",
                () -> job.shards("time=[31,89]").overwrite().plan());
        assertSays(
                "shards consist of regular chunks, but chunks of ([100,20], 4) were requested",
                () -> Rechunker.from(source)
                        .to(new MemoryStore())
                        .chunks("time=[100,20]")
                        .maxMem("1MB")
                        .shards("120,6")
                        .plan());
    }

    @Test
    void aRuleMustCutTheArray() throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        Data.of(REGULAR).write(source, "");
        ChunkRule other = (path, spec) -> Optional.of(ChunkGrid.regular(Shape.of(120, 7), Shape.of(5, 5)));
        assertSays(
                "but the array is of (120, 6)",
                () -> Rechunker.from(source)
                        .to(new MemoryStore())
                        .chunks(other)
                        .maxMem("1MB")
                        .plan());
    }

    private static void assertSays(String part, Executable action) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, action).getMessage());
        assertTrue(message.contains(part), message);
    }
}
