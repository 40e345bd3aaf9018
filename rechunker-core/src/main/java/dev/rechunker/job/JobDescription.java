package dev.rechunker.job;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.verify.ArrayComparison;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job as plain data: what {@link Planning} needs to arrive at the same plan, which is far less than the plan.
 * Planning depends on nothing else, so whoever plans from it and finds the same {@link Fingerprint} has the same tasks.
 */
final class JobDescription {
    private static final String VERSION = "rechunker plan";
    private static final long CURRENT = 1;
    private static final String NAME = "the description of the plan";

    private JobDescription() {}

    /**
     * {@return the description of a plan}
     *
     * @throws RefusedException if another process could not make it
     */
    static Map<String, @Nullable Object> of(String run, JobPlan plan) throws StoreException {
        Planning.Job job = plan.job();
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put(VERSION, CURRENT);
        data.put("run", run);
        data.put("source", place(job.source()));
        data.put("target", place(job.target()));
        List<Object> chunks = new ArrayList<>();
        job.chosen().forEach((path, shape) -> {
            Map<String, @Nullable Object> array = new LinkedHashMap<>();
            array.put("array", path);
            List<Object> extents = new ArrayList<>();
            for (long extent : shape.toArray()) {
                extents.add(extent);
            }
            array.put("chunks", extents);
            chunks.add(array);
        });
        data.put("chunks", chunks);
        data.put("maxMem", plan.maxMem().bytes());
        data.put("options", options(job.options()));
        data.put(
                "fingerprint", new LinkedHashMap<>(Fingerprint.of(plan.arrays()).lines()));
        return data;
    }

    private static Map<String, @Nullable Object> place(StoreLocation place) throws RefusedException {
        StoreDescriptor store = place.store()
                .descriptor()
                .orElseThrow(() -> new RefusedException(place + " cannot be opened by another process: it is in memory,"
                        + " or a file that one process writes, or was made from what has no description; use a store in"
                        + " a directory, an object store or, to be read, in a file"));
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("store", store.toData());
        data.put("path", place.path());
        return data;
    }

    private static Map<String, @Nullable Object> spill(SpillStore store) throws RefusedException {
        return store.descriptor()
                .orElseThrow(() -> new RefusedException("the place of the spill, " + store.name()
                        + ", cannot be opened by another process; name one by its URI"))
                .toData();
    }

    private static Map<String, @Nullable Object> options(Options options) throws RefusedException {
        if (options.placement != null) {
            throw new RefusedException("what is written into arrays that exist is written by one process;"
                    + " copy to a new place with to(...)");
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("threads", (long) options.executor().threads());
        data.put("workers", (long) options.workers);
        data.put(
                "spill",
                options.spill == null ? null : options.spill.toAbsolutePath().toString());
        data.put("spillStore", options.spillStore == null ? null : spill(options.spillStore));
        data.put("spillAllowed", options.spillAllowed);
        data.put("costModel", costModel(options.costModel()));
        data.put("overwrite", options.overwrite);
        data.put("codecs", options.codecs == null ? null : codecs(options.codecs));
        data.put("shards", options.shards);
        data.put("format", options.format);
        data.put("region", options.region == null ? null : options.region.canonical());
        data.put("keepEmpty", options.keepEmpty);
        data.put("strict", options.strict);
        data.put("durable", options.durable);
        data.put("retries", (long) options.retries);
        data.put("onCorrupt", options.onCorrupt.name());
        data.put("verified", options.verified);
        data.put("checksums", options.checksums);
        data.put(
                "checksumFile",
                options.checksumFile == null
                        ? null
                        : options.checksumFile.toAbsolutePath().toString());
        return data;
    }

    private static List<Object> codecs(List<CodecSpec> codecs) {
        List<Object> data = new ArrayList<>();
        for (CodecSpec codec : codecs) {
            Map<String, @Nullable Object> step = new LinkedHashMap<>();
            step.put("name", codec.name());
            step.put("options", codec.options());
            data.add(step);
        }
        return data;
    }

    private static Map<String, @Nullable Object> costModel(CostModel model) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("name", model.name());
        data.put("readBytesPerSecond", model.readBytesPerSecond());
        data.put("writeBytesPerSecond", model.writeBytesPerSecond());
        data.put("spillBytesPerSecond", model.spillBytesPerSecond());
        data.put("requestSeconds", model.requestSeconds());
        data.put("latencySeconds", model.latencySeconds());
        data.put("codecBytesPerSecond", model.codecBytesPerSecond());
        data.put("spillRatio", model.spillRatio());
        data.put("spillCodecBytesPerSecond", model.spillCodecBytesPerSecond());
        return data;
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
     * @throws RefusedException if it is not the same any more, naming what differs
     * @throws StoreException if it makes no sense, naming the field if that is one alone
     */
    static Opened open(Map<?, ?> description) throws IOException {
        DataFields data = new DataFields(NAME, description);
        if (!data.has(VERSION) || data.number(VERSION) != CURRENT) {
            throw new RefusedException("this is no plan that this version of the library has saved; plan again");
        }
        List<Closeable> opened = new ArrayList<>();
        try {
            return open(data, opened);
        } catch (IllegalArgumentException | InfeasiblePlanException e) {
            close(opened, e);
            throw new StoreException("no plan can be made by " + NAME + ": " + e.getMessage(), e);
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
        StoreLocation source = open(data.fields("source"));
        opened.add(source.store());
        StoreLocation target = open(data.fields("target"));
        opened.add(target.store());
        DataFields settings = data.fields("options");
        SpillStore spill = settings.has("spillStore") ? spill(settings.fields("spillStore")) : null;
        if (spill != null) {
            opened.add(spill);
        }
        Options options = options(settings).with(o -> o.spillStore = spill);
        ChunkChoice chunks = chunks(data);
        ByteSize maxMem = maxMem(data);
        JobPlan plan =
                new Attempts(options.retries).get(() -> new Planning(source, target, chunks, maxMem, options).plan());
        Fingerprint saved = Fingerprint.of(data.fields("fingerprint").values());
        Optional<String> difference = Fingerprint.of(plan.arrays()).difference(saved);
        if (difference.isPresent()) {
            throw new RefusedException("the plan is not what it was when it was saved, because its source has"
                    + " changed, or another version of the library plans otherwise: " + difference.get()
                    + "; plan again");
        }
        return new Opened(data.text("run"), plan, List.copyOf(opened));
    }

    private static SpillStore spill(DataFields place) throws IOException {
        return StoreAddress.openSpill(StoreDescriptor.of(place.values()));
    }

    private static StoreLocation open(DataFields place) throws IOException {
        StoreDescriptor descriptor = StoreDescriptor.of(place.fields("store").values());
        return StoreAddress.open(descriptor).at(place.text("path"));
    }

    private static ByteSize maxMem(DataFields data) throws StoreException {
        return data.made("maxMem", () -> ByteSize.of(data.number("maxMem")));
    }

    /** {@return the rule that gives each array the chunks that were chosen} */
    private static ChunkChoice chunks(DataFields data) throws StoreException {
        Map<String, Shape> chosen = new LinkedHashMap<>();
        for (Object item : data.list("chunks")) {
            DataFields array = DataFields.of("an entry of \"chunks\" of " + NAME, item);
            Shape shape = array.made("chunks", () -> Shape.of(array.numbers("chunks")));
            chosen.put(array.text("array"), shape);
        }
        return (path, spec) -> Optional.ofNullable(chosen.get(path));
    }

    private static Options options(DataFields data) throws StoreException {
        Options told = new Options();
        Optional<Path> spill = data.made("spill", () -> data.findText("spill").map(Path::of));
        Optional<Path> checksumFile =
                data.made("checksumFile", () -> data.findText("checksumFile").map(Path::of));
        Optional<String> shards = data.findText("shards");
        Optional<String> format = data.findText("format");
        Optional<RegionText> region =
                data.made("region", () -> data.findText("region").map(RegionText::parse));
        Executor executor = data.made("threads", () -> new ForkJoinExecutor(data.count("threads", 1)));
        int workers = data.count("workers", 1);
        int retries = data.count("retries", 0);
        boolean spillAllowed = data.flag("spillAllowed");
        boolean overwrite = data.flag("overwrite");
        boolean keepEmpty = data.flag("keepEmpty");
        boolean strict = data.flag("strict");
        boolean durable = data.flag("durable");
        boolean checksums = data.flag("checksums");
        double verified = data.made("verified", () -> verified(data.decimal("verified")));
        OnCorrupt onCorrupt = onCorrupt(data.text("onCorrupt"));
        CostModel model = data.made("costModel", () -> costModel(data.fields("costModel")));
        List<CodecSpec> codecs = data.has("codecs") ? codecs(data) : null;
        return told.with(o -> {
            o.executor = executor;
            o.workers = workers;
            o.spill = spill.orElse(null);
            o.spillAllowed = spillAllowed;
            o.costModel = model;
            o.overwrite = overwrite;
            o.codecs = codecs;
            o.shards = shards.orElse(null);
            o.format = format.orElse(null);
            o.region = region.orElse(null);
            o.keepEmpty = keepEmpty;
            o.strict = strict;
            o.durable = durable;
            o.retries = retries;
            o.onCorrupt = onCorrupt;
            o.verified = verified;
            o.checksums = checksums;
            o.checksumFile = checksumFile.orElse(null);
        });
    }

    /** {@return the share that is verified; 0 is none} */
    private static double verified(double share) {
        if (share != 0) {
            ArrayComparison.requireShare(share);
        }
        return share;
    }

    private static OnCorrupt onCorrupt(String name) throws StoreException {
        try {
            return OnCorrupt.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new StoreException("\"onCorrupt\" is \"" + name + "\", which is not known", e);
        }
    }

    private static List<CodecSpec> codecs(DataFields data) throws StoreException {
        List<CodecSpec> codecs = new ArrayList<>();
        for (Object item : data.list("codecs")) {
            DataFields step = DataFields.of("a codec of " + NAME, item);
            Map<String, @Nullable Object> options = new LinkedHashMap<>();
            step.fields("options").values().forEach((key, value) -> options.put(String.valueOf(key), value));
            codecs.add(new CodecSpec(step.text("name"), options));
        }
        return codecs;
    }

    private static CostModel costModel(DataFields data) throws StoreException {
        return new CostModel(
                data.text("name"),
                data.decimal("readBytesPerSecond"),
                data.decimal("writeBytesPerSecond"),
                data.decimal("spillBytesPerSecond"),
                data.decimal("requestSeconds"),
                data.decimal("latencySeconds"),
                data.decimal("codecBytesPerSecond"),
                data.decimal("spillRatio"),
                data.decimal("spillCodecBytesPerSecond"));
    }
}
