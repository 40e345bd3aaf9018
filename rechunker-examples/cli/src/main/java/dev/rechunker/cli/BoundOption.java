package dev.rechunker.cli;

import dev.rechunker.resource.ByteSize;

/** The option {@code --max-mem}, the most memory that a command may use for data. */
final class BoundOption {
    private static final String NAME = "--max-mem";
    private static final String LABEL = "SIZE";
    private static final String DESCRIPTION =
            "The most memory to use for data: 1GB, 512MiB, 50%% (of this JVM's heap), or a number of bytes";

    private final Arg<String> bound;
    private final String leftOut;

    /** Adds the option to a command that requires it. */
    BoundOption(Command command) {
        bound = command.required(String.class, NAME, LABEL, DESCRIPTION + ".");
        leftOut = "";
    }

    /** Adds the option to a command that has a default for it. */
    BoundOption(Command command, String leftOut) {
        bound = command.text(NAME, LABEL, DESCRIPTION + ". Default: " + leftOut + ".");
        this.leftOut = leftOut;
    }

    /** {@return the value of the option, or its default} */
    ByteSize size() {
        try {
            return ByteSize.parse(bound.or(leftOut));
        } catch (IllegalArgumentException e) {
            throw new UsageException(NAME + ": " + e.getMessage());
        }
    }
}
