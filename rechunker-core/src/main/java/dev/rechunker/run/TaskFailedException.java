package dev.rechunker.run;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Says which task failed, on which part of which array, and why. Failures of other tasks are suppressed exceptions. */
public final class TaskFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates it. */
    public TaskFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** {@return the same with more to say before and after its message} */
    public TaskFailedException with(String before, String after) {
        TaskFailedException more = new TaskFailedException(before + getMessage() + after, getCause());
        for (Throwable suppressed : getSuppressed()) {
            more.addSuppressed(suppressed);
        }
        return more;
    }
}
