package dev.rechunker.run;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown if no plan keeps the memory limit. The message names the smallest limit that works, if there is one. */
public final class InfeasiblePlanException extends RuntimeException implements Advised {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final long minimumMemory;

    /**
     * Creates an exception for a memory limit that is too small.
     *
     * @param reason what does not fit
     * @param maxMem the memory limit in bytes
     * @param minimumMemory the smallest memory limit that works, in bytes
     */
    public InfeasiblePlanException(String reason, long maxMem, long minimumMemory) {
        this("no plan fits into maxMem = " + ByteSize.of(maxMem) + ": " + reason, minimumMemory, null);
    }

    /** Creates an exception for a copy that is not possible with any memory limit. */
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

    /** {@return the same exception, with the name of what could not be planned at the start of its message} */
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

    /**
     * {@return the smallest memory limit with which there is a plan, in bytes; {@link Long#MAX_VALUE} if there is none}
     */
    public long minimumMemory() {
        return minimumMemory;
    }
}
