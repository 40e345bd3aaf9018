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
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A plan in a JSON file, or in a value of an object store. Any process that can open it, the source and the target can
 * run tasks of it.
 *
 * <pre>{@code
 * JobFile.save(plan, file);                              // reserves the target
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
 * <p>Next to the file is a directory with the same name and {@code .run}, in which each process records the tasks that
 * it has done. A stage is refused until all tasks of the stage before are recorded, and {@link #finish()} until all
 * tasks are. Recorded tasks are not run again; in an object store, tasks of a range in which a process was killed are.
 * The records of other processes are read before the first task of a stage here, and when tasks are run here again.
 * Each process makes the plan again from its {@link SharedRun#description()}, and refuses it if it is no longer the
 * same.
 */
public final class JobFile implements Closeable {
    private static final int MOST_NAMED = 5;
    /** The member of the description of a finished run. */
    private static final String FINISHED = "finished";

    private static final String OPTIONS = "options";
    private static final String CHECKSUM_FILE = "checksumFile";

    private final JobStorage storage;
    private final Map<String, @Nullable Object> description;
    private final SharedRun run;
    private final OpenRecords open = new OpenRecords();

    private JobFile(JobStorage storage, Map<String, @Nullable Object> description, SharedRun run) {
        this.storage = storage;
        this.description = description;
        this.run = run;
    }

    /**
     * Reserves the target of a plan for the processes that will run it, and writes the plan to a file.
     *
     * @throws RefusedException if the file or the target exists, another run has reserved the target, or other
     *     processes could not open the source or the target
     */
    public static void save(Plan plan, Path file) throws IOException {
        save(plan, new JobInFile(file));
    }

    /**
     * Does the same as {@link #save(Plan, Path)} with a value of a key store, so that processes need no shared
     * directory.
     */
    public static void save(Plan plan, KeyStore keys, String key) throws IOException {
        save(plan, new JobInKeyStore(keys, key));
    }

    private static void save(Plan plan, JobStorage storage) throws IOException {
        Optional<String> existing = storage.existing();
        if (existing.isPresent()) {
            throw new RefusedException(
                    existing.get() + " exists; save the plan elsewhere, or remove it if its run is no longer needed");
        }
        SharedRun run = SharedRun.of(plan);
        storage.write(Json.document(run.description()), run::begin);
    }

    /**
     * {@return the run of a plan in a file, with stores of its own}
     *
     * @throws RefusedException if the plan is no longer the same; the message says what differs
     */
    public static JobFile open(Path file) throws IOException {
        return open(new JobInFile(file));
    }

    /** {@return the run of a plan in a value of a key store, which has to stay open while the run is used} */
    public static JobFile open(KeyStore keys, String key) throws IOException {
        return open(new JobInKeyStore(keys, key));
    }

    private static JobFile open(JobStorage storage) throws IOException {
        byte[] text = storage.read().orElseThrow(() -> new StoreException("there is no plan at " + storage.name()));
        Map<String, @Nullable Object> description = JsonParser.object(storage.name(), text);
        try {
            return new JobFile(storage, description, SharedRun.open(description));
        } catch (RefusedException e) {
            throw e.after(storage.name() + ": ");
        } catch (StoreException e) {
            throw new StoreException(storage.name() + ": " + e.problem(), e, e.advice());
        }
    }

    /** {@return the description of a run as JSON, to be sent to processes without a file} */
    public static String text(SharedRun run) throws StoreException {
        return new String(Json.document(run.description()), StandardCharsets.US_ASCII);
    }

    /**
     * {@return the run of a text that {@link #text} has returned, with stores of its own}
     *
     * @throws RefusedException if the plan is no longer the same; the message says what differs
     */
    public static SharedRun parse(String text) throws IOException {
        return SharedRun.open(JsonParser.object("the plan", text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** {@return the plan} */
    public Plan plan() {
        return run.plan();
    }

    /** {@return the number of tasks of each stage; tasks have numbers from 0} */
    public List<Long> tasks() {
        return run.tasks();
    }

    /** {@return a unique name of the run} */
    public String id() {
        return run.id();
    }

    /** {@return the tasks of a stage that are not recorded as done by any process, in order} */
    public List<TaskRange> missing(int stage) throws IOException {
        try (JobStorage.Records records = storage.join(run)) {
            return run.missing(stage, records.ofRun());
        }
    }

    /**
     * {@return ranges that contain all tasks of a stage that are not recorded as done, in order, each about as many}
     *
     * <p>A range may also contain tasks that are done, which are not run again.
     *
     * @param most the maximum number of ranges
     */
    public List<TaskRange> missing(int stage, int most) throws IOException {
        return Slices.of(missing(stage), most);
    }

    /** Runs the tasks {@code [from, to)} of a stage with the number of threads of the plan. */
    public Report run(int stage, long from, long to) throws IOException, InterruptedException {
        return run(stage, from, to, run.executor(), ProgressListener.NONE);
    }

    /**
     * Runs the tasks {@code [from, to)} of a stage that are not recorded as done. Several threads may run tasks at the
     * same time, each within the memory limit.
     *
     * @return the report of the tasks that were run
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws RefusedException if a task of the stage before is not done, or the run is finished
     * @throws dev.rechunker.run.TaskFailedException if a task fails; the tasks done before are recorded
     * @throws InterruptedException if interrupted; tasks that are running end first
     */
    public Report run(int stage, long from, long to, Executor executor, ProgressListener listener)
            throws IOException, InterruptedException {
        if (isFinished()) {
            throw new RefusedException("the run of " + storage.name() + " is finished");
        }
        run.requireBegun();
        JobStorage.Records records = open.of(stage, from, to, () -> join(stage));
        Report report;
        try {
            report = run.run(stage, from, to, executor, listener, records.ofRun());
        } catch (InterruptedException e) {
            open.forget(records); // an interrupt may have closed its file
            throw e;
        } catch (IOException | RuntimeException e) {
            try {
                records.publish();
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
        records.publish();
        return report;
    }

    /** {@return new records for tasks of a stage, after the stage before is done} */
    private JobStorage.Records join(int stage) throws IOException {
        JobStorage.Records records = storage.join(run);
        try {
            if (stage > 0 && stage < tasks().size()) {
                requireDone(stage - 1, records, "stage " + stage + " needs the data of stage " + (stage - 1));
            }
            return records;
        } catch (IOException e) {
            records.close();
            throw e;
        }
    }

    /**
     * Makes the arrays and groups exist, and removes all files of the run except the plan, which is marked as finished.
     * May be called again: if an earlier call was killed, it is completed; otherwise the target is only verified.
     *
     * @return the report of the run; no tasks are run by this call
     * @throws RefusedException if a task is not done; the message names some of those. Also if the plan names a file
     *     for checksums that is not in its own directory: see {@link #finish(Path)}
     * @throws dev.rechunker.run.VerificationException if the target is verified and an element differs
     */
    public Report finish() throws IOException, InterruptedException {
        return finish(0);
    }

    /**
     * Does the same as {@link #finish()}, and sets the measured memory of the report.
     *
     * @param measuredMemory the largest {@link Report#measuredMemory()} of all processes; 0 if it is not known
     */
    public Report finish(long measuredMemory) throws IOException, InterruptedException {
        Optional<Path> checksums = checksumFile();
        if (checksums.isPresent() && !storage.isBeside(checksums.get())) {
            throw new RefusedException(
                    "the plan writes checksums to " + checksums.get() + ", which is not in the directory of "
                            + storage.name() + " or is hidden; others may have changed the plan",
                    Advice.of("checksum-file", "if it is the right file, name it again with finish(file)"));
        }
        return finish(run, measuredMemory);
    }

    /**
     * Does the same as {@link #finish()}, and writes the checksums to a file, whatever file the plan names.
     *
     * @param checksums the file; if it exists, it must contain only checksums
     */
    public Report finish(Path checksums) throws IOException, InterruptedException {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        if (description.get(OPTIONS) instanceof Map<?, ?> saved) {
            saved.forEach((name, value) -> options.put(String.valueOf(name), value));
        }
        options.put("checksums", true);
        options.put(CHECKSUM_FILE, checksums.toAbsolutePath().toString());
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(description);
        changed.put(OPTIONS, options);
        try (SharedRun other = SharedRun.open(changed)) {
            return finish(other, 0);
        }
    }

    /** {@return the file for checksums that the plan names, if it names one} */
    private Optional<Path> checksumFile() {
        return description.get(OPTIONS) instanceof Map<?, ?> options
                        && options.get(CHECKSUM_FILE) instanceof String file
                ? Optional.of(Path.of(file))
                : Optional.empty();
    }

    private Report finish(SharedRun run, long measuredMemory) throws IOException, InterruptedException {
        if (!isFinished()) {
            open.close();
            try (JobStorage.Records records = storage.join(run)) {
                for (int stage = 0; stage < tasks().size(); stage++) {
                    requireDone(stage, records, "the run cannot be finished");
                }
            }
        }
        Report report = run.finish(measuredMemory);
        if (!isFinished()) {
            description.put(FINISHED, true);
            storage.replace(Json.document(description));
        }
        storage.deleteRecords();
        return report;
    }

    /** {@return whether the run was finished when this job was opened, or by this job} */
    public boolean isFinished() {
        return Boolean.TRUE.equals(description.get(FINISHED));
    }

    private void requireDone(int stage, JobStorage.Records records, String why) throws RefusedException {
        List<TaskRange> missing = run.missing(stage, records.ofRun());
        if (missing.isEmpty()) {
            return;
        }
        long tasks = missing.stream().mapToLong(TaskRange::count).sum();
        String some = missing.stream()
                .limit(MOST_NAMED)
                .map(span -> span.count() == 1 ? "" + span.from() : span.from() + "-" + (span.to() - 1))
                .collect(Collectors.joining(", "));
        throw new RefusedException(why + ": " + tasks + " of " + tasks().get(stage) + " tasks of stage " + stage
                + " are not done: " + some + (missing.size() > MOST_NAMED ? ", ..." : "") + "; run them first");
    }

    /** Closes the records of this process and the stores. */
    @Override
    public void close() throws IOException {
        try {
            open.close();
        } finally {
            run.close();
        }
    }
}
