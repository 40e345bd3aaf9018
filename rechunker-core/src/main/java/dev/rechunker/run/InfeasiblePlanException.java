package dev.rechunker.run;

import dev.rechunker.resource.ByteSize;

/** Says that no strategy holds the bound, and what would. */
public final class InfeasiblePlanException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long minimumMemory;

    /** Says why nothing holds a bound, in bytes, and which would do. */
    public InfeasiblePlanException(String reason, long maxMem, long minimumMemory) {
        super("no plan holds maxMem = " + maxMem + " bytes (" + ByteSize.of(maxMem) + "): " + reason
                + "; the least possible maxMem is " + minimumMemory + " bytes (" + ByteSize.of(minimumMemory)
                + ")");
        this.minimumMemory = minimumMemory;
    }

    /** Says why no bound would do. */
    public InfeasiblePlanException(String reason) {
        super(reason);
        this.minimumMemory = Long.MAX_VALUE;
    }

    private InfeasiblePlanException(String what, InfeasiblePlanException cause) {
        super(what + ": " + cause.getMessage(), cause);
        this.minimumMemory = cause.minimumMemory;
    }

    /** {@return the same, saying of what} */
    public InfeasiblePlanException of(String what) {
        return new InfeasiblePlanException(what, this);
    }

    /** {@return the least maxMem with which there is a plan, in bytes; {@link Long#MAX_VALUE} if there is none} */
    public long minimumMemory() {
        return minimumMemory;
    }
}
