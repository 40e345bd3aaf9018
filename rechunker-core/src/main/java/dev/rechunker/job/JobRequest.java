package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Report;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * A copy that was asked for.
 *
 * @param source the array or group that is copied
 * @param target where it is copied to
 * @param chunks the chunks of each array; not asked where arrays are written into existing ones
 * @param maxMem the bound
 * @param options everything else
 */
public record JobRequest(
        StoreLocation source, StoreLocation target, ChunkChoice chunks, ByteSize maxMem, Options options) {
    /** {@return the request with another choice of chunks} */
    JobRequest with(ChunkChoice other) {
        return new JobRequest(source, target, other, maxMem, options);
    }

    /** {@return the request with other options} */
    public JobRequest with(Options other) {
        return new JobRequest(source, target, chunks, maxMem, other);
    }

    /**
     * {@return the plan; nothing is written}
     *
     * @throws IllegalArgumentException if what is asked for makes no sense for the source
     * @throws dev.rechunker.run.InfeasiblePlanException if the bound cannot be held
     * @throws IOException if the source cannot be read or understood, or the target cannot hold it
     */
    public JobPlan plan() throws IOException {
        try {
            return new Attempts(options.get(Option.RETRIES)).get(() -> Planning.plan(this));
        } catch (ClosedByInterruptException e) {
            throw (IOException) new InterruptedIOException("interrupted while planning").initCause(e);
        }
    }

    /** {@return the report of the copy, after planning and running it} */
    public Report execute() throws IOException, InterruptedException {
        JobPlan plan;
        try {
            plan = plan();
        } catch (IOException e) {
            throw JobPlan.unlessInterrupted(e);
        }
        return plan.execute();
    }

    /** {@return a cost model of the devices at hand, measured by a few reads and writes} */
    public CostModel calibrate() throws IOException {
        return Calibration.of(plan());
    }
}
