package dev.rechunker.job;

import dev.rechunker.run.InfeasiblePlanException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The refusals of plans that exceed the memory limit. The one that needs most memory is thrown, so that the limit in
 * its message is enough for everything.
 */
final class MemoryRefusals {
    private @Nullable InfeasiblePlanException largest;

    /** A step of planning, which may be refused. */
    interface Step<T, E extends Exception> {
        T plan() throws E;
    }

    /** {@return the result of a step; empty if it was refused} */
    <T, E extends Exception> Optional<T> attempt(Step<T, E> step) throws E {
        try {
            return Optional.of(step.plan());
        } catch (InfeasiblePlanException e) {
            add(e);
            return Optional.empty();
        }
    }

    void add(InfeasiblePlanException refusal) {
        if (largest == null || largest.minimumMemory() < refusal.minimumMemory()) {
            largest = refusal;
        }
    }

    /** Throws the refusal that needs most memory, if there is any. */
    void throwLargest() {
        if (largest != null) {
            throw largest;
        }
    }
}
