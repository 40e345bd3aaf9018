package dev.rechunker.job;

import com.google.common.collect.ImmutableList;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.run.VerificationException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The message of a failed run: which copy failed and why, the free space, what was kept, and how to continue. */
final class FailureMessage {
    private static final Advice RUN_AGAIN =
            Advice.of("run-again", "run these tasks again, of which those that are recorded as done are skipped");

    private FailureMessage() {}

    /** {@return a failure with more information than the original one} */
    static IOException of(IOException failure, RunContext context, Recovery recovery) {
        if (failure instanceof VerificationException || failure instanceof ChecksumFileException) {
            return failure;
        }
        List<Advice> advice = new ArrayList<>(Advice.of(failure));
        String after = space(failure, context, recovery);
        if (!advice.contains(Advice.RESTART)) {
            after += state(recovery);
            if (recovery.kept().isPresent()) {
                advice.add(Advice.RESUME);
                advice.add(Advice.RESTART);
            }
        }
        if (failure instanceof StoreException refused) {
            return after.isEmpty() || failure instanceof RefusedException
                    ? failure
                    : new StoreException(refused.problem() + after, failure, advice);
        }
        JobPlan plan = context.plan();
        String before = "copying " + plan.source("") + " to " + plan.target("") + ": ";
        TaskFailedException task = failure instanceof TaskFailedException of
                ? of
                : new TaskFailedException(Advised.problem(failure), failure);
        return task.with(before, after, advice);
    }

    /** {@return the failure of a run that an error has ended, with what the error means} */
    static IOException causedBy(Error error) {
        return new IOException(StoreException.reason(error), error);
    }

    /** {@return a failure of some tasks of a run of several processes that an error has ended} */
    static IOException ofTasks(Error error, String tasks) {
        IOException failure = causedBy(error);
        return new TaskFailedException(Advised.problem(failure), failure).with(tasks + ": ", "", List.of(RUN_AGAIN));
    }

    /** {@return the end of some tasks of a run of several processes that was interrupted} */
    static InterruptedException interruptedTasks(Exception cause, String tasks, long done, long all) {
        return new CopyInterruptedException(
                tasks + " was interrupted: " + done + " of " + all + " tasks are done", cause, RUN_AGAIN);
    }

    private static String space(IOException failure, RunContext context, Recovery recovery) {
        JobPlan plan = context.plan();
        return FreeSpace.explain(
                failure,
                plan.target("").store().localDirectory(),
                plan.spillPeakBytes() > 0 ? recovery.spills().localDirectory() : Optional.empty(),
                targetBytes(plan) - context.monitor().targetBytesDone());
    }

    private static long targetBytes(JobPlan plan) {
        return plan.arrays().stream().mapToLong(array -> array.target().bytes()).sum();
    }

    /** {@return the end of a run that was interrupted, with how much is done and how to go on} */
    static InterruptedException interrupted(Exception cause, RunContext context, Recovery recovery) {
        JobPlan plan = context.plan();
        long all = targetBytes(plan);
        String problem = "copying " + plan.source("") + " to " + plan.target("") + " was interrupted: "
                + context.monitor().tasksDone() + " of " + plan.tasks() + " tasks are done, "
                + ByteSize.of(Math.min(all, context.monitor().targetBytesDone())) + " of " + ByteSize.of(all)
                + " are written";
        return recovery.kept().isPresent()
                ? new CopyInterruptedException(problem + state(recovery), cause, Advice.RESUME, Advice.RESTART)
                : new CopyInterruptedException(
                        problem + (recovery.isFinished() ? state(recovery) : "; nothing is kept of unfinished arrays"),
                        cause,
                        Advice.RESTART);
    }

    /** {@return a text that says what the run leaves} */
    private static String state(Recovery recovery) {
        if (recovery.isFinished()) {
            return "; everything was written before, but it is not checked";
        }
        return recovery.kept()
                .map(place -> "; the work done so far is kept in " + place)
                .orElse("");
    }

    /** The end of a copy that was interrupted. */
    private static final class CopyInterruptedException extends InterruptedException implements Advised {
        private static final long serialVersionUID = 1L;

        private final String problem;
        private final ImmutableList<Advice> advice;

        CopyInterruptedException(String problem, Exception cause, Advice... advice) {
            super(Advice.message(problem, List.of(advice)));
            initCause(cause);
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
    }
}
