package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ArrayPlan.PlannedLevel;
import dev.rechunker.array.DataType;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Plans say which levels are made in the same pass, and why the others are made later. */
class LevelScheduleTest {
    private static Plan plan(String maxMem, int[] chunks, Levels levels) throws IOException {
        return Rechunker.from(RampSource.of(DataType.UINT16, 64, 512, 512).chunks(1, 512, 512))
                .to(new MemoryStore())
                .chunks(chunks[0], chunks[1], chunks[2])
                .maxMem(maxMem)
                .threads(2)
                .levels(levels)
                .plan();
    }

    private static ArrayPlan first(Plan plan) {
        return plan.arrays().stream()
                .filter(array -> !array.levels().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void enoughMemoryMakesAllLevelsInTheSamePass() throws IOException {
        Plan plan = plan("1GB", new int[] {16, 64, 64}, Levels.by("1,2,2").count(4));
        List<PlannedLevel> levels = first(plan).levels();
        assertEquals(
                List.of("1", "2", "3"), levels.stream().map(PlannedLevel::path).toList());
        assertEquals("(64, 256, 256)", levels.get(0).shape().toString());
        assertTrue(levels.stream().allMatch(PlannedLevel::isInSamePass), plan.explain());
        assertEquals(OptionalLong.empty(), first(plan).minimumMemoryOfLevels());
        assertTrue(
                plan.explain().contains("levels: 3 are made in the same pass; their unfinished chunks"),
                plan.explain());
        assertTrue(plan.toHtml().contains("levels: 3 of 3 made in the same pass"));
    }

    @Test
    void memoryThatIsEnoughForAllIsNamed() throws IOException {
        int[] chunks = {32, 64, 64};
        Levels levels = Levels.by("2,2,2").count(5);
        Plan plan = plan("14MB", chunks, levels);
        ArrayPlan array = first(plan);
        assertFalse(array.levels().stream().allMatch(PlannedLevel::isInSamePass), plan.explain());
        long enough = array.minimumMemoryOfLevels().orElseThrow();
        assertTrue(plan.explain().contains("all levels that can be made in the same pass would be"), plan.explain());
        Plan larger = plan(ByteSize.of(enough).bytes() + "B", chunks, levels);
        assertTrue(first(larger).levels().stream().allMatch(PlannedLevel::isInSamePass), larger.explain());
        Plan smaller = plan(enough * 9 / 10 + "B", chunks, levels);
        assertFalse(first(smaller).levels().stream().allMatch(PlannedLevel::isInSamePass), smaller.explain());
    }

    @Test
    void reasonsAreNamed() throws IOException {
        Plan odd = plan("1GB", new int[] {16, 63, 64}, Levels.by("1,2,2").count(3));
        String text = odd.explain();
        assertTrue(text.contains("does not consist of boxes of [1, 2, 2]"), text);
        assertTrue(text.contains("made of a level that is made later"), text);
        assertEquals(OptionalLong.empty(), first(odd).minimumMemoryOfLevels());
    }
}
