package dev.rechunker.run;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says that no strategy holds the bound, and what would. */
public final class InfeasiblePlanException extends RuntimeException implements Advised {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final long minimumMemory;

    /** Says why nothing holds a bound, in bytes, and which would do. */
    public InfeasiblePlanException(String reason, long maxMem, long minimumMemory) {
        this(
                "no plan holds maxMem = " + maxMem + " bytes (" + ByteSize.of(maxMem) + "): " + reason,
                minimumMemory,
                null);
    }

    /** Says why no bound would do. */
    public InfeasiblePlanException(String reason) {
        this(reason, Long.MAX_VALUE, null);
    }

    private InfeasiblePlanException(String problem, long minimumMemory, @Nullable Throwable cause) {
        super(Advice.message(problem, advice(minimumMemory)), cause);
        this.problem = problem;
        this.minimumMemory = minimumMemory;
    }

    private static List<Advice> advice(long minimumMemory) {
        return minimumMemory == Long.MAX_VALUE ? List.of() : List.of(Advice.leastMemory(minimumMemory));
    }

    /** {@return the same, saying of what} */
    public InfeasiblePlanException of(String what) {
        return new InfeasiblePlanException(what + ": " + problem, minimumMemory, this);
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public List<Advice> advice() {
        return advice(minimumMemory);
    }

    /** {@return the least maxMem with which there is a plan, in bytes; {@link Long#MAX_VALUE} if there is none} */
    public long minimumMemory() {
        return minimumMemory;
    }
}
