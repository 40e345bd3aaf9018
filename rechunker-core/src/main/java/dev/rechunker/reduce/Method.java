package dev.rechunker.reduce;

import dev.rechunker.array.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What becomes of a box of elements. Missing elements, and numbers that are NaN, are left out of all but the nearest.
 */
public enum Method {
    /**
     * The mean: of integers exactly, and rounded to the nearest integer, of two to the even one; of floats in double
     * precision.
     */
    MEAN,
    /** The most frequent value; the smallest of several. */
    MODE,
    /** The element nearest to the middle of the box; towards the start on axes where two are equally near. */
    NEAREST,
    /** The smallest value. */
    MIN,
    /** The largest value. */
    MAX,
    /** The median; of an even number of elements, the mean of the two in the middle, rounded as for {@link #MEAN}. */
    MEDIAN;

    /** {@return the name in options and metadata} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the method with a name}
     *
     * @throws IllegalArgumentException if there is none; the message lists those that exist
     */
    public static Method of(String name) {
        return Arrays.stream(values())
                .filter(method -> method.text().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + name
                        + "\" is not a way to reduce elements; there are "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Method::text).toList())));
    }

    /** {@return why elements of a type cannot be reduced like this; empty if they can} */
    public Optional<String> obstacle(DataType type) {
        if (type.isVariable()) {
            return Optional.of("elements of variable length cannot be reduced");
        }
        boolean possible = switch (type.kind()) {
            case BOOL, INT, UINT, FLOAT, DATETIME, TIMEDELTA -> true;
            case COMPLEX -> List.of(MEAN, MODE, NEAREST).contains(this);
            default -> List.of(MODE, NEAREST).contains(this);
        };
        return possible
                ? Optional.empty()
                : Optional.of("elements of type " + type.name() + " have no " + text()
                        + "; reduce them with nearest or mode");
    }

    /**
     * {@return how far the place that a reduced element stands for is from the first element of its box, on an axis, in
     * elements}
     *
     * @param factor the extent of the box
     */
    public double shift(int factor) {
        return this == NEAREST ? Math.floorDiv(factor - 1, 2) : (factor - 1) / 2.0;
    }
}
