package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.job.JobPlan;
import dev.rechunker.job.Option;
import dev.rechunker.picture.RunPicture;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Executor;
import dev.rechunker.run.Loss;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.Advice;
import java.io.IOException;
import java.util.List;

/**
 * The plan of a copy: how each array will be copied, and the memory, space and time that this takes.
 * {@link Rechunker.Job#plan()} makes a plan and writes nothing.
 *
 * <p>A plan can be executed by any executor, and more than once: a second run replaces the result of the first by the
 * same bytes. A plan that has appended to an array cannot be executed again.
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
     * {@return a sentence for each property of the source that the target does not keep, which names the node}
     *
     * <p>These are attributes, names of dimensions, fill values, codecs, chunks and shards that the target's format
     * cannot express, and nodes that are not understood.
     */
    public List<Loss> losses() {
        return plan.losses();
    }

    /**
     * {@return advice on arrays of which each byte would be read more than 10 times: from which memory limit on it is
     * read at most twice; empty if there are none}
     */
    public List<Advice> advice() {
        return arrays.stream()
                .flatMap(array -> array.copy().advice().stream()
                        .map(advice -> array.path().isEmpty()
                                ? advice
                                : new Advice(advice.name(), array.path() + ": " + advice.text(), advice.values())))
                .toList();
    }

    /** {@return the memory limit} */
    public ByteSize maxMem() {
        return plan.maxMem();
    }

    /** {@return the memory that the copy will use for data at most, never more than {@link #maxMem()}} */
    public ByteSize projectedMemory() {
        return plan.projectedMemory();
    }

    /** {@return the number of tasks, of all arrays together} */
    public long tasks() {
        return plan.tasks();
    }

    /**
     * {@return a few lines for people: what is copied and to where, how long it takes, the memory and temporary files
     * that it needs, and losses}
     */
    public String summary() {
        return plan.summary();
    }

    /**
     * {@return a description for people, of several lines: the strategy of each array and its costs, what other
     * strategies would cost, memory, temporary files, and losses}
     */
    public String explain() {
        return plan.explain();
    }

    /**
     * {@return a picture of the plan as an SVG document: grids, tasks, temporary files, memory and its limit, and what
     * the other strategies would cost}
     *
     * <p>The document needs no other file, follows the reader's light or dark scheme, and is the same for the same
     * plan.
     */
    public String toSvg() {
        return plan.picture().svg();
    }

    /** {@return an HTML page with the picture, the plan in words and the losses} */
    public String toHtml() {
        return plan.picture().html();
    }

    /** {@return the page of {@link #toHtml()}, and what a run of the plan did} */
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
     * <p>Readers see an array only when it is complete. If the run fails, complete arrays are kept. If the target
     * supports resuming, the files that {@link Rechunker.Job#resume()} needs are kept, too.
     *
     * @throws RefusedException if the target exists, another run is writing to it, or there is too little space
     * @throws IOException if reading or writing fails
     * @throws InterruptedException if interrupted
     */
    public Report execute(Executor executor) throws IOException, InterruptedException {
        return plan.execute(requireNonNull(executor, "executor"));
    }

    /** {@return a run of this plan by the job's executor, started in a thread of its own} */
    public Run start() {
        return Run.start(
                "rechunk " + plan.source(""),
                plan.options().get(Option.LISTENER),
                listener -> plan.execute(plan.options().executor(), listener));
    }
}
