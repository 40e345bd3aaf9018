package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.hierarchy.PathPattern;
import dev.rechunker.reduce.Method;
import dev.rechunker.reduce.Reducer;
import dev.rechunker.store.FormatRules.Axis;
import dev.rechunker.store.FormatRules.Image;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.LevelsView;
import dev.rechunker.view.Pyramid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which levels are made of an array: how many, by which factors, and how elements are reduced.
 *
 * <p>Without factors, the axes of space are halved. An axis on which elements are farther apart than on others is
 * halved only once the others have caught up, that is, if its distance is less than twice the smallest.
 */
final class LevelRule implements LevelsView.Choice {
    /** The extent that the smallest level has at most, unless another is given. */
    private static final long USUAL_EXTENT = 256;

    /** The most levels of an array. */
    private static final int MOST_LEVELS = 30;

    /** The most elements that are reduced to one. */
    private static final int MOST_ELEMENTS = 1 << 20;

    private static final String AUTO = "auto";

    /** The number of levels; 0 if it follows from {@link #until}. */
    private final int count;

    private final long until;
    private final List<Factors> factors;
    private final List<Methods> methods;
    private final Set<String> seen = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();
    /** Whether there is an array of which levels can be made, unless it is too small. */
    private boolean any;

    /**
     * The factors of one step.
     *
     * @param names the names of the axes; empty if the factors are for all axes in order
     */
    private record Factors(List<String> names, List<Integer> values) {}

    /** The method for the arrays that a pattern matches. */
    private record Methods(Predicate<String> paths, Method method) {}

    private LevelRule(int count, long until, List<Factors> factors, List<Methods> methods) {
        this.count = count;
        this.until = until;
        this.factors = factors;
        this.methods = methods;
    }

    /**
     * {@return the rule of some options; empty if no levels are made}
     *
     * @throws IllegalArgumentException if one of them is not of its form
     */
    static Optional<LevelRule> of(Options options) {
        Optional<String> levels = options.get(Option.LEVELS);
        Optional<String> factors = options.get(Option.FACTORS);
        Optional<String> method = options.get(Option.METHOD);
        if (levels.isEmpty() && factors.isEmpty()) {
            if (method.isPresent()) {
                throw new IllegalArgumentException(
                        "the method \"" + method.get() + "\" is for levels, of which none are made; ask for them, too");
            }
            return Optional.empty();
        }
        String asked = levels.orElse(AUTO);
        return Optional.of(new LevelRule(
                isAuto(asked) ? 0 : count(asked),
                isAuto(asked) ? until(asked) : 0,
                factors.map(LevelRule::factors).orElse(List.of()),
                method.map(LevelRule::methods).orElse(List.of())));
    }

    /** Checks the form of a number of levels: a number, {@code auto}, or {@code auto:256}. */
    static void requireLevels(String text) {
        if (isAuto(text)) {
            until(text);
        } else {
            count(text);
        }
    }

    /** Checks the form of factors. */
    static void requireFactors(String text) {
        factors(text);
    }

    /** Checks the form of methods. */
    static void requireMethods(String text) {
        methods(text);
    }

    private static boolean isAuto(String text) {
        return text.equals(AUTO) || text.startsWith(AUTO + ":");
    }

    private static long until(String text) {
        if (text.equals(AUTO)) {
            return USUAL_EXTENT;
        }
        return positive("levels", text, text.substring(AUTO.length() + 1), Integer.MAX_VALUE);
    }

    private static int count(String text) {
        return positive("levels", text, text, MOST_LEVELS);
    }

    private static int positive(String subject, String text, String number, int most) {
        try {
            int value = Integer.parseInt(number.strip());
            if (value >= 1 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // is refused like a number that is not possible
        }
        throw new IllegalArgumentException(subject + " \"" + text + "\" has \"" + number
                + "\" where a whole number from 1 to " + most + " belongs");
    }

    private static List<Factors> factors(String text) {
        List<Factors> all = new ArrayList<>();
        for (String step : text.split(";", -1)) {
            List<String> names = new ArrayList<>();
            List<Integer> values = new ArrayList<>();
            long product = 1;
            for (String part : step.split(",", -1)) {
                int equals = part.indexOf('=');
                if (equals >= 0) {
                    names.add(part.substring(0, equals).strip());
                }
                int value = positive("factors", text, part.substring(equals + 1), MOST_ELEMENTS);
                values.add(value);
                product = Math.min((long) MOST_ELEMENTS + 1, product * value);
            }
            if (!names.isEmpty()
                    && (names.size() != values.size() || new LinkedHashSet<>(names).size() != names.size())) {
                throw new IllegalArgumentException("factors \"" + text + "\" must name each axis once, or none");
            }
            if (product > MOST_ELEMENTS) {
                throw new IllegalArgumentException("factors \"" + step.strip() + "\" reduce more than " + MOST_ELEMENTS
                        + " elements to one; make levels between");
            }
            if (values.stream().allMatch(value -> value == 1)) {
                throw new IllegalArgumentException("factors \"" + step.strip() + "\" reduce nothing");
            }
            all.add(new Factors(names, values));
        }
        return all;
    }

    private static List<Methods> methods(String text) {
        List<Methods> all = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int equals = part.lastIndexOf('=');
            Predicate<String> paths = equals < 0
                    ? path -> true
                    : pattern(part.substring(0, equals).strip());
            all.add(new Methods(paths, Method.of(part.substring(equals + 1).strip())));
        }
        return all;
    }

    private static Predicate<String> pattern(String pattern) {
        if (pattern.isEmpty()) {
            throw new IllegalArgumentException(
                    "a method has an empty pattern; write pattern=method, or a method alone");
        }
        return PathPattern.parse(pattern);
    }

    @Override
    public Optional<Pyramid> of(String path, ArraySpec array, Image image) {
        seen.addAll(array.dimensionNames().stream().filter(name -> name != null).toList());
        if (count == 1 && image.levels().size() > 1) {
            throw new IllegalArgumentException("one level is asked for, but " + (path.isEmpty() ? "the image" : path)
                    + " has " + image.levels().size() + "; to copy only one, name it as the source, such as "
                    + NodePaths.below(path, image.levels().get(0)) + "; to copy all, ask for no levels");
        }
        List<int[]> steps = steps(array, image);
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        Method method = method(path, array.dataType(), image);
        Optional<String> obstacle = method.obstacle(array.dataType());
        if (obstacle.isPresent()) {
            if (array.dataType().isVariable()) {
                return Optional.empty();
            }
            throw new IllegalArgumentException((path.isEmpty() ? "the array" : path) + ": " + obstacle.get());
        }
        return Optional.of(new Pyramid(steps, method));
    }

    /**
     * Checks that levels are made, and that the axes that factors name exist.
     *
     * @throws IllegalArgumentException if not
     */
    void requireUse(StoreLocation source) {
        Set<String> unknown = new LinkedHashSet<>();
        factors.forEach(step -> unknown.addAll(step.names));
        unknown.removeAll(used);
        unknown.removeAll(seen);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "factors name " + unknown + ", but the axes of the arrays in " + source + " are called " + seen);
        }
        if (!any && (count > 1 || !factors.isEmpty())) {
            throw new IllegalArgumentException("no levels can be made of " + source
                    + ": no array has two axes of space, or as many axes as there are factors; name the factors of"
                    + " axes, such as \"y=2, x=2\"");
        }
    }

    private Method method(String path, DataType type, Image image) {
        for (Methods rule : methods) {
            if (rule.paths.test(path)) {
                return rule.method;
            }
        }
        return image.labels() || Method.MEAN.obstacle(type).isPresent() ? Method.MODE : Method.MEAN;
    }

    private List<int[]> steps(ArraySpec array, Image image) {
        if (array.dataType().isVariable() || !isApplicable(array, image)) {
            return List.of();
        }
        any = true;
        List<int[]> steps = new ArrayList<>();
        Shape shape = array.shape();
        double[] spacing = image.axes().stream().mapToDouble(Axis::spacing).toArray();
        while (shape.elements() > 0 && steps.size() < MOST_LEVELS - 1 && (count == 0 || steps.size() < count - 1)) {
            int[] step = step(array, steps.size(), shape, image, spacing);
            if (Arrays.stream(step).allMatch(factor -> factor == 1)
                    || (count == 0 && largest(shape, array, image) <= until)) {
                break;
            }
            steps.add(step);
            shape = Reducer.reduced(shape, step);
        }
        return steps;
    }

    private boolean isApplicable(ArraySpec array, Image image) {
        if (factors.isEmpty()) {
            return image.axes().stream().filter(Axis::space).count() >= 2;
        }
        return array.shape().rank() >= 2
                && factors.stream()
                        .allMatch(step -> step.names.isEmpty()
                                ? step.values.size() == array.shape().rank()
                                : array.dimensionNames().containsAll(step.names));
    }

    private long largest(Shape shape, ArraySpec array, Image image) {
        long largest = 0;
        for (int axis = 0; axis < shape.rank(); axis++) {
            boolean isReduced = factors.isEmpty()
                    ? image.axes().get(axis).space()
                    : factor(factors.get(factors.size() - 1), array.dimensionNames(), axis) > 1;
            largest = isReduced ? Math.max(largest, shape.extent(axis)) : largest;
        }
        return largest;
    }

    /** {@return the factors from a level of a shape to the next; all of them are 1 if there is none} */
    private int[] step(ArraySpec array, int level, Shape shape, Image image, double[] spacing) {
        int[] step = new int[shape.rank()];
        Arrays.fill(step, 1);
        if (!factors.isEmpty()) {
            Factors stated = factors.get(Math.min(level, factors.size() - 1));
            used.addAll(stated.names);
            for (int axis = 0; axis < step.length; axis++) {
                step[axis] = shape.extent(axis) == 1 ? 1 : factor(stated, array.dimensionNames(), axis);
            }
            return step;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int axis = 0; axis < step.length; axis++) {
            if (image.axes().get(axis).space() && shape.extent(axis) > 1) {
                least = Math.min(least, spacing[axis]);
            }
        }
        for (int axis = 0; axis < step.length; axis++) {
            if (image.axes().get(axis).space() && shape.extent(axis) > 1 && spacing[axis] < 2 * least) {
                step[axis] = 2;
                spacing[axis] *= 2;
            }
        }
        return step;
    }

    private static int factor(Factors stated, List<@Nullable String> names, int axis) {
        if (stated.names.isEmpty()) {
            return stated.values.get(axis);
        }
        int index = stated.names.indexOf(axis < names.size() ? names.get(axis) : null);
        return index < 0 ? 1 : stated.values.get(index);
    }

    /** {@return a view of a source with the levels} */
    LevelsView of(StoreLocation source, StoreLocation target) {
        return new LevelsView(source, target, this);
    }
}
