package dev.rechunker.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best combination of one {@link Choice} per axis. The cost, which is minimized, and the two weights, which
 * are limited, are products over the axes.
 *
 * <p>The search combines axis by axis and keeps the Pareto points in (cost, first weight, second weight). Another
 * combination cannot become the best, because all factors are positive. The search is exact unless more than
 * {@link #LIMIT} points remain after an axis; then the most expensive ones are dropped. {@link BestProduct} finds the
 * best combination in less time.
 */
final class ProductSearch {
    static final int LIMIT = 4_000;

    /**
     * The sizes of slabs and windows on one axis.
     *
     * @param slab the number of source chunks in a slab
     * @param window the number of write units in a window
     */
    record Parts(long slab, long window) {}

    /**
     * One way to cut one axis.
     *
     * @param parts the sizes of slabs and windows
     * @param cost the factor to minimize
     * @param tie the factor that decides between equal costs
     * @param weight the factor of the first limited product
     * @param otherWeight the factor of the second limited product
     */
    record Choice(Parts parts, double cost, double tie, double weight, double otherWeight) {}

    /** A combination of choices for the first axes. The order is by cost, then by tie, then by weights. */
    record State(
            @Nullable State before, @Nullable Choice choice, double cost, double tie, double weight, double otherWeight)
            implements Comparable<State> {
        static final State NONE = new State(null, null, 1, 1, 1, 1);

        @Override
        public int compareTo(State other) {
            int byCost = Double.compare(cost, other.cost);
            int byTie = byCost != 0 ? byCost : Double.compare(tie, other.tie);
            int byWeight = byTie != 0 ? byTie : Double.compare(weight, other.weight);
            return byWeight != 0 ? byWeight : Double.compare(otherWeight, other.otherWeight);
        }

        State with(Choice next) {
            return new State(
                    this, next, cost * next.cost, tie * next.tie, weight * next.weight, otherWeight * next.otherWeight);
        }

        /** {@return the chosen sizes, axis 0 first} */
        List<Parts> parts() {
            List<Parts> parts = before == null ? new ArrayList<>() : before.parts();
            if (choice != null) {
                parts.add(choice.parts);
            }
            return parts;
        }
    }

    private final double limit;
    private final double otherLimit;

    /**
     * Creates a search with limits.
     *
     * @param limit the largest product of the first weights that is allowed
     * @param otherLimit the largest product of the second weights that is allowed
     */
    ProductSearch(double limit, double otherLimit) {
        this.limit = limit;
        this.otherLimit = otherLimit;
    }

    /** {@return the Pareto-best combinations within the limits, the best first; empty if there are none} */
    List<State> solve(List<List<Choice>> axes) {
        List<State> states = List.of(State.NONE);
        for (int axis = 0; axis < axes.size(); axis++) {
            double least = least(axes, axis + 1, Choice::weight);
            double leastOther = least(axes, axis + 1, Choice::otherWeight);
            Found next = new Found();
            for (State state : states) {
                for (Choice choice : axes.get(axis)) {
                    if (state.weight * choice.weight * least <= limit
                            && state.otherWeight * choice.otherWeight * leastOther <= otherLimit) {
                        next.add(state.with(choice));
                    }
                }
            }
            states = next.pareto(LIMIT);
        }
        return states;
    }

    /**
     * The combinations that were found on the way to the Pareto points, in bounded memory: when there are too many, the
     * dominated ones are dropped.
     */
    static final class Found {
        /** The most that are kept, and the most that are added before the next are dropped; some 2 MB each. */
        private static final int MOST = 1 << 15;

        private List<State> states = new ArrayList<>();
        private int most = MOST;

        void add(State state) {
            if (states.size() >= most) {
                states = ProductSearch.pareto(states, MOST);
                most = states.size() + MOST;
            }
            states.add(state);
        }

        /** {@return at most {@code keep} Pareto points, the best ones} */
        List<State> pareto(int keep) {
            return ProductSearch.pareto(states, keep);
        }
    }

    /** {@return the least product of a factor over an axis and those after it} */
    private static double least(List<List<Choice>> axes, int from, ToDoubleFunction<Choice> factor) {
        double least = 1;
        for (List<Choice> axis : axes.subList(from, axes.size())) {
            least *= axis.stream().mapToDouble(factor).min().orElse(1);
        }
        return least;
    }

    /** {@return the choices without those that are not better than another one in cost or a weight} */
    static List<Choice> prune(List<Choice> choices) {
        Found states = new Found();
        choices.forEach(choice -> states.add(State.NONE.with(choice)));
        List<Choice> kept = new ArrayList<>();
        for (State state : states.pareto(Integer.MAX_VALUE)) {
            if (state.choice != null) {
                kept.add(state.choice);
            }
        }
        return kept;
    }

    /** {@return the Pareto points} In sorted order, a state is dominated if an earlier one has no larger weight. */
    static List<State> pareto(List<State> states, int keep) {
        states.sort(null);
        List<State> kept = new ArrayList<>();
        // By first weight, the least second weight of the states seen so far with at most that first weight.
        TreeMap<Double, Double> stairs = new TreeMap<>();
        for (State state : states) {
            Map.Entry<Double, Double> below = stairs.floorEntry(state.weight);
            if (below != null && below.getValue() <= state.otherWeight) {
                continue;
            }
            Map.Entry<Double, Double> above = stairs.ceilingEntry(state.weight);
            while (above != null && above.getValue() >= state.otherWeight) {
                stairs.remove(above.getKey());
                above = stairs.ceilingEntry(state.weight);
            }
            stairs.put(state.weight, state.otherWeight);
            kept.add(state);
            if (kept.size() == keep) {
                break;
            }
        }
        return kept;
    }
}
