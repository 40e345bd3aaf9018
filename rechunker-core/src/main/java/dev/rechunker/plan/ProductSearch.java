package dev.rechunker.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best combination of one {@link Choice} per axis, where what is minimized and what is bounded are products
 * over the axes.
 *
 * <p>Combines axis by axis and keeps the Pareto points in (cost, first weight, second weight): a combination that is no
 * better in any of them cannot become the best, because all factors are positive. Partial combinations that cannot beat
 * a solution already known are dropped: every element must lie in some window, so the cost still to come is at least
 * the number of windows still to come. The search is exact unless more than {@link #LIMIT} points survive an axis; then
 * the costliest go.
 */
final class ProductSearch {
    private static final int LIMIT = 4_000;
    private static final int SKETCH = 40;

    /**
     * How many source chunks make a slab and how many write units a window, on one axis.
     *
     * @param slab source chunks
     * @param window write units
     */
    record Parts(long slab, long window) {}

    /**
     * One way to cut one axis.
     *
     * @param parts the way
     * @param cost the factor to minimize
     * @param tie the factor that decides between equal costs
     * @param weight the factor of the first bounded product
     * @param otherWeight the factor of the second bounded product
     */
    record Choice(Parts parts, double cost, double tie, double weight, double otherWeight) {}

    /** A combination of choices for the first axes. */
    record State(
            @Nullable State before,
            @Nullable Choice choice,
            double cost,
            double tie,
            double weight,
            double otherWeight) {
        private static final State NONE = new State(null, null, 1, 1, 1, 1);

        private State with(Choice next) {
            return new State(
                    this, next, cost * next.cost, tie * next.tie, weight * next.weight, otherWeight * next.otherWeight);
        }

        /** {@return the parts chosen, axis 0 first} */
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
     * Bounds the products of the weights.
     *
     * @param limit the most the product of the first weights may be
     * @param otherLimit the most the product of the second weights may be
     */
    ProductSearch(double limit, double otherLimit) {
        this.limit = limit;
        this.otherLimit = otherLimit;
    }

    /** {@return the Pareto-best combinations within the limits, the best first; empty if none is} */
    List<State> solve(List<List<Choice>> axes) {
        return solve(axes, new double[axes.size()], Double.POSITIVE_INFINITY, LIMIT);
    }

    /**
     * {@return the same, where the cost of an axis is at least its length over either of its weights}
     *
     * @param lengths the lengths of the axes, in the unit of the weights
     */
    List<State> solveCovering(List<List<Choice>> axes, double[] lengths) {
        List<State> sketch = solve(axes, lengths, Double.POSITIVE_INFINITY, SKETCH);
        return solve(axes, lengths, sketch.isEmpty() ? Double.POSITIVE_INFINITY : sketch.get(0).cost, LIMIT);
    }

    private List<State> solve(List<List<Choice>> axes, double[] lengths, double known, int keep) {
        List<State> states = List.of(State.NONE);
        for (int axis = 0; axis < axes.size(); axis++) {
            double least = 1;
            double leastOther = 1;
            double uncovered = 1;
            for (int rest = axis + 1; rest < axes.size(); rest++) {
                least *= axes.get(rest).stream()
                        .mapToDouble(Choice::weight)
                        .min()
                        .orElse(1);
                leastOther *= axes.get(rest).stream()
                        .mapToDouble(Choice::otherWeight)
                        .min()
                        .orElse(1);
                uncovered *= lengths[rest];
            }
            List<State> next = new ArrayList<>();
            for (State state : states) {
                for (Choice choice : axes.get(axis)) {
                    double weight = state.weight * choice.weight;
                    double otherWeight = state.otherWeight * choice.otherWeight;
                    double toCome =
                            Math.max(1, Math.max(uncovered * weight / limit, uncovered * otherWeight / otherLimit));
                    if (weight * least <= limit
                            && otherWeight * leastOther <= otherLimit
                            && state.cost * choice.cost * toCome <= known * (1 + 1e-9)) {
                        next.add(state.with(choice));
                    }
                }
            }
            states = pareto(next, keep);
        }
        return states;
    }

    /** {@return the choices without those that another one equals or beats in cost and both weights} */
    static List<Choice> prune(List<Choice> choices) {
        List<State> states = new ArrayList<>();
        choices.forEach(choice -> states.add(State.NONE.with(choice)));
        List<Choice> kept = new ArrayList<>();
        for (State state : pareto(states, Integer.MAX_VALUE)) {
            if (state.choice != null) {
                kept.add(state.choice);
            }
        }
        return kept;
    }

    /** Going through the states from the best, one is dominated if an earlier one has no more of either weight. */
    private static List<State> pareto(List<State> states, int keep) {
        states.sort(Comparator.comparingDouble(State::cost)
                .thenComparingDouble(State::tie)
                .thenComparingDouble(State::weight)
                .thenComparingDouble(State::otherWeight));
        List<State> kept = new ArrayList<>();
        // A staircase: as the first weight grows, the least second weight seen with it or with less falls.
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
