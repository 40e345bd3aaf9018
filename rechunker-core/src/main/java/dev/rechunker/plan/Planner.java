package dev.rechunker.plan;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.InfeasiblePlanException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the cheapest way to copy an array from one grid into another within a memory limit.
 *
 * <p>Each strategy has a {@link Drafter}, which finds the strategy's best {@link Draft} for a number of lanes, which
 * are threads with their own buffers. The planner asks all drafters, with all threads as lanes and with fewer, and
 * takes the draft with the least time by the cost model.
 */
public final class Planner {
    /** A draft that takes this much longer than the best is as good if it needs fewer operations. */
    private static final double ABOUT = 1.02;

    /** How often each byte of the source may be read, on average, by a plan that is worth its memory. */
    public static final int FEW_READS = 2;

    /** Finds the best draft of one strategy. */
    interface Drafter {
        /** {@return the best draft with a number of lanes; empty if there is none within the limit} */
        Optional<Draft> draft(Problem problem, Resources resources, int lanes);

        /** {@return whether there is a draft within the limit} */
        default boolean fits(Problem problem, Resources resources, int lanes) {
            return draft(problem, resources, lanes).isPresent();
        }

        /** {@return whether the drafts make temporary copies, so that none is needed if others are fast enough} */
        default boolean makesCopies() {
            return false;
        }

        /** {@return whether a draft may read less, or less often, if the source is read in another way} */
        default boolean dependsOnReading() {
            return false;
        }

        /** {@return whether a draft may need less memory than one write unit and the buffers of one lane} */
        default boolean isFrugal(Problem problem, Resources resources) {
            return false;
        }

        /** {@return whether a draft may need less memory than that if the source is read in another way} */
        default boolean isFrugalIfReadOtherwise() {
            return false;
        }

        /** {@return a lower bound of the time of all drafts with a number of lanes} */
        default double leastSeconds(Problem problem, Resources resources, int lanes) {
            return Planner.leastSeconds(problem, resources, lanes);
        }
    }

    /** {@return a drafter of each strategy, for one problem} A new strategy needs no other change in this class. */
    private static List<Drafter> drafters() {
        return List.of(new EncodedDrafter(), new WindowDrafter(), new SweepDrafter(), new SpillDrafter());
    }

    /** {@return a lower bound of the time of all drafts that decode and encode} */
    private static double leastSeconds(Problem problem, Resources resources, int lanes) {
        double bytes = problem.bytes();
        CostModel model = resources.costModel();
        return problem.stored().source() / model.readBytesPerSecond()
                + problem.stored().target() / model.writeBytesPerSecond()
                + model.secondsOf((double) problem.target().count(), lanes)
                + problem.codecBytes(bytes) / (model.codecBytesPerSecond() * lanes);
    }

    /**
     * {@return the plan}
     *
     * @throws InfeasiblePlanException if there is no plan within the memory limit
     */
    public CopyPlan plan(Problem problem, Resources resources) {
        String obstacle = problem.obstacle();
        if (obstacle != null) {
            throw new InfeasiblePlanException(obstacle);
        }
        if (problem.bytes() == 0) {
            Strategy nothing = new Strategy.Window(problem.target());
            return new CopyPlan(problem, resources, nothing, List.of(), new Cost(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
        }
        Resources working = resources.reducedBy(problem.heldBytes());
        List<Drafter> drafters = drafters();
        List<Draft> drafts = withoutCopies(drafters, problem, working);
        if (!areFasterThanCopies(drafts, problem, working)) {
            drafts.addAll(withCopies(drafters, problem, working));
        }
        drafts.sort(Comparator.comparingDouble(draft -> draft.cost().seconds()));
        putBestFirst(drafts);
        if (drafts.isEmpty()) {
            throw new InfeasiblePlanException(
                    "a write unit of " + problem.target().chunkShape() + " takes "
                            + ByteSize.of(Math.max(problem.unitBytes(), problem.padBytes()))
                            + ", and a thread needs its own buffers"
                            + (problem.heldBytes() == 0
                                    ? ""
                                    : "; indexes of chunks and open files take " + ByteSize.of(problem.heldBytes())),
                    resources.maxMem(),
                    minimumMemory(problem, resources));
        }
        Draft chosen = drafts.get(0);
        return new CopyPlan(
                problem.readAs(chosen.stages().get(0).source()),
                resources,
                chosen.strategy(),
                chosen.stages(),
                chosen.cost(),
                chosen.memory() + problem.heldBytes());
    }

    /** {@return the strategies that are possible and were not chosen for a plan, the fastest first} */
    static List<CopyPlan.Alternative> alternatives(CopyPlan plan) {
        Problem problem = plan.problem();
        if (problem.bytes() == 0) {
            return List.of();
        }
        Resources working = plan.resources().reducedBy(problem.heldBytes());
        List<Drafter> drafters = drafters();
        List<Draft> drafts = withoutCopies(drafters, problem, working);
        drafts.addAll(withCopies(drafters, problem, working));
        return drafts.stream()
                .filter(draft -> !draft.strategy().name().equals(plan.strategy().name()))
                .sorted(Comparator.comparingDouble(draft -> draft.cost().seconds()))
                .map(draft -> new CopyPlan.Alternative(
                        draft.strategy(), draft.cost(), draft.memory() + problem.heldBytes(), problem.stored()))
                .toList();
    }

    /** {@return whether no draft with a temporary copy could be chosen, however fast, so that none is needed} */
    private static boolean areFasterThanCopies(List<Draft> drafts, Problem problem, Resources working) {
        double least = leastSeconds(problem, working, working.threads());
        return working.workers() == 1
                && drafts.stream().anyMatch(draft -> draft.weightedSeconds() * ABOUT < least * Draft.COPY_MUST_SAVE);
    }

    /**
     * {@return the best drafts of the strategies that make no temporary copy}
     *
     * <p>Other ways of reading are tried only if no draft reads each byte exactly once in the first way.
     */
    private static List<Draft> withoutCopies(List<Drafter> drafters, Problem problem, Resources working) {
        List<Drafter> asked =
                drafters.stream().filter(drafter -> !drafter.makesCopies()).toList();
        List<Draft> drafts = new ArrayList<>();
        for (Drafter drafter : asked) {
            best(drafter, problem, working).ifPresent(drafts::add);
        }
        if (drafts.stream().noneMatch(Draft::readsOnce)) {
            for (Drafter drafter : asked) {
                List<Problem> others = drafter.dependsOnReading() ? problem.readInOtherWays() : List.of();
                for (Problem other : others) {
                    best(drafter, other, working).ifPresent(draft -> improve(drafts, draft));
                }
            }
        }
        return drafts;
    }

    /** {@return the best drafts of the strategies that make temporary copies} */
    private static List<Draft> withCopies(List<Drafter> drafters, Problem problem, Resources working) {
        return drafters.stream()
                .filter(Drafter::makesCopies)
                .flatMap(drafter -> best(drafter, problem, working).stream())
                .toList();
    }

    /** Adds a draft. If there is one with the same strategy, keeps the better of the two. */
    private static void improve(List<Draft> drafts, Draft draft) {
        String name = draft.strategy().name();
        int same =
                drafts.stream().map(other -> other.strategy().name()).toList().indexOf(name);
        if (same < 0) {
            drafts.add(draft);
        } else if (draft.weightedSeconds() < drafts.get(same).weightedSeconds()) {
            drafts.set(same, draft);
        }
    }

    /**
     * Moves the best draft to the front. Of the drafts that take about the least time, it is the one that does not
     * decode; else the one with the fewest operations.
     */
    private static void putBestFirst(List<Draft> drafts) {
        double best = drafts.stream().mapToDouble(Draft::weightedSeconds).min().orElse(0);
        Comparator<Draft> order = Comparator.<Draft, Boolean>comparing(
                        draft -> draft.strategy().decodes())
                .thenComparingDouble(draft -> draft.cost().operations());
        int chosen = -1;
        for (int i = 0; i < drafts.size(); i++) {
            boolean good = drafts.get(i).weightedSeconds() <= best * ABOUT;
            if (good && (chosen < 0 || order.compare(drafts.get(i), drafts.get(chosen)) < 0)) {
                chosen = i;
            }
        }
        if (chosen > 0) {
            drafts.add(0, drafts.remove(chosen));
        }
    }

    /**
     * {@return the fastest draft of a strategy, with the best number of lanes}
     *
     * <p>Several workers may be faster with less memory for each, because there are more tasks then.
     */
    private static Optional<Draft> best(Drafter drafter, Problem problem, Resources working) {
        Optional<Draft> best = bestLanes(drafter, problem, working);
        int workers = working.workers();
        for (long bytes = working.maxMem() / 2; workers > 1 && bytes > 0; bytes /= 2) {
            Optional<Draft> smaller = bestLanes(drafter, problem, working.withMemory(bytes));
            if (best.isEmpty() || smaller.isEmpty()) {
                break;
            }
            if (smaller.get().cost().seconds() < best.get().cost().seconds()) {
                best = smaller;
            }
        }
        return best;
    }

    private static Optional<Draft> bestLanes(Drafter drafter, Problem problem, Resources working) {
        Draft best = null;
        for (int lanes = working.threads(); lanes >= 1; lanes = lanes == 1 ? 0 : lanes - lanes / 2) {
            double least = working.workers() == 1 ? drafter.leastSeconds(problem, working, lanes) : 0;
            if (best != null && least >= best.cost().seconds()) {
                continue;
            }
            Optional<Draft> draft =
                    drafter.draft(problem, working, lanes).map(found -> found.sharedBy(working.workers()));
            if (draft.isPresent()
                    && (best == null
                            || draft.get().cost().seconds() < best.cost().seconds())) {
                best = draft.get();
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * {@return the least maxMem with which there is a plan}
     *
     * <p>This is the memory of one write unit and one lane, or the scratch for encoded copies. It may be less with a
     * spill, which does not read and write at the same time, or with a sweep whose units are assembled from parts.
     *
     * @param resources the resources, which say whether and where a temporary copy may be written
     */
    static long minimumMemory(Problem problem, Resources resources) {
        if (problem.bytes() == 0) {
            return 0;
        }
        long least = withUnit(problem);
        if (!problem.target().isRegular()) {
            // A larger unit after a smaller one would lie across the end of a ring of one unit.
            least = Math.addExact(least, problem.unitBytes()) + 1;
        }
        List<Drafter> drafters = drafters();
        Resources one = new Resources(0, 1, resources.spillAllowed(), CostModel.SSD, 1, resources.remoteSpill());
        return fits(drafters, problem, one, least - 1) ? leastThatFits(drafters, problem, one, least - 1) : least;
    }

    /**
     * {@return the least maxMem, to about two percent, from which on a plan with one thread reads each byte of the
     * source at most {@link #FEW_READS} times, on average; empty if no limit does that}
     */
    public static OptionalLong usefulMemory(Problem problem, Resources resources) {
        if (problem.obstacle() != null) {
            return OptionalLong.empty();
        }
        Resources one =
                new Resources(0, 1, resources.spillAllowed(), resources.costModel(), 1, resources.remoteSpill());
        long least = minimumMemory(problem, resources);
        if (readsFewTimes(problem, one, least)) {
            return OptionalLong.of(least);
        }
        return LeastMemory.above(least, problem.bytes() + least, maxMem -> readsFewTimes(problem, one, maxMem));
    }

    private static boolean readsFewTimes(Problem problem, Resources one, long maxMem) {
        return new Planner().plan(problem, one.withMemory(maxMem)).sourceReads() <= FEW_READS;
    }

    /** {@return the least limit with which there is a draft, by bisection below one that is enough} */
    private static long leastThatFits(List<Drafter> drafters, Problem problem, Resources one, long enough) {
        long tooLittle = problem.heldBytes();
        long feasible = enough;
        while (feasible - tooLittle > 1) {
            long middle = tooLittle + (feasible - tooLittle) / 2;
            if (fits(drafters, problem, one, middle)) {
                feasible = middle;
            } else {
                tooLittle = middle;
            }
        }
        return feasible;
    }

    private static boolean fits(List<Drafter> drafters, Problem problem, Resources one, long maxMem) {
        Resources resources = one.withMemory(Math.max(0, maxMem - problem.heldBytes()));
        return drafters.stream().anyMatch(drafter -> fits(drafter, problem, resources));
    }

    private static boolean fits(Drafter drafter, Problem problem, Resources one) {
        List<Problem> others = drafter.isFrugalIfReadOtherwise() ? problem.readInOtherWays() : List.of();
        return (drafter.isFrugal(problem, one) && drafter.fits(problem, one, 1))
                || others.stream().anyMatch(other -> drafter.fits(other, one, 1));
    }

    private static long withUnit(Problem problem) {
        long decoding = UnitLayout.of(problem)
                .memoryOfItsOwn(Lane.direct(problem), 1, problem.unitBytes(), 0, Long.MAX_VALUE)
                .total();
        long encoded = Lane.encoded(problem).map(Lane::bytes).orElse(Long.MAX_VALUE);
        return Math.addExact(Math.min(decoding, encoded), problem.heldBytes());
    }
}
