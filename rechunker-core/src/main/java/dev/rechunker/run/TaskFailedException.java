package dev.rechunker.run;

import com.google.common.collect.ImmutableList;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a run fails: in a task, which the message names with the array and the part of it, or before or after its
 * tasks. Failures of other tasks are suppressed exceptions.
 */
public final class TaskFailedException extends IOException implements Advised {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final ImmutableList<Advice> advice; // a serializable list

    /** Creates an exception with what is wrong and its cause, from which it takes the advice. */
    public TaskFailedException(String problem, @Nullable Throwable cause) {
        this(problem, cause, cause == null ? List.of() : Advice.of(cause));
    }

    private TaskFailedException(String problem, @Nullable Throwable cause, List<Advice> advice) {
        super(Advice.message(problem, advice), cause);
        this.problem = problem;
        this.advice = ImmutableList.copyOf(advice);
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public List<Advice> advice() {
        return advice;
    }

    /** {@return the same failure, with a text before and after what is wrong, and with other advice} */
    public TaskFailedException with(String before, String after, List<Advice> other) {
        TaskFailedException more = new TaskFailedException(before + problem + after, getCause(), other);
        for (Throwable suppressed : getSuppressed()) {
            more.addSuppressed(suppressed);
        }
        return more;
    }
}
