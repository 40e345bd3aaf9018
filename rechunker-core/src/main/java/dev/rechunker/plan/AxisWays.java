package dev.rechunker.plan;

import dev.rechunker.plan.ProductSearch.Choice;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The choices of one axis in the orders in which {@link BestProduct} tries them. Contains the numbers that do not
 * depend on the limit: the factors of {@link LowerBounds}, and the least weights.
 */
final class AxisWays {
    private final List<Choice> cheapestFirst;
    private final List<Choice> promisingFirst;
    /** By powers, and by choice; the most promising choice first. */
    private final double[][] factors = new double[LowerBounds.PAIRS][];
    /** The least weight of each choice and those before it; the cheapest choice first. */
    private final double[] leastWeights;

    private final double[] leastOtherWeights;

    /**
     * Creates it of the choices of an axis.
     *
     * @param choices the choices as {@link ProductSearch#prune} returns them: the cheapest first
     */
    AxisWays(List<Choice> choices) {
        cheapestFirst = choices;
        int count = choices.size();
        double[] logs = choices.stream()
                .mapToDouble(choice -> Math.log(choice.weight()))
                .toArray();
        double[] otherLogs = choices.stream()
                .mapToDouble(choice -> Math.log(choice.otherWeight()))
                .toArray();
        double[] promising = new double[count];
        for (int i = 0; i < count; i++) {
            promising[i] = LowerBounds.factorOfLogs(0, choices.get(i).cost(), logs[i], otherLogs[i]);
        }
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> promising[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        promisingFirst = Arrays.stream(order).mapToObj(choices::get).toList();
        for (int p = 0; p < factors.length; p++) {
            factors[p] = new double[count];
            for (int i = 0; i < count; i++) {
                factors[p][i] =
                        LowerBounds.factorOfLogs(p, promisingFirst.get(i).cost(), logs[order[i]], otherLogs[order[i]]);
            }
        }
        leastWeights = choices.stream().mapToDouble(Choice::weight).toArray();
        leastOtherWeights = choices.stream().mapToDouble(Choice::otherWeight).toArray();
        for (int i = 1; i < count; i++) {
            leastWeights[i] = Math.min(leastWeights[i], leastWeights[i - 1]);
            leastOtherWeights[i] = Math.min(leastOtherWeights[i], leastOtherWeights[i - 1]);
        }
    }

    /** {@return the choices in the order of cost} */
    List<Choice> cheapestFirst() {
        return cheapestFirst;
    }

    /** {@return the choices in the order of their factors with the first powers} */
    List<Choice> promisingFirst() {
        return promisingFirst;
    }

    /** {@return the factor of a choice, by its place among the promising ones} */
    double factor(int powers, int choice) {
        return factors[powers][choice];
    }

    /** {@return the least factor of all choices} */
    double leastFactor(int powers) {
        double least = Double.POSITIVE_INFINITY;
        for (double factor : factors[powers]) {
            least = Math.min(least, factor);
        }
        return least;
    }

    /** {@return the least of all first weights; infinite if there is no choice} */
    double leastWeight() {
        return last(leastWeights);
    }

    /** {@return the least of all second weights; infinite if there is no choice} */
    double leastOtherWeight() {
        return last(leastOtherWeights);
    }

    private static double last(double[] least) {
        return least.length == 0 ? Double.POSITIVE_INFINITY : least[least.length - 1];
    }

    /**
     * {@return how many of the cheapest choices are too heavy to be combined with others} Some of the other choices may
     * be too heavy, too.
     */
    int tooHeavy(double weight, double otherWeight, double limit, double otherLimit) {
        int first = 0;
        int end = leastWeights.length;
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (weight * leastWeights[middle] <= limit && otherWeight * leastOtherWeights[middle] <= otherLimit) {
                end = middle;
            } else {
                first = middle + 1;
            }
        }
        return first;
    }
}
