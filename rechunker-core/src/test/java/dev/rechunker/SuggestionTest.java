package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Prices;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private static ArraySpec array(Shape shape, Shape chunks, String... names) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.FLOAT32)
                .dimensionNames(List.of(names))
                .build();
    }

    private static final ArraySpec DUACS =
            array(Shape.of(8901, 720, 1440), Shape.of(5, 720, 1440), "time", "lat", "lon");

    @Test
    void candidatesArePresentChunksAndBetterOnes() {
        ArraySpec spec = array(Shape.of(600, 180, 360), Shape.of(1, 180, 360), "t", "y", "x");
        // snippet: suggest
        List<Suggestion.Candidate> candidates = Suggestion.of(spec)
                .read("t=-1")
                .read("y=-1, x=-1 @0.5")
                .costModel(CostModel.OBJECT_STORE)
                .candidates();
        // end snippet
        assertTrue(candidates.get(0).isPresent());
        assertEquals(spec.chunks(), candidates.get(0).chunks());
        assertTrue(candidates.get(0).conversion().isEmpty());
        assertTrue(candidates.size() > 2);
        for (int i = 2; i < candidates.size(); i++) {
            assertTrue(candidates.get(i).slowdown() >= candidates.get(i - 1).slowdown());
            assertFalse(candidates.get(i).isPresent());
        }
    }

    @Test
    void seriesOfMapsGetChunksOfWholeSeries() {
        Suggestion suggestion = Suggestion.of(DUACS).read("time=-1").costModel(CostModel.OBJECT_STORE);
        ChunkGrid best = suggestion.best();
        assertEquals(8901, best.chunkShape().extent(0));
        Shape authors = Shape.of(8901, 72, 72); // the chunks of the announcement of the Python package rechunker
        ArraySpec converted = array(DUACS.shape(), authors, "time", "lat", "lon");
        double theirs = Suggestion.of(converted)
                .read("time=-1")
                .costModel(CostModel.OBJECT_STORE)
                .candidates()
                .get(0)
                .reads()
                .get(0)
                .seconds();
        double ours = suggestion.candidates().get(1).reads().get(0).seconds();
        assertTrue(ours <= theirs, ours + " and " + theirs);
    }

    /** An array with the chunks that its authors chose, and how it is read. */
    private record Story(Shape shape, Shape authors, DataType type, CostModel model, List<String> ways) {}

    @Test
    void suggestionsAreAtLeastAsGoodAsTheChunksOfAuthors() {
        List<Story> stories = List.of(
                new Story(
                        DUACS.shape(),
                        Shape.of(8901, 72, 72),
                        DataType.FLOAT32,
                        CostModel.OBJECT_STORE,
                        List.of("-1, 1, 1")),
                new Story(
                        Shape.of(512, 704, 2008),
                        Shape.of(16, 128, 128),
                        DataType.UINT16,
                        CostModel.SSD,
                        List.of("1, 512, 512", "64, 64, 64")),
                new Story(
                        Shape.of(701_792, 765, 2),
                        Shape.of(6553, 200, 2),
                        DataType.INT8,
                        CostModel.SSD,
                        List.of("10000, -1, -1", "-1, 10, -1")),
                new Story(
                        Shape.of(2000, 2048, 2000),
                        Shape.of(256, 256, 256),
                        DataType.UINT16,
                        CostModel.OBJECT_STORE,
                        List.of("1, -1, -1", "-1, 1, -1", "-1, -1, 1")));
        for (Story story : stories) {
            ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(story.shape(), story.authors()), story.type())
                    .build();
            Suggestion suggestion = Suggestion.of(spec).costModel(story.model()).threads(8);
            for (String way : story.ways()) {
                suggestion = suggestion.read(way);
            }
            if (story.authors().elements() * story.type().itemSize() < 1_000_000) {
                suggestion = suggestion.chunkSize(ByteSize.parse("256KiB"), ByteSize.parse("100MB"));
            }
            double theirs = suggestion.candidates().get(0).slowdown();
            double ours = suggestion.candidates().get(1).slowdown();
            assertTrue(ours <= theirs, story + ": " + ours + " and " + theirs);
        }
    }

    @Test
    void weightsDecideBetweenWays() {
        double series = extent(0, "time=-1", "lat=-1, lon=-1 @0.01");
        double maps = extent(0, "time=-1 @0.01", "lat=-1, lon=-1");
        assertTrue(series > 4 * maps, series + " and " + maps);
    }

    private static long extent(int axis, String... ways) {
        Suggestion suggestion = Suggestion.of(DUACS);
        for (String way : ways) {
            suggestion = suggestion.read(way);
        }
        return suggestion.best().chunkShape().extent(axis);
    }

    @Test
    void shardsAreWholeChunksOfAtMostTheSize() {
        Suggestion suggestion =
                Suggestion.of(DUACS).read("time=-1").read("lat=-1, lon=-1").shards(ByteSize.of(100_000_000));
        for (Suggestion.Candidate candidate : suggestion.candidates()) {
            if (!candidate.isPresent()) {
                Shape chunk = candidate.chunks().chunkShape();
                Shape shard = candidate.shards().orElseThrow().chunkShape();
                assertTrue(4 * shard.elements() <= 100_000_000, candidate::text);
                for (int axis = 0; axis < 3; axis++) {
                    assertEquals(0, shard.extent(axis) % chunk.extent(axis));
                }
                assertTrue(4 * chunk.elements() <= 4 << 20, candidate::text);
            }
        }
    }

    @Test
    void aLimitThatIsTooSmallLeavesTheConversionOut() {
        List<Suggestion.Candidate> candidates = Suggestion.of(DUACS)
                .read("time=-1")
                .maxMem(ByteSize.of(100_000))
                .candidates();
        assertTrue(
                candidates.stream().allMatch(candidate -> candidate.conversion().isEmpty()));
    }

    @Test
    void thePriceIsThatOfRequestsAndTime() {
        List<Suggestion.Candidate> candidates = Suggestion.of(DUACS)
                .read("time=-1")
                .prices(Prices.AWS)
                .costModel(CostModel.OBJECT_STORE)
                .candidates();
        assertTrue(candidates.get(0).price().isEmpty());
        Suggestion.Candidate best = candidates.get(1);
        PlannedCopy conversion = best.conversion().orElseThrow();
        double expected = conversion.requests().sourceReads() * 0.4e-6
                + best.units() * 5e-6
                + conversion.cost().seconds() / 3600 * 0.192;
        assertEquals(expected, best.price().orElseThrow(), 1e-9);
    }

    @Test
    void badRequestsAreRefused() {
        Suggestion suggestion = Suggestion.of(DUACS);
        assertThrows(IllegalArgumentException.class, suggestion::candidates);
        assertThrows(IllegalArgumentException.class, () -> suggestion.read("depth=1"));
        assertThrows(IllegalArgumentException.class, () -> suggestion.storedShare(0));
        assertThrows(IllegalArgumentException.class, () -> suggestion.chunkSize(ByteSize.of(2), ByteSize.of(1L << 31)));
        Suggestion empty =
                Suggestion.of(array(Shape.of(0, 5), Shape.of(1, 5), "a", "b")).read("b=-1");
        assertThrows(IllegalArgumentException.class, empty::candidates);
    }

    @Test
    void theRuleGivesEachArrayTheWaysWhoseAxesItHas() {
        ChunkRule rule = ChunkRule.parse(" suggested: time=-1; lat=-1, lon=-1");
        assertEquals(
                Optional.of(Suggestion.of(DUACS)
                        .read("time=-1")
                        .read("lat=-1, lon=-1")
                        .best()),
                rule.chunks("sla", DUACS));
        ArraySpec mask = array(Shape.of(720, 1440), Shape.of(72, 72), "y", "x");
        assertEquals(Optional.of(mask.chunks()), rule.chunks("mask", mask));
        ArraySpec time = array(Shape.of(8901), Shape.of(1), "time");
        assertEquals(Optional.of(ChunkGrid.regular(time.shape(), Shape.of(8901))), rule.chunks("time", time));
        assertEquals(Set.of("lat", "lon"), rule.unknownAxes(Map.of("time", time)));
        ArraySpec empty = array(Shape.of(0, 5), Shape.of(1, 5), "time", "b");
        assertEquals(Optional.of(empty.chunks()), rule.chunks("empty", empty));
        assertThrows(IllegalArgumentException.class, () -> rule.chunks("", mask));
        ChunkRule remote = ChunkRule.parse("suggested: object-store: time=-1");
        assertEquals(
                Optional.of(Suggestion.of(DUACS)
                        .read("time=-1")
                        .costModel(CostModel.OBJECT_STORE)
                        .best()),
                remote.chunks("sla", DUACS));
        assertThrows(IllegalArgumentException.class, () -> ChunkRule.parse("suggested: tape: time=-1"));
    }
}
