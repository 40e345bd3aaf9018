package dev.rechunker.cli;

import dev.rechunker.resource.ByteSize;

/** The option {@code --max-mem}, the most memory that a command may use for data. */
final class BoundOption {
    /** The default of commands that copy or plan, which is that of {@code Rechunker.copy}. */
    static final String HALF_OF_HEAP = "50%";

    private static final String NAME = "--max-mem";
    private static final String LABEL = "SIZE";
    private static final String DESCRIPTION =
            "The most memory to use for data: 1GB, 512MiB, 50%% (of this JVM's heap), or a number of bytes";

    private final Arg<String> bound;
    private final String leftOut;

    /** Adds the option to a command, with its default. */
    BoundOption(Command command, String leftOut) {
        bound = command.text(NAME, LABEL, DESCRIPTION + ". Default: " + leftOut.replace("%", "%%") + ".");
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
