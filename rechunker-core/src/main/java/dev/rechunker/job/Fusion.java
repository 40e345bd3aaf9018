package dev.rechunker.job;

import dev.rechunker.plan.CopyPlan;
import dev.rechunker.reduce.Reducer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The levels of a pyramid that are made while the first one is written.
 *
 * @param levels the levels after the first, in order
 * @param alone the plan of the first level without the others, which takes less memory
 */
record Fusion(List<Level> levels, CopyPlan alone) {
    /** Copies the list. */
    Fusion {
        levels = List.copyOf(levels);
    }

    /**
     * A level.
     *
     * @param array the number of its array in the plan
     * @param reducer reduces the level before to it
     * @param unitBytes the size of its largest write unit
     * @param units the number of write units that may wait for elements at the same time
     */
    record Level(int array, Reducer reducer, long unitBytes, long units) {
        /** {@return the bytes of these units} */
        long bytes() {
            return Math.multiplyExact(unitBytes, units);
        }
    }

    /** {@return the paths of the arrays that are levels made while another one is written} */
    static Set<String> levelsOf(List<JobArray> arrays) {
        return arrays.stream()
                .flatMap(array -> array.fusion().stream())
                .flatMap(fusion -> fusion.levels.stream())
                .map(level -> arrays.get(level.array).path())
                .collect(Collectors.toSet());
    }

    /** {@return the bytes of all units that may wait for elements at the same time} */
    long bytes() {
        return levels.stream().mapToLong(Level::bytes).reduce(0, Math::addExact);
    }
}
