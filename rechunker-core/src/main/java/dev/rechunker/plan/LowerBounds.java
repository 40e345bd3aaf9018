package dev.rechunker.plan;

import dev.rechunker.plan.ProductSearch.State;
import java.util.List;

/**
 * Lower bounds of the costs of combinations of choices. No product of weights exceeds its limit, so for all powers
 * {@code a} and {@code b} that are not negative
 *
 * <pre>{@code cost >= cost (weight / limit)^a (otherWeight / otherLimit)^b}</pre>
 *
 * <p>The right side is a product over the axes as well, and is at least the product of the least factors of the axes.
 * This holds for any powers. The ones used here are the corners, and mixtures of both weights. An axis that is cut into
 * slabs and windows costs about the sum of their numbers, minus one, so that powers a little above one half give the
 * best bounds.
 */
final class LowerBounds {
    private static final double[][] POWERS = {
        {0.6, 0.6}, {0.5, 0.5}, {0.7, 0.7}, {1, 0}, {0, 1}, {0.75, 0.25}, {0.25, 0.75}, {0, 0}
    };

    /** The number of pairs of powers, of which the first is usually the best. */
    static final int PAIRS = POWERS.length;

    private final List<AxisWays> axes;
    /** By axis and powers, the least product of this axis and those after it. */
    private final double[][] rest;

    LowerBounds(List<AxisWays> axes, double limit, double otherLimit) {
        this.axes = axes;
        int end = axes.size();
        rest = new double[end + 1][POWERS.length];
        for (int p = 0; p < POWERS.length; p++) {
            rest[end][p] = 1 / factor(p, 1, limit, otherLimit);
            for (int axis = end - 1; axis >= 0; axis--) {
                rest[axis][p] = rest[axis + 1][p] * axes.get(axis).leastFactor(p);
            }
        }
    }

    private static double factor(int powers, double cost, double weight, double otherWeight) {
        return factorOfLogs(powers, cost, Math.log(weight), Math.log(otherWeight));
    }

    /** {@return the factor of a choice whose weights have these logarithms} */
    static double factorOfLogs(int powers, double cost, double log, double otherLog) {
        return cost * Math.exp(POWERS[powers][0] * log + POWERS[powers][1] * otherLog);
    }

    /** {@return the least cost that a combination for the first axes has when it is complete} */
    double of(State state, int axes) {
        double bound = 0;
        for (int p = 0; p < POWERS.length; p++) {
            bound = Math.max(bound, factor(p, state.cost(), state.weight(), state.otherWeight()) * rest[axes][p]);
        }
        return bound;
    }

    /** {@return the bounds of a combination for the first axes, extended by each choice of the next axis} */
    Next next(State state, int axis) {
        double[] before = new double[POWERS.length];
        for (int p = 0; p < before.length; p++) {
            before[p] = factor(p, state.cost(), state.weight(), state.otherWeight()) * rest[axis + 1][p];
        }
        return new Next(before, axes.get(axis));
    }

    /** The bounds of one combination with each choice of the next axis, in the order of promising choices. */
    static final class Next {
        private final double[] before;
        private final AxisWays ways;

        private Next(double[] before, AxisWays ways) {
            this.before = before;
            this.ways = ways;
        }

        /** {@return the bound by the first powers alone, which increases from choice to choice} */
        double first(int choice) {
            return before[0] * ways.factor(0, choice);
        }

        /** {@return whether the other powers allow a cost of at most {@code cost}} */
        boolean mayCost(double cost, int choice) {
            for (int p = 1; p < before.length; p++) {
                if (before[p] * ways.factor(p, choice) > cost) {
                    return false;
                }
            }
            return true;
        }
    }
}
