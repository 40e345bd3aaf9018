package dev.rechunker.job;

import dev.rechunker.geometry.Partition;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.ElementLengths;
import dev.rechunker.view.MeasuredView;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A job as plain data: everything that {@link Planning} needs to make the same plan, which is much less than the plan.
 * Planning is deterministic, so processes that plan from it and get the same {@link Fingerprint} have the same tasks.
 */
final class JobDescription {
    private static final String VERSION = "rechunker plan";
    private static final long CURRENT = 2;
    /** The names of runs, as {@link SharedJob#of} makes them. */
    private static final Pattern RUN = Pattern.compile("rechunk-[0-9a-f]+(-[0-9a-f]+){4}");

    /** The name of a description in messages. */
    static final String NAME = "the description of the plan";

    private JobDescription() {}

    /**
     * {@return the description of a plan}
     *
     * @throws RefusedException if another process could not make the plan
     */
    static Map<String, @Nullable Object> of(String run, JobPlan plan) throws StoreException {
        JobRequest job = plan.request();
        if (job.options().isInsertion()) {
            throw new RefusedException(
                    "a copy into existing arrays cannot be shared by several processes", Advice.NEW_TARGET);
        }
        if (LevelRule.of(job.options()).isPresent()) {
            throw new RefusedException(
                    "levels are made of arrays that are complete, which those of several processes are only in the end",
                    Advice.of("levels-later", "make the copy without levels, and then one of it with levels, alone"));
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put(VERSION, CURRENT);
        data.put("run", run);
        data.put("source", place(job.source()));
        data.put("target", place(job.target()));
        List<Object> chunks = new ArrayList<>();
        plan.chosen().forEach((path, grid) -> {
            Map<String, @Nullable Object> array = new LinkedHashMap<>();
            array.put("array", path);
            array.put("chunks", grid.axes().stream().map(Partition::text).toList());
            chunks.add(array);
        });
        data.put("chunks", chunks);
        data.put("lengths", lengths(job.source()));
        data.put("maxMem", plan.maxMem().bytes());
        data.put("options", job.options().toData());
        data.put(
                "fingerprint", new LinkedHashMap<>(Fingerprint.of(plan.arrays()).lines()));
        return data;
    }

    /** {@return the lengths of elements of variable length, which other processes need not find again} */
    private static List<Object> lengths(StoreLocation source) {
        List<Object> lengths = new ArrayList<>();
        MeasuredView.lengths(source.store()).forEach((path, elements) -> {
            Map<String, @Nullable Object> array = new LinkedHashMap<>();
            array.put("array", path);
            array.put("longest", (long) elements.longest());
            array.put("chunk", elements.ofChunk());
            lengths.add(array);
        });
        return lengths;
    }

    private static Map<String, ElementLengths> lengths(DataFields data) throws IOException {
        Map<String, ElementLengths> lengths = new LinkedHashMap<>();
        for (Object item : data.has("lengths") ? data.list("lengths") : List.of()) {
            DataFields array = DataFields.of("an entry of \"lengths\" of " + NAME, item);
            int longest = array.count("longest", 0);
            long chunk = array.number("chunk");
            lengths.put(array.text("array"), array.made("chunk", () -> new ElementLengths(longest, chunk)));
        }
        return lengths;
    }

    private static Map<String, @Nullable Object> place(StoreLocation place) throws RefusedException {
        StoreDescriptor store = place.store()
                .descriptor()
                .orElseThrow(() -> new RefusedException(place + " cannot be opened by another process: it is in memory,"
                        + " is a file that only one process can write, or contains such a store; use a directory or an"
                        + " object store, or a file as a source"));
        requireNoSecret(store.toData());
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("store", store.toData());
        data.put("path", place.path());
        return data;
    }

    /**
     * Checks that the description of a store can be read by anyone.
     *
     * @throws RefusedException if a location in it contains a secret
     */
    static void requireNoSecret(@Nullable Object data) throws RefusedException {
        if (data instanceof Map<?, ?> map) {
            for (Object value : map.values()) {
                requireNoSecret(value);
            }
        } else if (data instanceof List<?> list) {
            for (Object value : list) {
                requireNoSecret(value);
            }
        } else if (data instanceof String text && text.contains("://")) {
            String shown = StoreLocation.withoutSecrets(text);
            if (!shown.equals(text)) {
                throw new RefusedException("a plan for other processes cannot contain the secret in " + shown
                        + "; leave it out, so that each process takes it from its own settings");
            }
        }
    }

    /**
     * A plan that was made from its description, and the stores that it opened.
     *
     * @param run the name of the run
     */
    record Opened(String run, JobPlan plan, List<Closeable> stores) {}

    /**
     * {@return the plan that a description describes}
     *
     * @throws RefusedException if planning again gives another plan; the message says what differs
     * @throws StoreException if the description is not valid; the message names the field, if it is a single one
     */
    static Opened open(Map<?, ?> description) throws IOException {
        DataFields data = new DataFields(NAME, description);
        if (!data.has(VERSION) || data.number(VERSION) != CURRENT) {
            throw new RefusedException("this is not a plan that was saved by this version of the library; plan again");
        }
        List<Closeable> opened = new ArrayList<>();
        try {
            return open(data, opened);
        } catch (IllegalArgumentException | InfeasiblePlanException e) {
            close(opened, e);
            throw new StoreException("no plan can be made from " + NAME + ": " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            close(opened, e);
            throw e;
        }
    }

    private static void close(List<Closeable> stores, Throwable failure) {
        for (Closeable store : stores) {
            try {
                store.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private static Opened open(DataFields data, List<Closeable> opened) throws IOException {
        String run = data.text("run");
        if (!RUN.matcher(run).matches()) { // it is the name of a directory, which may be deleted
            throw new StoreException("\"run\" of " + NAME + " is not the name of a run");
        }
        StoreLocation source = open(data.fields("source"));
        opened.add(source.store());
        StoreLocation target = open(data.fields("target"));
        opened.add(target.store());
        Options options = Options.ofData(data.fields("options"), opened);
        ChunkChoice chunks = chunks(data);
        ByteSize maxMem = maxMem(data);
        StoreLocation measured = MeasuredView.at(source, maxMem.bytes(), lengths(data));
        JobPlan plan = new JobRequest(measured, target, chunks, maxMem, options).plan();
        Fingerprint saved = Fingerprint.of(data.fields("fingerprint").values());
        Optional<String> difference = Fingerprint.of(plan.arrays()).difference(saved);
        if (difference.isPresent()) {
            throw new RefusedException("the plan has changed since it was saved, because its source has changed,"
                    + " or because another version of the library plans differently: " + difference.get()
                    + "; plan again");
        }
        return new Opened(run, plan, List.copyOf(opened));
    }

    private static StoreLocation open(DataFields place) throws IOException {
        StoreDescriptor descriptor = StoreDescriptor.of(place.fields("store").values());
        return StoreAddress.open(descriptor).at(place.text("path"));
    }

    private static ByteSize maxMem(DataFields data) throws IOException {
        return data.made("maxMem", () -> ByteSize.of(data.number("maxMem")));
    }

    /** {@return the choice of the chunks that are in the description} */
    private static ChunkChoice chunks(DataFields data) throws IOException {
        Map<String, ChunkText> chosen = new LinkedHashMap<>();
        for (Object item : data.list("chunks")) {
            DataFields array = DataFields.of("an entry of \"chunks\" of " + NAME, item);
            ChunkText text = array.made("chunks", () -> ChunkText.ofEntries(array.texts("chunks")));
            chosen.put(array.text("array"), text);
        }
        return (path, spec) -> Optional.ofNullable(chosen.get(path)).flatMap(text -> text.ofNamed(path, spec));
    }
}
