package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.job.Option;
import dev.rechunker.job.Options;
import org.jspecify.annotations.Nullable;

/**
 * Which smaller levels are made of arrays: by which factors, by which method, and how many. Immutable.
 *
 * <pre>{@code
 * Levels.by("z=1, y=2, x=2").mean().until(256)
 * Levels.auto().method("labels/**=mode, mean").count(4)
 * }</pre>
 *
 * <p>By default, means are made, or modes of labels and of elements that are no numbers, until no axis that becomes
 * smaller has more than 256 elements. Missing elements and NaN are left out; a box without any other is missing. Boxes
 * at the end of an axis are the smaller ones that are left.
 */
public final class Levels {
    private final String number;
    private final @Nullable String factors;
    private final @Nullable String methods;

    private Levels(String number, @Nullable String factors, @Nullable String methods) {
        this.number = number;
        this.factors = factors;
        this.methods = methods;
    }

    /**
     * {@return levels in which the axes of space are halved}
     *
     * <p>An axis on which elements are farther apart than on others is halved once the others have caught up: as long
     * as its distance is at least twice the smallest, it stays as it is. Axes of space are those that the metadata of
     * an image say, or else those named x, y, z, lat, lon and the like; all axes of two or three without names.
     */
    public static Levels auto() {
        return new Levels("auto", null, null);
    }

    /**
     * {@return levels each of which is smaller than the one before by these factors}
     *
     * @param factors the factors of all axes in order, {@code "1, 2, 2"}, or of axes by name, {@code "y=2, x=2"}; one
     *     text for each level after the first, of which the last is for all that follow
     * @throws IllegalArgumentException if there is none, or one is not of this form
     */
    public static Levels by(String... factors) {
        return checked(new Levels("auto", String.join(";", factors), null));
    }

    /** {@return the same with this many levels in all, of which the first has all elements} */
    public Levels count(int levels) {
        return checked(new Levels(Integer.toString(levels), factors, methods));
    }

    /** {@return the same with as many levels as it takes until no axis that becomes smaller is longer than this} */
    public Levels until(int extent) {
        return checked(new Levels("auto:" + extent, factors, methods));
    }

    /** {@return the same with means: of integers exactly, rounded to the nearest, of two to the even one} */
    public Levels mean() {
        return method("mean");
    }

    /** {@return the same with the most frequent value of each box, the smallest of several} */
    public Levels mode() {
        return method("mode");
    }

    /** {@return the same with the element that is nearest to the middle of each box, or to its start} */
    public Levels nearest() {
        return method("nearest");
    }

    /** {@return the same with the smallest value of each box} */
    public Levels min() {
        return method("min");
    }

    /** {@return the same with the largest value of each box} */
    public Levels max() {
        return method("max");
    }

    /** {@return the same with the median of each box} */
    public Levels median() {
        return method("median");
    }

    /**
     * {@return the same with methods by path}
     *
     * @param methods the name of a method, for all arrays; or several with patterns as for {@link ChunkRule#named}, of
     *     which the first that matches counts: {@code "labels/**=mode, mean"}
     * @throws IllegalArgumentException if it is not of this form
     */
    public Levels method(String methods) {
        return checked(new Levels(number, factors, requireNonNull(methods, "methods")));
    }

    private static Levels checked(Levels levels) {
        levels.set(Options.NONE);
        return levels;
    }

    /** {@return options with these levels} */
    Options set(Options options) {
        Options all = options.withValue(Option.LEVELS, number);
        all = factors == null ? all : all.withValue(Option.FACTORS, factors);
        return methods == null ? all : all.withValue(Option.METHOD, methods);
    }
}
