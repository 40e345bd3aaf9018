package dev.rechunker.io.beam;

import dev.rechunker.run.Report;
import java.io.IOException;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.jspecify.annotations.Nullable;

/** Runs ranges of tasks of one stage, and emits each range when it is done and recorded. */
final class RunTasks extends DoFn<KV<Long, Long>, KV<Long, Long>> {
    private static final long serialVersionUID = 1L;

    /** The namespace of all metrics. */
    static final String NAMESPACE = "rechunker";

    static final String MEMORY = "memory";

    private final String place;
    private final String id;
    private final int stage;
    private final int slots;

    private final Counter tasks = Metrics.counter(NAMESPACE, "tasks");
    private final Counter units = Metrics.counter(NAMESPACE, "units");
    private final Counter bytesRead = Metrics.counter(NAMESPACE, "bytesRead");
    private final Counter bytesWritten = Metrics.counter(NAMESPACE, "bytesWritten");
    private final Distribution memory = Metrics.distribution(NAMESPACE, MEMORY);

    private transient @Nullable OpenJob job;

    RunTasks(String place, String id, int stage, int slots) {
        this.place = place;
        this.id = id;
        this.stage = stage;
        this.slots = slots;
    }

    /** Runs the tasks of a range. */
    @ProcessElement
    public void run(@Element KV<Long, Long> range, OutputReceiver<KV<Long, Long>> done)
            throws IOException, InterruptedException {
        OpenJob open = job;
        if (open == null) { // not in setup, where some runners do not report failures
            open = OpenJob.acquire(place, id, slots);
            job = open;
        }
        Report report = open.run(stage, range.getKey(), range.getValue());
        tasks.inc(report.tasks());
        units.inc(report.unitsWritten());
        bytesRead.inc(report.bytesRead());
        bytesWritten.inc(report.bytesWritten());
        memory.update(report.measuredMemory());
        done.output(range);
    }

    /** Closes the job if no other instance uses it. */
    @Teardown
    public void close() throws IOException {
        OpenJob open = job;
        job = null;
        if (open != null) {
            open.release();
        }
    }
}
