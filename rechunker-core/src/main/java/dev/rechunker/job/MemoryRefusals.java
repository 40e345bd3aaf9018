package dev.rechunker.job;

import dev.rechunker.run.InfeasiblePlanException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has no room in the bound, of all that has to have some. The refusal that asks for most is the one to tell: with
 * the least bound that it names there is room for everything.
 */
final class MemoryRefusals {
    private @Nullable InfeasiblePlanException largest;

    /** Makes a plan. */
    interface Step<T, E extends Exception> {
        T plan() throws E;
    }

    /** {@return what was planned, or nothing if it was refused} */
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

    /** Throws the largest, if there is any. */
    void throwLargest() {
        if (largest != null) {
            throw largest;
        }
    }
}
