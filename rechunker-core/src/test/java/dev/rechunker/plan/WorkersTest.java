package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import dev.rechunker.testing.Cases;
import org.junit.jupiter.api.Test;

/** Plans for several processes. */
class WorkersTest {
    private static final CostModel MODEL = new CostModel("model", 2e9, 1e9, 1e9, 1e-4, 1e9);

    private static Resources resources(long maxMem, int workers) {
        return new Resources(maxMem, 2, true, MODEL, workers);
    }

    private static Problem coprime(Shape shape) {
        return Problem.uncompressed(
                ChunkGrid.regular(shape, Shape.of(1000, 20)), ChunkGrid.regular(shape, Shape.of(999, 20)), 4);
    }

    @Test
    void sweepOfOneTaskIsDividedAmongWorkers() {
        Problem problem = coprime(Shape.of(100_000, 20));
        CopyPlan alone = new Planner().plan(problem, resources(2_000_000, 1));
        CopyPlan shared = new Planner().plan(problem, resources(2_000_000, 16));
        assertTrue(alone.tasks() < 16, alone::explain);
        for (Stage stage : shared.stages()) {
            assertTrue(stage.tasks() >= 16, shared::explain);
        }
        assertTrue(shared.cost().seconds() < alone.cost().seconds() / 4, shared::explain);
    }

    @Test
    void plansForWorkersAreNoSlowerThanForOne() {
        Cases.check(300, cases -> {
            Shape shape = Shape.of(cases.between(1, 4000), cases.between(1, 60));
            Problem problem = Problem.uncompressed(
                    ChunkGrid.regular(shape, Shape.of(cases.between(1, 300), cases.between(1, 60))),
                    ChunkGrid.regular(shape, Shape.of(cases.between(1, 300), cases.between(1, 60))),
                    8);
            long maxMem = Math.max(
                    1 << 16,
                    Planner.minimumMemory(problem, new Resources(0, 1, true, CostModel.SSD)) * cases.between(1, 20));
            int workers = (int) cases.between(2, 40);
            CopyPlan alone = new Planner().plan(problem, resources(maxMem, 1).withoutSpill());
            CopyPlan shared =
                    new Planner().plan(problem, resources(maxMem, workers).withoutSpill());
            double split = new Draft(alone.strategy(), alone.stages(), alone.cost())
                    .sharedBy(workers)
                    .cost()
                    .seconds();
            assertTrue(shared.projectedMemory() <= maxMem, shared::explain);
            // A plan that does not decode or has fewer operations can take a little longer.
            assertTrue(
                    shared.cost().seconds() <= split * 1.03, () -> workers + "\n" + alone.explain() + shared.explain());
        });
    }

    @Test
    void planForOneWorkerIsUnchanged() {
        Problem problem = coprime(Shape.of(100_000, 20));
        Resources one = new Resources(2_000_000, 2, true, MODEL);
        assertEquals(
                new Planner().plan(problem, resources(2_000_000, 1)).explain(),
                new Planner().plan(problem, one).explain());
        assertThrows(IllegalArgumentException.class, () -> resources(1, 0));
    }
}
