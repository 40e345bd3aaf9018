package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.resource.CostModel;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of regions that wait is compared with that of a run in the order of the plan, unit by unit. */
class WaitingUnitsTest {
    /** A device with which a spill is worth while. */
    private static final CostModel SLOW_READS = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    private int spills;
    private long stated;
    private long counted;

    @Test
    void noMoreRegionsWaitThanStated() {
        Cases.check(2000, cases -> {
            Problem problem = SmallProblems.of(cases, 14, Reading.WHOLE_CHUNKS);
            Resources least = new Resources(0, 1, true, CostModel.SSD);
            double share = cases.random().nextDouble();
            long maxMem = Planner.minimumMemory(problem, least) + (long) (share * share * (double) problem.bytes());
            CostModel model = cases.oneOf(CostModel.SSD, SLOW_READS);
            CopyPlan plan = new Planner().plan(problem, new Resources(maxMem, 1, true, model));
            spills += plan.strategy().copies().isEmpty() ? 0 : 1;
            ChunkGrid units = plan.stages().get(plan.stages().size() - 1).units();
            long[] regions = new long[units.rank()];
            List<Partition> axes = new ArrayList<>();
            for (int axis = 0; axis < regions.length; axis++) {
                regions[axis] = cases.between(1, units.axis(axis).length());
                axes.add(Partition.regular(units.axis(axis).length(), regions[axis]));
            }
            long waiting = WaitingUnits.of(plan, regions);
            long most = mostWaiting(plan, ChunkGrid.of(axes));
            assertTrue(most <= waiting, () -> most + " regions wait, not at most " + waiting);
            assertTrue(waiting <= ChunkGrid.of(axes).count(), "there are no more regions");
            stated += waiting;
            counted += most;
        });
        assertTrue(spills > 100, () -> spills + " plans with a spill");
        assertTrue(10 * stated < 22 * counted, () -> "stated are " + stated + ", but " + counted + " wait");
    }

    /** {@return the most regions that are begun and not complete after a unit, in the order of the plan} */
    private static long mostWaiting(CopyPlan plan, ChunkGrid regions) {
        Stage last = plan.stages().get(plan.stages().size() - 1);
        List<ChunkGrid> copies =
                plan.strategy().copies().stream().map(copy -> copy.blocks()).toList();
        long[] missing = new long[(int) regions.count()];
        for (int i = 0; i < missing.length; i++) {
            missing[i] = regions.regionAt(i).elements();
        }
        long most = 0;
        for (Region block : copies.isEmpty() ? List.of(Region.whole(regions.shape())) : all(copies.get(0))) {
            for (Region window : all(last.windows())) {
                if (!block.contains(window)) {
                    continue;
                }
                Odometer unit = new Odometer(last.units().chunksTouching(window), last.axisOrder());
                while (unit.next()) {
                    Region done = last.units().region(unit.index());
                    Odometer touched = new Odometer(regions.chunksTouching(done));
                    while (touched.next()) {
                        int region = (int) regions.ordinal(touched.index());
                        missing[region] -= regions.region(touched.index())
                                .intersect(done)
                                .orElseThrow()
                                .elements();
                    }
                    most = Math.max(most, begun(missing, regions));
                }
            }
        }
        return most;
    }

    private static long begun(long[] missing, ChunkGrid regions) {
        long begun = 0;
        for (int i = 0; i < missing.length; i++) {
            begun += missing[i] > 0 && missing[i] < regions.regionAt(i).elements() ? 1 : 0;
        }
        return begun;
    }

    private static List<Region> all(ChunkGrid grid) {
        List<Region> regions = new ArrayList<>();
        for (long i = 0; i < grid.count(); i++) {
            regions.add(grid.regionAt(i));
        }
        return regions;
    }
}
