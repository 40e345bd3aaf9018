package dev.rechunker.io.beam;

import dev.rechunker.run.RefusedException;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline that runs, and what its end means.
 *
 * @param place the location of the plan, without secrets
 * @param watcher receives the pipeline when it has started
 */
record PipelineRun(String place, Consumer<PipelineResult> watcher) {
    /**
     * Runs a pipeline to its end.
     *
     * @return the largest memory use of a range, in bytes; 0 if the runner does not say
     */
    long run(Pipeline pipeline) throws IOException, InterruptedException {
        PipelineResult result;
        try {
            result = pipeline.run();
        } catch (RuntimeException e) {
            throw failure(e);
        }
        watcher.accept(result);
        State state;
        try {
            state = result.waitUntilFinish();
        } catch (RuntimeException e) {
            if (Thread.interrupted()) {
                cancel(result, e);
            }
            throw failure(e);
        }
        if (Thread.interrupted()) {
            cancel(result, null);
        }
        if (state != State.DONE) {
            throw failed("the pipeline ended in the state " + state, null, List.of());
        }
        return largestMemory(result);
    }

    private static void cancel(PipelineResult result, @Nullable Exception cause) throws InterruptedException {
        InterruptedException interrupted = new InterruptedException("interrupted; the pipeline was cancelled");
        if (cause != null) {
            interrupted.addSuppressed(cause);
        }
        try {
            result.cancel();
        } catch (IOException | RuntimeException e) {
            interrupted.addSuppressed(e);
        }
        throw interrupted;
    }

    /** {@return the failure of a pipeline as one of this library}; throws it if the thread was interrupted */
    private IOException failure(RuntimeException e) throws InterruptedException {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException) {
                InterruptedException interrupted = new InterruptedException("interrupted");
                interrupted.addSuppressed(e);
                throw interrupted;
            }
            if (cause instanceof RefusedException refused) {
                return new RefusedException(refused.problem(), e, refused.advice());
            }
            if (cause instanceof TaskFailedException failed) {
                return failed(failed.problem(), e, failed.advice());
            }
            if (cause instanceof StoreException failed) {
                return failed(failed.problem(), e, failed.advice());
            }
        }
        return failed(StoreException.reason(e), e, List.of());
    }

    private TaskFailedException failed(String problem, @Nullable Throwable cause, List<Advice> advice) {
        List<Advice> more = new ArrayList<>(advice);
        more.add(Advice.of("resume-pipeline", "run what is left with resume(\"" + place + "\")", place));
        return new TaskFailedException(problem, cause).with("on Beam: ", "", more);
    }

    private static long largestMemory(PipelineResult result) {
        MetricsFilter memory = MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.named(RunTasks.NAMESPACE, RunTasks.MEMORY))
                .build();
        long largest = 0;
        try {
            for (MetricResult<DistributionResult> range :
                    result.metrics().queryMetrics(memory).getDistributions()) {
                largest = Math.max(largest, range.getAttempted().getMax());
            }
        } catch (UnsupportedOperationException e) {
            return 0; // not every runner has such metrics
        }
        return largest;
    }
}
