package dev.rechunker.cli;

import dev.rechunker.store.Failures;

/** Says that a command cannot be carried out as it was given; nothing was written. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    /** Creates it from the refusal of the library, in whose words it is said. */
    UsageException(Exception refusal) {
        super(Failures.reason(refusal), refusal);
    }
}
