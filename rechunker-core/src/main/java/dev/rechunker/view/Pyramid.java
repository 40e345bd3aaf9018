package dev.rechunker.view;

import dev.rechunker.reduce.Method;
import java.util.Arrays;
import java.util.List;

/**
 * The levels of an array that are made.
 *
 * @param steps the factors of each level but the first, by which it is smaller than the one before, on each axis
 * @param method how elements are reduced
 */
public record Pyramid(List<int[]> steps, Method method) {
    /** Copies the list. */
    public Pyramid {
        steps = List.copyOf(steps);
    }

    /** {@return the number of levels, with the one that has all elements} */
    public int levels() {
        return steps.size() + 1;
    }

    /** {@return the factors from the level with all elements to one of the others} */
    long[] factors(int level) {
        long[] factors = new long[steps.get(0).length];
        Arrays.fill(factors, 1);
        for (int[] step : steps.subList(0, level)) {
            for (int axis = 0; axis < factors.length; axis++) {
                factors[axis] *= step[axis];
            }
        }
        return factors;
    }

    /** {@return where the first element of a level is, on each axis, in elements of the level with all of them} */
    double[] shifts(int level) {
        double[] shifts = new double[steps.get(0).length];
        for (int l = 0; l < level; l++) {
            long[] before = factors(l);
            for (int axis = 0; axis < shifts.length; axis++) {
                shifts[axis] += before[axis] * method.shift(steps.get(l)[axis]);
            }
        }
        return shifts;
    }
}
