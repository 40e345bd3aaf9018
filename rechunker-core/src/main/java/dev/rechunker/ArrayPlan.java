package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.job.JobArray;
import dev.rechunker.job.LevelSchedule;
import dev.rechunker.run.Loss;
import java.util.List;
import java.util.OptionalLong;

/** The part of a {@link Plan} that copies one array. */
public final class ArrayPlan {
    private final JobArray array;

    ArrayPlan(JobArray array) {
        this.array = array;
    }

    /** {@return the path of the array, below source and target} */
    public String path() {
        return array.path();
    }

    /** {@return what the array is in the source} */
    public ArraySpec source() {
        return array.source();
    }

    /** {@return what the array becomes in the target} */
    public ArraySpec target() {
        return array.target();
    }

    /** {@return how the array is copied} */
    public PlannedCopy copy() {
        return new PlannedCopy(array.copy(), array.checkMemory());
    }

    /**
     * {@return the levels of a pyramid that are made of the array, without the first one, which is the array itself;
     * none if it is not the first level of a pyramid}
     */
    public List<PlannedLevel> levels() {
        return array.levels().map(LevelSchedule::levels).orElse(List.of()).stream()
                .map(level -> new PlannedLevel(level.path(), level.shape(), level.waitingBytes(), level.later()))
                .toList();
    }

    /**
     * {@return the smallest memory limit, in bytes, to about two percent, with which all levels that can be made while
     * the array is written are; empty if they are already, or no limit is enough; computed on the first call}
     */
    public OptionalLong minimumMemoryOfLevels() {
        return array.levels().map(levels -> levels.leastMemory().get()).orElse(OptionalLong.empty());
    }

    /** {@return what the target does not keep of the array, one sentence each} */
    public List<Loss> losses() {
        return array.losses();
    }

    /**
     * A level of a pyramid.
     *
     * @param path the path of its array, below source and target
     * @param shape its shape
     * @param waitingBytes the memory of its unfinished chunks, if it is made while the first level is written;
     *     otherwise 0
     * @param later the reason why it is made later, of the level before; empty if it is made while the first level is
     *     written
     */
    public record PlannedLevel(String path, Shape shape, long waitingBytes, String later) {
        /** {@return whether it is made while the first level is written} */
        public boolean isInSamePass() {
            return later.isEmpty();
        }
    }
}
