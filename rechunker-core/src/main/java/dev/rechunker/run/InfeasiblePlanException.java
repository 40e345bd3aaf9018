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
    private final long usefulMemory;

    /**
     * Creates an exception for a memory limit that is too small.
     *
     * @param reason what does not fit
     * @param maxMem the memory limit in bytes
     * @param minimumMemory the smallest memory limit that works, in bytes
     */
    public InfeasiblePlanException(String reason, long maxMem, long minimumMemory) {
        this("no plan fits into maxMem = " + ByteSize.of(maxMem) + ": " + reason, minimumMemory, minimumMemory, null);
    }

    /** Creates an exception for a copy that is not possible with any memory limit. */
    public InfeasiblePlanException(String reason) {
        this(reason, Long.MAX_VALUE, Long.MAX_VALUE, null);
    }

    private InfeasiblePlanException(String problem, long minimumMemory, long usefulMemory, @Nullable Throwable cause) {
        super(Advice.message(problem, advice(minimumMemory, usefulMemory)), cause);
        this.problem = problem;
        this.minimumMemory = minimumMemory;
        this.usefulMemory = usefulMemory;
    }

    private static List<Advice> advice(long minimumMemory, long usefulMemory) {
        return minimumMemory == Long.MAX_VALUE ? List.of() : List.of(Advice.leastMemory(minimumMemory, usefulMemory));
    }

    /** {@return the same exception, with the name of what could not be planned at the start of its message} */
    public InfeasiblePlanException of(String what) {
        return new InfeasiblePlanException(what + ": " + problem, minimumMemory, usefulMemory, this);
    }

    /**
     * {@return the same exception, with another limit in its message}
     *
     * @param bytes the smallest memory limit with which each byte of the source is read at most twice, in bytes
     */
    public InfeasiblePlanException withUsefulMemory(long bytes) {
        return new InfeasiblePlanException(problem, minimumMemory, Math.max(minimumMemory, bytes), this);
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public List<Advice> advice() {
        return advice(minimumMemory, usefulMemory);
    }

    /**
     * {@return the smallest memory limit with which there is a plan, in bytes; {@link Long#MAX_VALUE} if there is none}
     */
    public long minimumMemory() {
        return minimumMemory;
    }

    /**
     * {@return the smallest memory limit, to about two percent, with which each byte of the source is read at most
     * twice, in bytes; {@link #minimumMemory()} if that is not known, or does}
     */
    public long usefulMemory() {
        return usefulMemory;
    }
}
