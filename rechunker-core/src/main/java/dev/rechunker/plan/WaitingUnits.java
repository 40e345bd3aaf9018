package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * How many regions of an array are incomplete at the same time, at most, if its write units are completed in the order
 * of a plan. The units of a level of a pyramid, which are made of such regions, wait in memory until they are complete.
 *
 * <p>The order is that of nested loops: over the blocks of a spill, the windows in a block, and the units in a window.
 * Each loop leaves incomplete the regions on the border between what is done and what is not: one row of regions on its
 * axis, with as many on the other axes as the loops around it leave. There are none if each iteration consists of whole
 * regions. Units are completed almost in order, so there may be a second row on the border of the outermost loop.
 */
public final class WaitingUnits {
    private WaitingUnits() {}

    private record Loop(int axis, long extent) {}

    /**
     * {@return the number of regions}
     *
     * @param regions the extents of the regions, in elements
     */
    public static long of(CopyPlan plan, long[] regions) {
        Stage last = plan.stages().get(plan.stages().size() - 1);
        List<Loop> loops = new ArrayList<>();
        if (!plan.strategy().copies().isEmpty()) {
            addAll(loops, plan.strategy().copies().get(0).blocks());
        }
        addAll(loops, last.windows());
        for (int axis : last.axisOrder()) {
            loops.add(new Loop(axis, last.units().axis(axis).maxSize()));
        }
        long[] open = last.units().shape().toArray();
        double waiting = 0;
        double outermost = 0;
        for (Loop loop : loops) {
            if (loop.extent < open[loop.axis] && loop.extent % regions[loop.axis] != 0) {
                double row = 1;
                for (int axis = 0; axis < open.length; axis++) {
                    row *= axis == loop.axis ? 1 : touched(open[axis], regions[axis]);
                }
                waiting += row;
                outermost = outermost == 0 ? row : outermost;
            }
            open[loop.axis] = Math.min(open[loop.axis], loop.extent);
        }
        double all = 1;
        for (int axis = 0; axis < open.length; axis++) {
            all *= Math.ceil((double) last.units().shape().extent(axis) / regions[axis]);
        }
        return (long) Math.min(all, waiting + outermost + last.memory().lanes());
    }

    private static void addAll(List<Loop> loops, ChunkGrid grid) {
        for (int axis = 0; axis < grid.rank(); axis++) {
            loops.add(new Loop(axis, grid.axis(axis).maxSize()));
        }
    }

    /** {@return the most regions that a stretch of an axis touches} */
    private static double touched(long extent, long region) {
        return Math.ceil((double) extent / region) + (extent % region == 0 ? 0 : 1);
    }
}
