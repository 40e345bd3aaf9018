package dev.rechunker.cli;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/**
 * An option or an argument of a command, and what was given for it.
 *
 * @param <T> what it is: {@code boolean} of an option without a value, an array of one that may be given several times
 */
final class Arg<T> {
    private final ArgSpec spec;

    Arg(ArgSpec spec) {
        this.spec = spec;
    }

    /** {@return what was given, or null} */
    @Nullable
    T value() {
        return spec.getValue();
    }

    /** {@return what was given for what the command cannot be without} */
    T given() {
        return requireNonNull(value());
    }

    /** {@return what was given, or else another value} */
    T or(T other) {
        T value = value();
        return value == null ? other : value;
    }

    /** {@return whether an option without a value was given} */
    boolean isGiven() {
        return Boolean.TRUE.equals(value());
    }
}
