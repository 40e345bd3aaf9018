package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.Problem.ReaderMemory;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.Problem.WriterMemory;
import dev.rechunker.resource.CostModel;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The same copy with increasing bounds. A plan for a smaller bound also fits a larger one, so the time of a plan should
 * not be much longer than that of any plan with less memory.
 */
class MoreMemoryTest {
    /**
     * The largest allowed ratio to the time of a plan with less memory, as reads and pieces are rounded to even sizes.
     */
    private static final double ABOUT = 1.3;

    /** Whether a second copy is worthwhile is decided separately for each number of lanes. */
    private static final double ABOUT_REGROUPED = 1.7;

    private static final double STEP = 1.07;

    /** The number of random copies. */
    private static final int CASES = 150;

    private static Problem uncompressed(Shape shape, Shape source, Shape target, int itemSize) {
        return Problem.uncompressed(ChunkGrid.regular(shape, source), ChunkGrid.regular(shape, target), itemSize);
    }

    private static void assertNeverMuchSlower(Problem problem, Resources resources, long least, long most) {
        List<String> slower = new ArrayList<>();
        double best = Double.POSITIVE_INFINITY;
        String fastest = "";
        for (double bound = least; bound <= most; bound *= STEP) {
            long maxMem = (long) bound;
            CopyPlan plan = new Planner().plan(problem, resources.withMemory(maxMem));
            assertTrue(plan.projectedMemory() <= maxMem, plan::explain);
            double seconds = counted(plan);
            if (seconds > best * (copies(plan) > 1 ? ABOUT_REGROUPED : ABOUT)) {
                slower.add(maxMem + " bytes: " + plan.strategy().name() + ", "
                        + plan.cost().seconds() + " s, after " + fastest);
            }
            if (seconds < best) {
                best = seconds;
                fastest = maxMem + " bytes: " + plan.strategy().name() + ", "
                        + plan.cost().seconds() + " s";
            }
        }
        assertTrue(slower.isEmpty(), () -> String.join("\n", slower));
    }

    /** {@return the time of a plan in seconds, of which each temporary copy must save a share} */
    private static double counted(CopyPlan plan) {
        return plan.cost().seconds() * Math.pow(Draft.COPY_MUST_SAVE, copies(plan));
    }

    private static int copies(CopyPlan plan) {
        return plan.strategy() instanceof Strategy.Spill spill ? spill.copies().size() : 0;
    }

    @Test
    void mapsToSeriesInAnObjectStore() {
        Problem problem =
                uncompressed(Shape.of(10_000, 3_000, 3_000), Shape.of(1, 3_000, 3_000), Shape.of(10_000, 10, 10), 2);
        Resources resources = new Resources(0, 16, true, CostModel.OBJECT_STORE);
        assertNeverMuchSlower(problem, resources, 8_000_000, 400_000_000);
    }

    @Test
    void chunksThatShareFewCutsInAnObjectStore() {
        Problem problem = uncompressed(Shape.of(1_000, 1_000, 250), Shape.of(100, 100, 25), Shape.of(99, 97, 26), 2);
        Resources resources = new Resources(0, 4, true, CostModel.OBJECT_STORE);
        assertNeverMuchSlower(problem, resources, 2_000_000, 100_000_000);
    }

    @Test
    void chunksOfFewBytesOnARotatingDisk() {
        Problem problem = uncompressed(Shape.of(15_929, 74, 23), Shape.of(1_178, 74, 22), Shape.of(422, 74, 12), 1);
        Resources resources = new Resources(0, 10, true, CostModel.HDD);
        assertNeverMuchSlower(problem, resources, 400_000, 8_000_000);
    }

    @Test
    void climateCube() {
        Problem problem = uncompressed(Shape.of(600, 720, 1_440), Shape.of(5, 720, 1_440), Shape.of(600, 72, 72), 4);
        assertNeverMuchSlower(problem, new Resources(0, 4, true, CostModel.OBJECT_STORE), 16_000_000, 400_000_000);
        assertNeverMuchSlower(problem, new Resources(0, 2, true, CostModel.HDD), 16_000_000, 400_000_000);
    }

    /** Units are written in parts, so that the bound can be smaller than a unit. */
    @Test
    void climateCubeSweptByParts() {
        Shape shape = Shape.of(600, 720, 1_440);
        ChunkGrid source = ChunkGrid.regular(shape, Shape.of(5, 720, 1_440));
        ChunkGrid target = ChunkGrid.regular(shape, Shape.of(600, 72, 72));
        Problem problem = new Problem(
                source,
                List.of(Problem.Way.inBands(source, target, 4)),
                target,
                4,
                Reading.ANY_BYTES,
                ReaderMemory.NONE,
                new WriterMemory(1 << 20, 0),
                Optional.of(new Problem.Parts(
                        ChunkGrid.regular(shape, Shape.of(60, 72, 72)), new WriterMemory(1 << 20, 0), 1_000)),
                false,
                Optional.empty(),
                0);
        assertNeverMuchSlower(problem, new Resources(0, 2, true, CostModel.HDD), 8_000_000, 200_000_000);
    }

    /** The largest ratio of the time of a plan to that of a plan with less memory, over many copies. */
    @Test
    void anyCopiesOnASolidStateDisk() {
        List<Double> most = new ArrayList<>();
        Cases.check(
                CASES,
                cases -> most.add(mostSlower(
                        anyUncompressed(cases), new Resources(0, cases.oneOf(1, 2, 4), true, CostModel.SSD))));
        most.sort(null);
        double ninety = most.get(CASES * 90 / 100);
        double ninetyNine = most.get(CASES * 99 / 100);
        double last = most.get(CASES - 1);
        String found = "median " + most.get(CASES / 2) + ", 90 % " + ninety + ", 99 % " + ninetyNine + ", most " + last;
        assertTrue(ninety < 1.2, found);
        assertTrue(ninetyNine < 2, found);
        // If slabs and windows just fit, more pieces would have to save as much as a copy.
        assertTrue(last < Draft.COPY_MUST_SAVE, found);
    }

    /** {@return the largest ratio of the time of a plan to that of one with less memory} */
    private static double mostSlower(Problem problem, Resources resources) {
        double least = Math.max(1 << 18, Planner.minimumMemory(problem, resources));
        double enough = Math.max(4 * least, 0.6 * (double) problem.bytes());
        double step = Math.max(1.1, Math.pow(enough / least, 1 / 24.0));
        double fastest = Double.POSITIVE_INFINITY;
        double most = 1;
        for (double bound = least; bound <= enough; bound *= step) {
            double seconds = counted(new Planner().plan(problem, resources.withMemory((long) bound)));
            most = Math.max(most, seconds / fastest);
            fastest = Math.min(fastest, seconds);
        }
        return most;
    }

    /** {@return a copy of 30 MB to 100 GB with 2 to 4 axes, from a source with or without chunks} */
    private static Problem anyUncompressed(Cases cases) {
        int rank = (int) cases.between(2, 4);
        int itemSize = cases.oneOf(1, 2, 4, 8);
        double bytes = between(3e7, 1e11, cases);
        double[] shares = new double[rank];
        for (int axis = 0; axis < rank; axis++) {
            shares[axis] = 0.3 + cases.random().nextDouble();
        }
        double all = Arrays.stream(shares).sum();
        long[] shape = Arrays.stream(shares)
                .mapToLong(share -> Math.max(2, (long) Math.pow(bytes / itemSize, share / all)))
                .toArray();
        boolean inOnePiece = cases.oneOf(false, false, false, true);
        while (true) {
            long[] source = new long[rank];
            long[] target = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
                boolean whole = inOnePiece || cases.between(1, 3) == 1;
                source[axis] = whole ? shape[axis] : (long) between(1, (double) shape[axis], cases);
                whole = cases.between(1, 4) == 1;
                target[axis] = whole ? shape[axis] : (long) between(1, (double) shape[axis], cases);
            }
            double unit = (double) Shape.of(target).elements() * itemSize;
            double chunk = (double) Shape.of(source).elements() * itemSize;
            if (unit >= 4096 && unit <= bytes / 16 && chunk >= 4096) {
                return uncompressed(Shape.of(shape), Shape.of(source), Shape.of(target), itemSize);
            }
        }
    }

    /** {@return a random number between two, with a uniformly distributed logarithm} */
    private static double between(double least, double most, Cases cases) {
        return least * Math.pow(most / least, cases.random().nextDouble());
    }
}
