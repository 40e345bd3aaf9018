package dev.rechunker.plan;

import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best of the combinations that {@link ProductSearch} lists, by branch and bound: a combination is left out
 * if its {@link LowerBounds} show that it cannot cost less than the best one known.
 *
 * <p>Axes with few choices come first, and are combined one by one as in {@link ProductSearch}. The last two axes are
 * combined without keeping a list: each pair is completed at once with the cheapest choice of the last axis that fits.
 * A quick search with few combinations finds a good one to start with. The search is exact unless more than
 * {@link ProductSearch#LIMIT} Pareto points remain after an axis; then the least promising ones are dropped.
 */
final class BestProduct {
    private static final int SKETCH = 40;

    /** A margin for rounding errors in the bounds. */
    private static final double ABOUT = 1 + 1e-9;

    private final double limit;
    private final double otherLimit;
    /** The axes in the order of the search. */
    private final List<Integer> order;

    private final List<AxisWays> axes;
    private final LowerBounds bounds;
    /** By axis, the product of the least weights of this axis and those after it. */
    private final double[] leastWeights;

    private final double[] leastOtherWeights;
    private @Nullable State best;
    private double most;

    /**
     * Prepares a search.
     *
     * @param ways the choices by axis
     * @param limit the largest product of the first weights that is allowed
     * @param otherLimit the largest product of the second weights that is allowed
     */
    BestProduct(List<AxisWays> ways, double limit, double otherLimit) {
        this.limit = limit;
        this.otherLimit = otherLimit;
        order = IntStream.range(0, ways.size())
                .boxed()
                .sorted(Comparator.comparingInt(
                        axis -> ways.get(axis).cheapestFirst().size()))
                .toList();
        axes = order.stream().map(ways::get).toList();
        bounds = new LowerBounds(axes, limit, otherLimit);
        leastWeights = new double[axes.size() + 1];
        leastOtherWeights = new double[axes.size() + 1];
        leastWeights[axes.size()] = 1;
        leastOtherWeights[axes.size()] = 1;
        for (int axis = axes.size() - 1; axis >= 0; axis--) {
            leastWeights[axis] = leastWeights[axis + 1] * axes.get(axis).leastWeight();
            leastOtherWeights[axis] =
                    leastOtherWeights[axis + 1] * axes.get(axis).leastOtherWeight();
        }
    }

    /**
     * {@return the best choice of each axis; empty if no combination is within the limits}
     *
     * @param known choices to start with, which are returned if they are within the limits and there are no better
     *     ones; or empty
     * @param most the most that a combination may cost
     */
    List<Choice> solve(List<Choice> known, double most) {
        this.most = most;
        State start = State.NONE;
        for (int axis : known.isEmpty() ? List.<Integer>of() : order) {
            start = start.with(known.get(axis));
        }
        if (!known.isEmpty() && start.cost() <= most && fits(start, 1, 1)) {
            best = start;
        } else {
            search(SKETCH);
        }
        search(ProductSearch.LIMIT);
        List<Choice> found = new ArrayList<>();
        for (State state = best; state != null && state.choice() != null; state = state.before()) {
            found.add(0, state.choice());
        }
        return IntStream.range(0, found.size())
                .mapToObj(axis -> found.get(order.indexOf(axis)))
                .toList();
    }

    private void search(int keep) {
        List<State> states = List.of(State.NONE);
        for (int axis = 0; axis < axes.size() - 2; axis++) {
            ProductSearch.Found next = new ProductSearch.Found();
            for (State state : states) {
                extend(state, axis, next::add);
            }
            states = mostPromising(next.pareto(Integer.MAX_VALUE), axis + 1, keep);
        }
        for (State state : states) {
            if (axes.size() > 1) {
                extend(state, axes.size() - 2, this::complete);
            } else if (axes.size() == 1) {
                complete(state);
            }
        }
    }

    /** Extends a combination by each choice of the next axis with which it may become the best. */
    private void extend(State state, int axis, Consumer<State> taker) {
        List<Choice> choices = axes.get(axis).promisingFirst();
        LowerBounds.Next next = bounds.next(state, axis);
        for (int i = 0; i < choices.size() && next.first(i) <= mostCost(); i++) {
            if (next.mayCost(mostCost(), i)) {
                State longer = state.with(choices.get(i));
                if (fits(longer, leastWeights[axis + 1], leastOtherWeights[axis + 1])) {
                    taker.accept(longer);
                }
            }
        }
    }

    /** Adds the cheapest choice of the last axis that fits, and keeps the result if it is the best so far. */
    private void complete(State state) {
        AxisWays last = axes.get(axes.size() - 1);
        List<Choice> choices = last.cheapestFirst();
        double most = mostCost();
        for (int i = last.tooHeavy(state.weight(), state.otherWeight(), limit, otherLimit); i < choices.size(); i++) {
            Choice choice = choices.get(i);
            if (state.cost() * choice.cost() > most) {
                return;
            }
            if (state.weight() * choice.weight() <= limit && state.otherWeight() * choice.otherWeight() <= otherLimit) {
                State complete = state.with(choice);
                best = best == null || complete.compareTo(best) < 0 ? complete : best;
                return;
            }
        }
    }

    private boolean fits(State state, double least, double leastOther) {
        return state.weight() * least <= limit && state.otherWeight() * leastOther <= otherLimit;
    }

    private double mostCost() {
        return best == null ? most : best.cost() * ABOUT;
    }

    /** {@return the {@code keep} combinations with the least bounds, the least first} */
    private List<State> mostPromising(List<State> states, int length, int keep) {
        record Bounded(State state, double bound) {}
        return states.stream()
                .map(state -> new Bounded(state, bounds.of(state, length)))
                .sorted(Comparator.comparingDouble(Bounded::bound))
                .limit(keep)
                .map(Bounded::state)
                .toList();
    }
}
