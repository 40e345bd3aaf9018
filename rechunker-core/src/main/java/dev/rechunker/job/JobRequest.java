package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Report;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.FirstLevels;
import dev.rechunker.view.MeasuredView;
import dev.rechunker.view.ScanLimits;
import dev.rechunker.view.ViewedStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;

/**
 * The request of a copy.
 *
 * @param source the array or group that is copied
 * @param target the location that it is copied to
 * @param chunks chooses the chunks of each array; not used for existing arrays
 * @param maxMem the memory limit
 * @param options the options
 */
public record JobRequest(
        StoreLocation source, StoreLocation target, ChunkChoice chunks, ByteSize maxMem, Options options) {
    /** The memory limit, divided by that of all chunks whose axes are being put in order. */
    private static final long LIMIT_BY_CHUNKS = 4;

    /** {@return the request with another choice of chunks} */
    JobRequest with(ChunkChoice other) {
        return new JobRequest(source, target, other, maxMem, options);
    }

    /** {@return the request with another target} */
    JobRequest to(StoreLocation other) {
        return new JobRequest(source, other, chunks, maxMem, options);
    }

    /**
     * {@return the request whose source is the view that the options ask for, without these options} What an unfinished
     * run has found about the values of the source is not looked for again if the run is resumed.
     */
    JobRequest viewed() throws IOException {
        SourceView asked = options.viewOf(source);
        if (asked.steps().isEmpty()) {
            return this;
        }
        Optional<FoundView> left = options.get(Option.RESUME)
                ? Recovery.unfinished(target).flatMap(Fingerprint::view).filter(view -> view.isOf(asked.steps()))
                : Optional.empty();
        // Levels that are made again need not fit the view.
        StoreLocation seen = LevelRule.of(options).isPresent()
                ? FirstLevels.of(source, target.store().rules())
                : source;
        StoreLocation view = new SourceView(seen, left.map(FoundView::steps).orElse(asked.steps())).open(scanLimits());
        FoundView found = FoundView.of(asked.steps(), ((ViewedStore) view.store()).steps());
        return new JobRequest(
                view, target, chunks, maxMem, options.withoutViews().with(Option.FOUND_VIEW, Optional.of(found)));
    }

    /** {@return what looking at values may take before the copy is planned; options are settled} */
    private ScanLimits scanLimits() {
        return new ScanLimits(maxMem.bytes(), options.executor().threads());
    }

    /** {@return the request with views of the stores in which elements of variable length have a known size} */
    JobRequest measured() {
        ScanLimits limits = scanLimits();
        return new JobRequest(
                MeasuredView.at(source, limits), MeasuredView.at(target, limits), chunks, maxMem, options);
    }

    /** {@return the most bytes of a chunk that a thread holds to put its axes in order; options are settled} */
    long mostOrdered() {
        return maxMem.bytes() / LIMIT_BY_CHUNKS / options.executor().threads();
    }

    /** {@return the request with other options} */
    public JobRequest with(Options other) {
        return new JobRequest(source, target, chunks, maxMem, other);
    }

    /**
     * {@return the plan; nothing is written}
     *
     * @throws IllegalArgumentException if chunks, region or options do not fit the source
     * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit
     * @throws IOException if the source cannot be read or understood, or the target does not support it
     */
    public JobPlan plan() throws IOException {
        try {
            return new Attempts(options.get(Option.RETRIES)).get(() -> Planning.plan(this));
        } catch (ClosedByInterruptException e) {
            throw (IOException) new InterruptedIOException("interrupted while planning").initCause(e);
        }
    }

    /** {@return the report of the copy, which is planned and executed} */
    public Report execute() throws IOException, InterruptedException {
        JobPlan plan;
        try {
            plan = plan();
        } catch (IOException e) {
            throw JobPlan.unlessInterrupted(e);
        }
        return plan.execute();
    }

    /** {@return a cost model of the storage, measured by a few reads and writes} */
    public CostModel calibrate() throws IOException {
        return Calibration.of(plan());
    }
}
