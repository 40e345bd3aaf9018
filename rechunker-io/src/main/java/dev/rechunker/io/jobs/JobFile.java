package dev.rechunker.io.jobs;

import dev.rechunker.Plan;
import dev.rechunker.SharedRun;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskRange;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A plan in a file of JSON, or in a value of an object store, whose tasks any processes run that see it, the source and
 * the target.
 *
 * <pre>{@code
 * JobFile.save(plan, file);                              // takes the target
 *
 * try (JobFile job = JobFile.open(file)) {               // in each process
 *     job.run(0, 128, 256);                              // stage 0, tasks 128 to 255
 * }
 *
 * try (JobFile job = JobFile.open(file)) {
 *     job.finish();                                      // when all tasks of all stages are done
 * }
 * }</pre>
 *
 * <p>Beside the file is a directory of the same name and {@code .run}, in which each process records what it has done.
 * A stage is refused as long as a task of the one before is not recorded, and so is the end. What is recorded is not
 * done again; in an object store, what a process has done that was killed is. The plan is what
 * {@link SharedRun#description()} says: planned anew by each process, and refused if it is not the same any more.
 */
public final class JobFile implements Closeable {
    private static final int MOST_NAMED = 5;
    /** What the plan of a run says besides that has ended. */
    private static final String FINISHED = "finished";

    private final JobPlace place;
    private final Map<String, @Nullable Object> description;
    private final SharedRun run;

    private JobFile(JobPlace place, Map<String, @Nullable Object> description, SharedRun run) {
        this.place = place;
        this.description = description;
        this.run = run;
    }

    /**
     * Takes the target of a plan for processes that are to come, and writes the plan to a file.
     *
     * @throws RefusedException if the file or the target exists, another run has the target, or other processes could
     *     not open source or target
     */
    public static void save(Plan plan, Path file) throws IOException {
        save(plan, new FilePlace(file));
    }

    /** As {@link #save(Plan, Path)}, to a value of a key store, where processes need no directory that they share. */
    public static void save(Plan plan, KeyStore keys, String key) throws IOException {
        save(plan, new KeyPlace(keys, key));
    }

    private static void save(Plan plan, JobPlace place) throws IOException {
        Optional<String> there = place.inTheWay();
        if (there.isPresent()) {
            throw new RefusedException(
                    there.get() + " exists; save the plan elsewhere, or remove both if its run is not wanted any more");
        }
        SharedRun run = SharedRun.of(plan);
        place.write(Json.document(run.description()), run::begin);
    }

    /**
     * {@return the run of a file, with stores of its own}
     *
     * @throws RefusedException if the plan is not the same any more; it says what differs
     */
    public static JobFile open(Path file) throws IOException {
        return open(new FilePlace(file));
    }

    /** {@return the run of a value of a key store, which stays open as long as the run is used} */
    public static JobFile open(KeyStore keys, String key) throws IOException {
        return open(new KeyPlace(keys, key));
    }

    private static JobFile open(JobPlace place) throws IOException {
        byte[] text = place.read().orElseThrow(() -> new StoreException("there is no plan at " + place.name()));
        Map<String, @Nullable Object> description = JsonParser.object(place.name(), text);
        try {
            return new JobFile(place, description, SharedRun.open(description));
        } catch (RefusedException e) {
            throw new RefusedException(place.name() + ": " + e.getMessage(), e);
        } catch (StoreException e) {
            throw new StoreException(place.name() + ": " + e.getMessage(), e);
        }
    }

    /** {@return the description of a run as JSON, for whoever sends it by other means than a file} */
    public static String text(SharedRun run) throws StoreException {
        return new String(Json.document(run.description()), StandardCharsets.US_ASCII);
    }

    /**
     * {@return the run that a text of {@link #text} describes, with stores of its own}
     *
     * @throws RefusedException if the plan is not the same any more; it says what differs
     */
    public static SharedRun parse(String text) throws IOException {
        return SharedRun.open(JsonParser.object("the plan", text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** {@return its plan} */
    public Plan plan() {
        return run.plan();
    }

    /** {@return how many tasks each stage has, numbered from 0} */
    public List<Long> tasks() {
        return run.tasks();
    }

    /** {@return the tasks of a stage that nobody has recorded as done, in order} */
    public List<TaskRange> missing(int stage) throws IOException {
        try (JobPlace.Records records = join()) {
            return run.missing(stage, records.ofRun());
        }
    }

    /** Runs the tasks {@code [from, to)} of a stage with as many threads as the plan is for. */
    public Report run(int stage, long from, long to) throws IOException, InterruptedException {
        return run(stage, from, to, run.executor(), ProgressListener.NONE);
    }

    /**
     * Runs the tasks {@code [from, to)} of a stage, but for those that are recorded as done.
     *
     * @return what was done
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws RefusedException if not all tasks of the stage before are done, or the run is finished
     * @throws dev.rechunker.run.TaskFailedException if a task fails; what was done is recorded
     * @throws InterruptedException if interrupted, after what was under way has ended
     */
    public Report run(int stage, long from, long to, Executor executor, ProgressListener listener)
            throws IOException, InterruptedException {
        if (isFinished()) {
            throw new RefusedException("the run of " + place.name() + " is finished");
        }
        run.requireBegun();
        try (JobPlace.Records records = join()) {
            if (stage > 0 && stage < tasks().size()) {
                requireDone(stage - 1, records, "stage " + stage + " needs what stage " + (stage - 1) + " writes");
            }
            return run.run(stage, from, to, executor, listener, records.ofRun());
        }
    }

    /**
     * Makes the arrays and groups exist, and removes what the run needed, but for the file of the plan, which then says
     * that it is finished. May be called again: if it was killed it goes on, else what is there is only verified.
     *
     * @return the report, whose tasks were done before
     * @throws RefusedException if not all tasks are done; it names some
     * @throws dev.rechunker.run.VerificationException if an element that was to be verified differs
     */
    public Report finish() throws IOException, InterruptedException {
        if (!isFinished()) {
            try (JobPlace.Records records = join()) {
                for (int stage = 0; stage < tasks().size(); stage++) {
                    requireDone(stage, records, "the run cannot be finished");
                }
            }
        }
        Report report = run.finish();
        if (!isFinished()) {
            description.put(FINISHED, true);
            place.replace(Json.document(description));
        }
        place.forget();
        return report;
    }

    private boolean isFinished() {
        return Boolean.TRUE.equals(description.get(FINISHED));
    }

    private JobPlace.Records join() throws IOException {
        return place.join(run);
    }

    private void requireDone(int stage, JobPlace.Records records, String why) throws RefusedException {
        List<TaskRange> missing = run.missing(stage, records.ofRun());
        if (missing.isEmpty()) {
            return;
        }
        long tasks = missing.stream().mapToLong(TaskRange::count).sum();
        String some = missing.stream()
                .limit(MOST_NAMED)
                .map(span -> span.count() == 1 ? "" + span.from() : span.from() + "-" + (span.to() - 1))
                .collect(Collectors.joining(", "));
        throw new RefusedException(why + ": of stage " + stage + ", " + tasks + " of " + tasks().get(stage)
                + " tasks are not done: " + some + (missing.size() > MOST_NAMED ? ", ..." : "") + "; run them first");
    }

    /** Closes the stores. */
    @Override
    public void close() throws IOException {
        run.close();
    }
}
