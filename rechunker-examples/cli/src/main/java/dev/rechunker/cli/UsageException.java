package dev.rechunker.cli;

/** Thrown if a command is invalid or refused; nothing was written. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    /** Creates an exception with the message of a refusal by the library. */
    UsageException(Exception refusal) {
        super(Wording.of(refusal), refusal);
    }
}
