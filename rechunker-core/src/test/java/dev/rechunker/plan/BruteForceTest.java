package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.resource.CostModel;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Comparison of drafts for small grids, of 1 to 3 axes with up to 12 chunks and units on each, with all other drafts of
 * the same strategy. Every combination is listed, its cuts are counted, and its cost is computed by the formulas of
 * docs/algorithm.md.
 */
class BruteForceTest {
    private static final int CASES = 1_500;
    private static final double ROUNDING = 1 + 1e-9;

    /** A device with slow requests, one with slow reads, and one with slow codecs. */
    private static final List<CostModel> MODELS = List.of(
            CostModel.SSD,
            CostModel.HDD,
            CostModel.OBJECT_STORE,
            new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9),
            new CostModel("slow codec", 1e9, 1e9, 1e9, 0, 1));

    /** A problem and its resources. */
    private record Small(Problem problem, long maxMem, CostModel model) {
        static Small of(Cases cases) {
            Problem problem = SmallProblems.of(cases, 12, Reading.WHOLE_CHUNKS);
            double share = cases.random().nextDouble();
            long maxMem = Planner.minimumMemory(problem, new Resources(0, 1, false, CostModel.SSD))
                    + (long) (share * share * (double) problem.bytes() * 1.2);
            return new Small(problem, maxMem, cases.oneOf(MODELS.toArray(CostModel[]::new)));
        }

        Optional<Draft> draft(Planner.Drafter drafter, int lanes) {
            return draft(drafter, lanes, lanes);
        }

        Optional<Draft> draft(Planner.Drafter drafter, int threads, int lanes) {
            return drafter.draft(problem, new Resources(maxMem, threads, true, model), lanes);
        }

        /** {@return the spill for one lane whose tasks are shared by processes, so that nothing stays in memory} */
        Optional<Draft> inFilesAlone() {
            return new SpillDrafter().draft(problem, new Resources(maxMem, 1, true, model, 2), 1);
        }

        /** {@return the part of the bound that is left by {@code lanes} lanes, in bytes} */
        long memory(int lanes) {
            long reading = problem.reader().chunkBytes() + problem.reader().scratchBytes();
            long writing = problem.writer().scratchBytes() + problem.padBytes();
            return maxMem - lanes * Math.max(reading, writing);
        }

        double seconds(List<Partition> windows, int lanes) {
            double once = problem.bytes();
            double read = once;
            double pieces = 1;
            for (int axis = 0; axis < windows.size(); axis++) {
                Partition chunks = problem.source().axis(axis);
                read *= touched(chunks, windows.get(axis)) / (double) chunks.length();
                pieces *= cuts(chunks, windows.get(axis)) - 1;
            }
            double requests = pieces + problem.target().count();
            return read / model.readBytesPerSecond()
                    + once / model.writeBytesPerSecond()
                    + requests * Math.max(model.requestSeconds(), model.latencySeconds() / lanes)
                    + (read + once) / (model.codecBytesPerSecond() * lanes);
        }

        /** {@return the size of the largest window in bytes} */
        long bytes(List<Partition> windows) {
            long bytes = problem.itemSize();
            for (Partition axis : windows) {
                bytes *= largest(axis);
            }
            return bytes;
        }
    }

    // ------------------------------------------------------------------ counts on one axis

    private static long largest(Partition axis) {
        long largest = 0;
        for (long i = 0; i < axis.count(); i++) {
            largest = Math.max(largest, axis.size(i));
        }
        return largest;
    }

    /** {@return the number of elements of all chunks that each window touches} */
    private static long touched(Partition chunks, Partition windows) {
        long elements = 0;
        for (long w = 0; w < windows.count(); w++) {
            for (long c = 0; c < chunks.count(); c++) {
                boolean meet = chunks.start(c) < windows.end(w) && windows.start(w) < chunks.end(c);
                elements += meet ? chunks.size(c) : 0;
            }
        }
        return elements;
    }

    /** {@return the number of different positions at which a part of one or the other starts or ends} */
    private static int cuts(Partition a, Partition b) {
        TreeSet<Long> places = new TreeSet<>(List.of(a.length()));
        for (Partition partition : List.of(a, b)) {
            for (long i = 0; i < partition.count(); i++) {
                places.add(partition.start(i));
            }
        }
        return places.size();
    }

    /** {@return the length of the parts that start at common cuts of both} */
    private static long coupled(Partition a, Partition b) {
        for (long place = 1; place < a.length(); place++) {
            if (place % a.step() == 0 && place % b.step() == 0) {
                return place;
            }
        }
        return a.length();
    }

    private static List<List<Partition>> groupings(ChunkGrid grid) {
        return SmallProblems.combinations(grid.axes().stream()
                .map(axis -> LongStream.rangeClosed(1, axis.count())
                        .mapToObj(
                                parts -> Partition.regular(axis.length(), Math.min(axis.length(), parts * axis.step())))
                        .toList())
                .toList());
    }

    private static long count(List<Partition> axes) {
        return axes.stream().mapToLong(Partition::count).reduce(1, (a, b) -> a * b);
    }

    // ------------------------------------------------------------------ distances from the best draft

    /** The number of cases, the number of those that are not the best, and their largest ratio to the best. */
    private static final class Distance {
        private int cases;
        private int worse;
        private double most = 1;

        void add(double ours, double best) {
            cases++;
            worse += ours > best * ROUNDING ? 1 : 0;
            most = Math.max(most, ours / best);
        }

        /** Checks that many cases are all the best. */
        void assertNone(int atLeast) {
            assertEquals(0, worse, () -> worse + " of " + cases + ", by at most " + most);
            assertTrue(cases >= atLeast, () -> "only " + cases);
        }
    }

    @Test
    void noOtherWindowIsTaken() {
        Distance seconds = new Distance();
        Distance operations = new Distance();
        Cases.check(CASES, cases -> {
            Small small = Small.of(cases);
            int lanes = (int) cases.between(1, 2);
            List<List<Partition>> fitting = groupings(small.problem.target()).stream()
                    .filter(windows -> small.bytes(windows) <= small.memory(lanes))
                    .toList();
            Optional<Draft> draft = small.draft(new WindowDrafter(), lanes);
            assertEquals(fitting.isEmpty(), draft.isEmpty());
            if (fitting.isEmpty()) {
                return;
            }
            double least = fitting.stream()
                    .mapToDouble(windows -> small.seconds(windows, lanes))
                    .min()
                    .orElseThrow();
            // Of the drafts that take up to a quarter more time, those with the fewest windows.
            long fewest = fitting.stream()
                    .filter(windows -> small.seconds(windows, lanes) <= least * 1.25)
                    .mapToLong(BruteForceTest::count)
                    .min()
                    .orElseThrow();
            Cost cost = draft.get().cost();
            seconds.add(cost.seconds(), least * 1.25);
            operations.add(cost.operations(), (double) fewest);
            ChunkGrid chosen = ((Strategy.Window) draft.get().strategy()).windows();
            assertEquals(1, cost.seconds() / small.seconds(chosen.axes(), lanes), 1e-9);
        });
        seconds.assertNone(900);
        operations.assertNone(900);
    }

    @Test
    void noOtherSweepIsFaster() {
        Distance seconds = new Distance();
        Cases.check(CASES, cases -> addSweep(cases, seconds));
        // Here windows with more reads are divided by fewer chunks than other windows of the same number.
        for (long seed : List.of(6_819L, 8_396L, 11_609L)) {
            Cases.replay(seed, cases -> addSweep(cases, seconds));
        }
        seconds.assertNone(800);
    }

    private static void addSweep(Cases cases, Distance seconds) {
        Small small = Small.of(cases);
        Problem problem = small.problem;
        Frontier frontier = Frontier.of(problem.source(), problem.target());
        double least = Double.POSITIVE_INFINITY;
        for (List<Partition> windows : groupings(problem.target())) {
            for (int axis = 0; axis < windows.size(); axis++) {
                if (windows.get(axis).count() == 1
                        && problem.target().axis(axis).count() > 1
                        && held(small, windows, axis, frontier) <= small.memory(1)) {
                    least = Math.min(least, small.seconds(windows, 1));
                }
            }
        }
        Optional<Draft> draft = small.draft(new SweepDrafter(), 1);
        assertEquals(least == Double.POSITIVE_INFINITY, draft.isEmpty(), small::toString);
        if (draft.isPresent()) {
            seconds.add(draft.get().cost().seconds(), least);
        }
    }

    /** {@return the memory of a sweep along an axis in bytes: the distance, and a unit if units differ in size} */
    private static long held(Small small, List<Partition> windows, int swept, Frontier frontier) {
        List<Integer> order = new ArrayList<>(List.of(swept));
        for (int axis = 0; axis < windows.size(); axis++) {
            if (axis != swept) {
                order.add(axis);
            }
        }
        long[] extents =
                order.stream().mapToLong(axis -> largest(windows.get(axis))).toArray();
        long unit = small.problem.itemSize();
        boolean even = true;
        for (Partition axis : small.problem.target().axes()) {
            unit *= largest(axis);
            even &= axis.length() % Math.min(axis.step(), axis.length()) == 0;
        }
        long distance = frontier.distance(order, extents) * small.problem.itemSize();
        long carried = even ? (distance + unit - 1) / unit * unit : distance + unit;
        return Math.min(carried, small.bytes(windows));
    }

    @Test
    void noOtherSpillHasFewerPiecesOrSmallerBlocks() {
        Distance pieces = new Distance();
        Distance blocks = new Distance();
        Cases.check(CASES / 10, cases -> {
            Small any = Small.of(cases);
            Small small = new Small(any.problem, any.maxMem + (64 << 10), any.model);
            Problem problem = small.problem;
            if (problem.source().count() * problem.target().count() > 20_000) {
                return;
            }
            long reading = problem.reader().chunkBytes() + problem.reader().scratchBytes();
            long writing = problem.writer().scratchBytes() + problem.padBytes();
            long slabMemory = small.maxMem - reading;
            // 64 KiB are kept free for reading back.
            long windowMemory = small.maxMem - Math.max(64 << 10, writing);
            Comparator<double[]> order =
                    Comparator.<double[]>comparingDouble(c -> c[0]).thenComparingDouble(c -> c[1]);
            double[] best = {Double.POSITIVE_INFINITY, 0};
            for (List<Partition> slabs : groupings(problem.source())) {
                for (List<Partition> windows : groupings(problem.target())) {
                    if (small.bytes(slabs) <= slabMemory && small.bytes(windows) <= windowMemory) {
                        double[] candidate = {1, problem.itemSize()};
                        for (int axis = 0; axis < slabs.size(); axis++) {
                            candidate[0] *= cuts(slabs.get(axis), windows.get(axis)) - 1;
                            candidate[1] *= (double) coupled(slabs.get(axis), windows.get(axis));
                        }
                        best = order.compare(candidate, best) < 0 ? candidate : best;
                    }
                }
            }
            Optional<Draft> draft = small.inFilesAlone();
            if (draft.isPresent() && best[0] < Double.POSITIVE_INFINITY) {
                Cost cost = draft.get().cost();
                pieces.add(cost.operations(), best[0]);
                if (cost.operations() == best[0]) {
                    blocks.add((double) cost.spillPeakBytes(), best[1]);
                }
            }
        });
        pieces.assertNone(130);
        blocks.assertNone(130);
    }

    /** All slabs, windows and sizes of the part in memory, in steps of a tenth of the bound. */
    @Test
    void keepingFirstBytesOfBlocksInMemoryIsNeverWorse() {
        Distance seconds = new Distance();
        int[] kept = {0};
        Cases.check(CASES / 3, cases -> {
            Small any = Small.of(cases);
            Small small = new Small(any.problem, any.maxMem + cases.oneOf(0, 64 << 10), any.model);
            Draft plain = small.inFilesAlone().orElse(null);
            Draft ours = small.draft(new SpillDrafter(), 1).orElse(null);
            assertEquals(plain == null, ours == null);
            if (plain == null || ours == null) {
                return;
            }
            assertTrue(ours.memory() <= small.maxMem, () -> ours.memory() + " of " + small.maxMem);
            assertTrue(ours.cost().seconds() <= plain.cost().seconds());
            assertTrue(ours.cost().bytesRead() <= plain.cost().bytesRead());
            assertTrue(ours.cost().operations() <= plain.cost().operations());
            Problem problem = small.problem;
            if (problem.source().count() * problem.target().count() > 2_000) {
                return;
            }
            double least = plain.cost().seconds();
            for (List<Partition> slabs : groupings(problem.source())) {
                for (List<Partition> windows : groupings(problem.target())) {
                    for (int percent = 100; percent > 0; percent -= 10) {
                        Resources part = new Resources(small.maxMem * percent / 100, 1, true, small.model);
                        Optional<SpillStages> stages =
                                SpillStages.of(problem, part, 1, List.of(ChunkGrid.of(slabs), ChunkGrid.of(windows)));
                        if (stages.isEmpty()) {
                            break;
                        }
                        if (stages.get().boundOfEach(part.maxMem()) < part.maxMem()) {
                            continue;
                        }
                        Cost cost = stages.get().draftKeepingRest(small.maxMem).cost();
                        if (cost.operations() <= plain.cost().operations()) {
                            least = Math.min(least, cost.seconds());
                        }
                    }
                }
            }
            kept[0] += ours.cost().spillBytes() < plain.cost().spillBytes() ? 1 : 0;
            seconds.add(ours.cost().seconds(), least);
        });
        // The fewest pieces for a bound do not always leave the smallest blocks.
        assertTrue(kept[0] >= 40, () -> "only " + kept[0]);
        assertTrue(
                seconds.cases > 400 && seconds.worse < seconds.cases / 8 && seconds.most < 1.16,
                () -> seconds.worse + " of " + seconds.cases + ", by at most " + seconds.most);
    }

    @Test
    void noOtherGroupsOfEncodedChunksAreFewer() {
        Distance operations = new Distance();
        Cases.check(CASES, cases -> {
            Small any = Small.of(cases);
            long scratch = cases.between(1, 100);
            Small small = new Small(
                    any.problem.withEncoded(new Problem.Encoded(false, new Problem.WriterMemory(scratch, 0))),
                    scratch - 1 + cases.between(0, 2_000),
                    any.model);
            Optional<Draft> draft = small.draft(new EncodedDrafter(), 1);
            assertEquals(small.maxMem >= scratch, draft.isPresent());
            if (draft.isPresent()) {
                // The decoded chunks of a task fit into the bound, or it has one chunk.
                long fewest = groupings(small.problem.target()).stream()
                        .filter(tasks -> small.bytes(tasks) <= small.maxMem)
                        .mapToLong(BruteForceTest::count)
                        .min()
                        .orElse(small.problem.target().count());
                double once = small.problem.bytes();
                double seconds = once / small.model.readBytesPerSecond()
                        + once / small.model.writeBytesPerSecond()
                        + 2.0
                                * small.problem.target().count()
                                * Math.max(small.model.requestSeconds(), small.model.latencySeconds());
                operations.add(draft.get().cost().operations(), (double) fewest);
                assertEquals(1, draft.get().cost().seconds() / seconds, 1e-9);
            }
        });
        operations.assertNone(1_000);
    }

    /** The time of a spill counts four times, unless all other strategies read bytes more than once. */
    private static double counted(Cost cost, Problem problem) {
        boolean once = cost.spillBytes() == 0 && cost.bytesRead() <= (double) problem.bytes();
        return once ? cost.seconds() / 4 : cost.seconds();
    }

    @Test
    void noStrategyAloneIsBetterThanThePlan() {
        Distance counted = new Distance();
        Cases.check(CASES, cases -> {
            Small any = Small.of(cases);
            Small small = new Small(any.problem, any.maxMem + cases.oneOf(0, 1 << 17), any.model);
            int threads = cases.oneOf(1, 4);
            CopyPlan plan = new Planner().plan(small.problem, new Resources(small.maxMem, threads, true, small.model));
            for (Planner.Drafter drafter : List.of(new WindowDrafter(), new SweepDrafter(), new SpillDrafter())) {
                Draft fastest = null;
                for (int lanes : threads == 4 ? new int[] {4, 2, 1} : new int[] {1}) {
                    Draft draft = small.draft(drafter, threads, lanes).orElse(null);
                    if (draft != null
                            && (fastest == null
                                    || draft.cost().seconds() < fastest.cost().seconds())) {
                        fastest = draft;
                    }
                }
                if (fastest != null) {
                    // Of plans with about the same time, the one with the fewest operations is chosen.
                    counted.add(counted(plan.cost(), small.problem), 1.02 * counted(fastest.cost(), small.problem));
                }
            }
        });
        counted.assertNone(3_000);
    }
}
