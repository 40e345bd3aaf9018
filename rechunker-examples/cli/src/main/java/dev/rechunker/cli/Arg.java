package dev.rechunker.cli;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/**
 * An option or an argument of a command, and the value that was given.
 *
 * @param <T> the type of the value: {@code boolean} for an option without a value, an array for one with several values
 */
final class Arg<T> {
    private final ArgSpec spec;

    Arg(ArgSpec spec) {
        this.spec = spec;
    }

    /** {@return the value, or null if none was given} */
    @Nullable
    T value() {
        return spec.getValue();
    }

    /** {@return the value of a required option or argument} */
    T given() {
        return requireNonNull(value());
    }

    /** {@return the value, or {@code other} if none was given} */
    T or(T other) {
        T value = value();
        return value == null ? other : value;
    }

    /** {@return whether an option without a value was given} */
    boolean isGiven() {
        return Boolean.TRUE.equals(value());
    }
}
