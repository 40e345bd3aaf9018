package dev.rechunker.job;

import com.google.common.collect.ImmutableList;
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
        return failure instanceof TaskFailedException task
                ? task.with(before, after, advice)
                : new CopyFailedException(before + Advised.problem(failure) + after, failure, advice);
    }

    private static String space(IOException failure, RunContext context, Recovery recovery) {
        JobPlan plan = context.plan();
        long bytes = plan.arrays().stream()
                .mapToLong(array -> array.target().bytes())
                .sum();
        return FreeSpace.explain(
                failure,
                plan.target("").store().localDirectory(),
                plan.spillPeakBytes() > 0 ? recovery.spills().localDirectory() : Optional.empty(),
                bytes - context.monitor().targetBytesDone());
    }

    /** {@return a text that says what the run leaves} */
    private static String state(Recovery recovery) {
        if (recovery.isFinished()) {
            return "; everything was written before, but it is not checked";
        }
        return recovery.kept()
                .map(directory -> "; the work done so far is kept in " + directory)
                .orElse("");
    }

    /** A failure of a copy outside of its tasks. */
    private static final class CopyFailedException extends IOException implements Advised {
        private static final long serialVersionUID = 1L;

        private final String problem;
        private final ImmutableList<Advice> advice;

        CopyFailedException(String problem, IOException cause, List<Advice> advice) {
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
    }
}
