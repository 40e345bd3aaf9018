package dev.rechunker.job;

import com.google.common.base.Suppliers;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.LeastMemory;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.plan.WaitingUnits;
import dev.rechunker.reduce.Reducer;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.view.LevelsView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Plans which levels of a pyramid are made while the first one is written: as many as the memory limit allows without
 * reading the source more often. The others are made later, each of the one before as it is in the target.
 *
 * <p>A level can be made in the same pass if the write units of the one before consist of whole boxes, and if these are
 * decoded.
 */
final class FusionPlanning {
    private static final int MOST_TRIES = 4;

    private static final String NO_MEMORY =
            "its unfinished chunks do not fit in the memory, or the source would be read more often";
    private static final String AFTER_LATER = "it is made of a level that is made later";

    private final LevelsView view;
    private final ChunkStore target;

    FusionPlanning(LevelsView view, ChunkStore target) {
        this.view = view;
        this.target = target;
    }

    /** {@return the arrays, of which some are written together with levels} */
    List<JobArray> fused(List<JobArray> arrays) throws StoreException {
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < arrays.size(); i++) {
            numbers.put(arrays.get(i).path(), i);
        }
        List<JobArray> fused = new ArrayList<>();
        for (JobArray array : arrays) {
            List<LevelsView.Step> steps = view.stepsFrom(array.path());
            fused.add(steps.isEmpty() ? array : scheduled(array, steps, arrays, numbers));
        }
        return fused;
    }

    /** {@return the first level of a pyramid, with as many levels in the same pass as possible} */
    private JobArray scheduled(
            JobArray base, List<LevelsView.Step> steps, List<JobArray> arrays, Map<String, Integer> numbers)
            throws StoreException {
        Possible possible = possible(base, steps, arrays, numbers);
        JobArray chosen = base;
        for (int count = possible.levels.size(); count > 0 && chosen.fusion().isEmpty(); count--) {
            chosen = fused(base, possible.levels.subList(0, count), arrays).orElse(base);
        }
        List<Fusion.Level> made = chosen.fusion().map(Fusion::levels).orElse(List.of());
        List<LevelSchedule.Level> all = new ArrayList<>();
        double apart = base.copy().cost().seconds();
        double seconds = chosen.copy().cost().seconds();
        for (int i = 0; i < steps.size(); i++) {
            Integer number = numbers.get(steps.get(i).path());
            if (number == null) {
                continue; // was skipped
            }
            JobArray level = arrays.get(number);
            double own = level.copy().cost().seconds();
            apart += own;
            seconds += i < made.size() ? 0 : own;
            String later = "";
            if (i >= made.size()) {
                later = i == possible.levels.size() ? possible.obstacle : i == made.size() ? NO_MEMORY : AFTER_LATER;
            }
            all.add(new LevelSchedule.Level(
                    level.path(),
                    level.target().shape(),
                    i < made.size() ? made.get(i).bytes() : 0,
                    later));
        }
        boolean needsMemory = made.size() < possible.levels.size();
        return chosen.with(new LevelSchedule(
                all,
                seconds,
                apart,
                Suppliers.memoize(
                        () -> needsMemory ? leastMemory(base, possible.levels, arrays) : OptionalLong.empty())));
    }

    /** {@return the least memory limit, to about two percent, with which levels are made in the same pass} */
    private OptionalLong leastMemory(JobArray base, List<Fusion.Level> levels, List<JobArray> arrays) {
        long maxMem = base.copy().resources().maxMem();
        return LeastMemory.above(
                maxMem, Math.max(maxMem, base.copy().problem().bytes()), more -> isFused(base, levels, arrays, more));
    }

    private boolean isFused(JobArray base, List<Fusion.Level> levels, List<JobArray> arrays, long maxMem) {
        try {
            CopyPlan alone = new Planner()
                    .plan(base.copy().problem(), base.copy().resources().withMemory(maxMem));
            return alone.strategy().decodes()
                    && fused(base.by(alone), levels, arrays).isPresent();
        } catch (InfeasiblePlanException | StoreException e) {
            return false;
        }
    }

    /**
     * The levels that can be made in the same pass.
     *
     * @param obstacle the reason why the next level cannot
     */
    private record Possible(List<Fusion.Level> levels, String obstacle) {}

    private static Possible possible(
            JobArray base, List<LevelsView.Step> steps, List<JobArray> arrays, Map<String, Integer> numbers) {
        List<Fusion.Level> levels = new ArrayList<>();
        if (base.copy().stages().isEmpty() || !base.copy().strategy().decodes()) {
            return new Possible(levels, "chunks are copied as they are, without decoding them");
        }
        JobArray before = base;
        for (LevelsView.Step step : steps) {
            Integer number = numbers.get(step.path());
            if (number == null) {
                return new Possible(levels, AFTER_LATER);
            }
            ChunkGrid units = before.target().writeUnits();
            if (!consistsOfBoxes(units, step.factors())) {
                return new Possible(
                        levels,
                        "the level before is written in " + units.chunkShape() + ", which does not consist of boxes of "
                                + Arrays.toString(step.factors()));
            }
            JobArray level = arrays.get(number);
            if (level.target().shape().isEmpty()) {
                return new Possible(levels, "it has no elements");
            }
            long unitBytes = Math.multiplyExact(
                    level.target().writeUnits().largestChunk().elements(),
                    (long) level.target().dataType().itemSize());
            if (unitBytes > Workspace.MAX_BUFFER) {
                return new Possible(levels, "one of its chunks does not fit in a buffer");
            }
            levels.add(new Fusion.Level(
                    number, new Reducer(before.target(), step.method(), step.factors()), unitBytes, 0));
            before = level;
        }
        return new Possible(levels, "");
    }

    private static boolean consistsOfBoxes(ChunkGrid units, int[] factors) {
        for (int axis = 0; axis < factors.length; axis++) {
            Partition cut = units.axis(axis);
            if (cut.count() > 1 && (!cut.isRegular() || cut.step() % factors[axis] != 0)) {
                return false;
            }
        }
        return true;
    }

    /** {@return an array that is written together with some levels; empty if there is too little memory for that} */
    private Optional<JobArray> fused(JobArray base, List<Fusion.Level> levels, List<JobArray> arrays)
            throws StoreException {
        CopyPlan alone = base.copy();
        Problem problem = alone.problem();
        long open = 0;
        long scratch = problem.writer().scratchBytes();
        long working = 0;
        double seconds = alone.cost().seconds();
        for (Fusion.Level level : levels) {
            JobArray array = arrays.get(level.array());
            WriteTraits write = target.writeTraits(array.target());
            long padded = write.paddedEdges() ? nominalBytes(array.target()) : 0;
            scratch = Math.max(scratch, Math.addExact(write.scratchBytes(), padded));
            working = Math.max(working, write.nativeBytes());
            open = Math.addExact(open, write.heldBytes());
            seconds += array.copy().cost().seconds();
        }
        Problem.WriterMemory writer = new Problem.WriterMemory(
                scratch, Math.max(problem.writer().nativeBytes(), working) + reductionBytes(base, levels, arrays));
        CopyPlan plan = alone;
        long reserved = 0;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Fusion fusion = new Fusion(waiting(plan, base, levels, arrays), alone);
            long needed = Math.addExact(fusion.bytes(), open);
            if (tries > 0 && needed <= reserved) {
                boolean isWorse = plan.cost().seconds() > seconds
                        || plan.sourceReads() > alone.sourceReads() * 1.001
                        || !isCut(plan, levels);
                return isWorse ? Optional.empty() : Optional.of(base.with(fusion, plan));
            }
            reserved = needed;
            try {
                Resources resources = alone.resources();
                plan = new Planner().plan(problem.with(writer, reserved), resources);
            } catch (InfeasiblePlanException e) {
                return Optional.empty();
            }
            if (!plan.strategy().decodes()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** {@return whether what the last stage writes at once consists of whole boxes} */
    private static boolean isCut(CopyPlan plan, List<Fusion.Level> levels) {
        ChunkGrid units = plan.stages().get(plan.stages().size() - 1).units();
        int[] factors = new int[units.rank()];
        for (int axis = 0; axis < factors.length; axis++) {
            factors[axis] = levels.get(0).reducer().factor(axis);
        }
        return consistsOfBoxes(units, factors);
    }

    private static long nominalBytes(ArraySpec spec) {
        return Math.multiplyExact(spec.writeUnits().chunkShape().elements(), (long)
                spec.dataType().itemSize());
    }

    /** {@return the bytes that one thread takes for reducing a unit, and those that are made of it} */
    private static long reductionBytes(JobArray base, List<Fusion.Level> levels, List<JobArray> arrays) {
        long bytes = 0;
        ArraySpec before = base.target();
        for (Fusion.Level level : levels) {
            bytes = Math.addExact(
                    bytes, level.reducer().workBytes(before.writeUnits().largestChunk()));
            before = arrays.get(level.array()).target();
        }
        return bytes;
    }

    /** {@return levels with the number of units that wait if the first level is written by a plan} */
    private static List<Fusion.Level> waiting(
            CopyPlan plan, JobArray base, List<Fusion.Level> levels, List<JobArray> arrays) {
        List<Fusion.Level> waiting = new ArrayList<>();
        long[] factors = new long[base.target().shape().rank()];
        Arrays.fill(factors, 1);
        for (Fusion.Level level : levels) {
            ChunkGrid units = arrays.get(level.array()).target().writeUnits();
            long[] regions = new long[factors.length];
            for (int axis = 0; axis < factors.length; axis++) {
                factors[axis] *= level.reducer().factor(axis);
                regions[axis] =
                        Math.multiplyExact(factors[axis], units.axis(axis).step());
            }
            waiting.add(new Fusion.Level(
                    level.array(), level.reducer(), level.unitBytes(), WaitingUnits.of(plan, regions)));
        }
        return waiting;
    }
}
