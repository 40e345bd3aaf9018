package dev.rechunker.cli;

import dev.rechunker.resource.ByteSize;

/** How much memory a command may hold for data. */
final class BoundOption {
    private static final String NAME = "--max-mem";
    private static final String LABEL = "SIZE";
    private static final String DESCRIPTION = "The bound: 1GB, 512MiB, 50%% (of this JVM's heap), or a number of bytes";

    private final Arg<String> bound;
    private final String leftOut;

    /** Adds it to a command that cannot be without it. */
    BoundOption(Command command) {
        bound = command.required(String.class, NAME, LABEL, DESCRIPTION + ".");
        leftOut = "";
    }

    /** Adds it to a command that takes another bound if none is told. */
    BoundOption(Command command, String leftOut) {
        bound = command.text(NAME, LABEL, DESCRIPTION + "; " + leftOut + " unless told otherwise.");
        this.leftOut = leftOut;
    }

    /** {@return the bound} */
    ByteSize size() {
        try {
            return ByteSize.parse(bound.or(leftOut));
        } catch (IllegalArgumentException e) {
            throw new UsageException(NAME + ": " + e.getMessage());
        }
    }
}
