package dev.rechunker.job;

import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.NumberText;
import dev.rechunker.resource.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * When the levels of a pyramid are made: together with the array that has all elements, or later.
 *
 * @param levels the levels after the first, in order
 * @param seconds the estimated time of all levels, the first included
 * @param secondsApart the estimated time if each level were made after the one before
 * @param leastMemory finds the least memory limit with which all levels that can be made in the same pass are; empty if
 *     they are already, or no limit is enough
 */
public record LevelSchedule(
        List<Level> levels, double seconds, double secondsApart, Supplier<OptionalLong> leastMemory) {
    /** Copies the list. */
    public LevelSchedule {
        levels = List.copyOf(levels);
    }

    /**
     * A level.
     *
     * @param path the path of its array, below source and target
     * @param shape its shape
     * @param waitingBytes the memory of its unfinished chunks if it is made in the same pass; otherwise 0
     * @param later the reason why it is made later; empty if it is made in the same pass
     */
    public record Level(String path, Shape shape, long waitingBytes, String later) {
        /** {@return whether it is made in the same pass as the level with all elements} */
        public boolean isInSamePass() {
            return later.isEmpty();
        }

        private String line() {
            return path + ", " + shape + ": "
                    + (isInSamePass()
                            ? "in the same pass, " + ByteSize.of(waitingBytes) + " of unfinished chunks"
                            : "later: " + later);
        }
    }

    /** {@return the levels for people: a summary, and a line for each} */
    String text() {
        List<String> lines = new ArrayList<>();
        long made = levels.stream().filter(Level::isInSamePass).count();
        long waiting = levels.stream().mapToLong(Level::waitingBytes).sum();
        String which = made == levels.size() ? String.valueOf(made) : made + " of " + levels.size();
        lines.add((made == 0 ? "none of " + levels.size() : which) + (made <= 1 ? " is" : " are")
                + " made in the same pass"
                + (made == 0
                        ? ""
                        : "; " + (made == 1 ? "its" : "their") + " unfinished chunks take " + ByteSize.of(waiting)
                                + " of the memory"));
        levels.forEach(level -> lines.add(PlanText.inLine(level.line())));
        String cost = "estimated " + NumberText.seconds(seconds) + " with all levels";
        lines.add(
                made == 0
                        ? cost
                        : cost + ", " + NumberText.seconds(secondsApart) + " if each were made of the one before");
        leastMemory
                .get()
                .ifPresent(least -> lines.add("with maxMem "
                        + NumberText.bytes(ByteSize.of(least).roundedUp().bytes())
                        + ", all levels that can be made in the same pass would be"));
        return "levels: " + String.join("\n  ", lines) + "\n";
    }
}
