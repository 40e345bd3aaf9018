package dev.rechunker.exec;

import java.io.IOException;

/** Says which task failed, on which part of which array, and why. Failures of other tasks are suppressed exceptions. */
public final class TaskFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    TaskFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
