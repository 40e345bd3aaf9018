package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.job.JobPlan;
import dev.rechunker.job.Option;
import dev.rechunker.picture.RunPicture;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Executor;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.util.List;

/**
 * What a job will do: how each array is copied, and what that takes. Made by {@link Rechunker.Job#plan()}; nothing has
 * been written.
 *
 * <p>A plan can be executed, by any executor, and executed again: the second run replaces what the first one has
 * written by the same.
 */
public final class Plan {
    private final JobPlan plan;
    private final List<ArrayPlan> arrays;

    Plan(JobPlan plan) {
        this.plan = plan;
        this.arrays = plan.arrays().stream().map(ArrayPlan::new).toList();
    }

    /** {@return the engine's plan} */
    JobPlan engine() {
        return plan;
    }

    /** {@return the plans of the arrays, in the order in which they are copied} */
    public List<ArrayPlan> arrays() {
        return arrays;
    }

    /**
     * {@return what the target does not keep of the source, one sentence each, which names the node: attributes, names
     * of dimensions, fill values, codecs, chunks and shards that its format has no way to say, and nodes that are not
     * understood}
     */
    public List<String> losses() {
        return plan.losses();
    }

    /** {@return the bound} */
    public ByteSize maxMem() {
        return plan.maxMem();
    }

    /** {@return the most bytes that will be held at once} */
    public ByteSize projectedMemory() {
        return plan.projectedMemory();
    }

    /** {@return the tasks of all arrays} */
    public long tasks() {
        return plan.tasks();
    }

    /** {@return strategies and costs, stages, tasks, memory and spill, and the losses, as text of several lines} */
    public String explain() {
        return plan.explain();
    }

    /**
     * {@return a picture of the plan as an SVG document: grids, tasks, temporary files, memory against the bound, and
     * what the other strategies would take}
     *
     * <p>It needs no other file, follows the reader's light or dark scheme, and is the same for the same plan.
     */
    public String toSvg() {
        return plan.picture().svg();
    }

    /** {@return the picture on a page of HTML, with the plan in words and what is not kept} */
    public String toHtml() {
        return plan.picture().html();
    }

    /** {@return the page of the plan, and what a run of it did} */
    public String toHtml(Report report) {
        return plan.picture().html(RunPicture.of(report));
    }

    /** {@return {@link #explain()}} */
    @Override
    public String toString() {
        return explain();
    }

    /**
     * Copies everything with the job's executor.
     *
     * @throws RefusedException if the target exists, another run is writing to it, or there is too little space
     * @throws IOException if reading or writing fails
     * @throws InterruptedException if interrupted
     */
    public Report execute() throws IOException, InterruptedException {
        return plan.execute();
    }

    /**
     * Copies everything with an executor.
     *
     * <p>An array exists for readers when it is complete. If the run fails, the arrays before it stay, and so does what
     * {@link Rechunker.Job#resume()} needs, if a run into the target can be resumed.
     *
     * @throws RefusedException if the target exists, another run is writing to it, or there is too little space
     * @throws IOException if reading or writing fails
     * @throws InterruptedException if interrupted
     */
    public Report execute(Executor executor) throws IOException, InterruptedException {
        return plan.execute(requireNonNull(executor, "executor"));
    }

    /** {@return the copy, started in a thread of its own, with the job's executor} */
    public Run start() {
        return Run.start(
                "rechunk " + plan.source(""),
                plan.options().get(Option.LISTENER),
                listener -> plan.execute(plan.options().executor(), listener));
    }
}
