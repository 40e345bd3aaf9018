package dev.rechunker.job;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.verify.ArrayComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An option of a job. The constants are the rows of the table of all options that are written as text or saved with a
 * plan; {@link #TABLE} has them in the order in which they are saved.
 *
 * @param <T> its value
 */
public final class Option<T> {
    /** Who runs the tasks; unset, what suits the stores. */
    public static final Option<Optional<Executor>> EXECUTOR =
            settled("threads", "threads", "N", OptionForm.THREADS, "The number of threads.");

    /** How many processes share the tasks. */
    public static final Option<Integer> WORKERS = new Option<>(
            "workers",
            "workers",
            "N",
            1,
            OptionForm.number(1),
            Option::requireWorkers,
            "Plan for N processes that share the tasks, each with the bound and the threads.");

    /** The directory of temporary files; at most one of this and {@link #SPILL_STORE} is set. */
    public static final Option<Optional<Path>> SPILL =
            optional("spill", "spill", "DIR", OptionForm.PATH, "The directory of temporary files.");

    /** The place of the temporary copy in an object store. */
    public static final Option<Optional<SpillStore>> SPILL_STORE =
            optional("", "spillStore", "", OptionForm.SPILL_STORE, "");

    /** Whether there must be no temporary copy. */
    public static final Option<Boolean> NO_SPILL = new Option<>(
            "no-spill",
            "spillAllowed",
            "",
            false,
            OptionForm.OPPOSITE_FLAG,
            value -> {},
            "Write no temporary files, however often the source has to be read.");

    /** What the devices can do; unset, what suits the stores. */
    public static final Option<Optional<CostModel>> COST_MODEL = settled(
            "profile", "costModel", "PROFILE", OptionForm.COST_MODEL, "What the storage can do, to choose a plan.");

    /** Whether arrays that are at the target are replaced. */
    public static final Option<Boolean> OVERWRITE =
            flag("overwrite", "overwrite", "Replace arrays that are at the target.");

    /** The codecs of the target; unset, those of the source. */
    public static final Option<Optional<List<CodecSpec>>> CODECS = optional(
            "codec",
            "codecs",
            "SPEC",
            OptionForm.CODECS,
            "none, zstd, blosc:cname=lz4,clevel=5, delta:dtype=<u2+zstd; by default as in the source.");

    /** The shards of the target; unset, those of the source. */
    public static final Option<Optional<String>> SHARDS =
            optional("shards", "shards", "SHARDS", OptionForm.TEXT, "Shards, in the form of the chunks, or none.");

    /** The format of the target's store. */
    public static final Option<Optional<String>> FORMAT =
            optional("format", "format", "FORMAT", OptionForm.TEXT, "The format of the target.");

    /** The part that is copied; unset, all. */
    public static final Option<Optional<RegionText>> REGION = optional(
            "region",
            "region",
            "RANGES",
            OptionForm.REGION,
            "The part that is copied: from:to for each axis, or by name.");

    /** Whether chunks with nothing but the fill value are written. */
    public static final Option<Boolean> KEEP_EMPTY =
            flag("write-empty-chunks", "keepEmpty", "Also write chunks that hold nothing but the fill value.");

    /** Whether losses are refused. */
    public static final Option<Boolean> STRICT =
            flag("strict", "strict", "Refuse to lose anything that the target's format has no way to say.");

    /** Whether everything is on its device before it is recorded as done. */
    public static final Option<Boolean> DURABLE = flag(
            "durable",
            "durable",
            "Force everything to its device before it is recorded as done, against a loss of power.");

    /** How often to try again. */
    public static final Option<Integer> RETRIES = new Option<>(
            "retries",
            "retries",
            "N",
            3,
            OptionForm.number(0),
            Attempts::new,
            "How often to try again what fails in a way that may pass; 3 by default.");

    /** What becomes of source chunks that cannot be decoded. */
    public static final Option<OnCorrupt> ON_CORRUPT = new Option<>(
            "on-corrupt",
            "onCorrupt",
            "fail|fill",
            OnCorrupt.FAIL,
            OptionForm.ON_CORRUPT,
            value -> {},
            "What becomes of a source chunk that cannot be decoded: the run fails, or the chunk has the fill value and is"
                    + " reported.");

    /** The share of elements that is verified; 0 for none. */
    public static final Option<Double> VERIFY = new Option<>(
            "verify",
            "verified",
            "SHARE",
            0.0,
            OptionForm.SHARE,
            Option::requireShare,
            "Read elements again after they were written, and fail if one is not the same.");

    /** Whether the report has checksums. */
    public static final Option<Boolean> CHECKSUMS =
            flag("checksums", "checksums", "Report a checksum of each array that was written.");

    /** The file to which the checksums of units are written. */
    public static final Option<Optional<Path>> CHECKSUM_FILE = optional(
            "checksum-file",
            "checksumFile",
            "FILE",
            OptionForm.PATH,
            "Write the checksum of each write unit to a file.");

    /** Whether an unfinished run is resumed; of one run, and so not saved. */
    public static final Option<Boolean> RESUME = flag(
            "resume", "", "Resume what an unfinished run of the same plan has left at the target, if there is any.");

    /** Who is told how far a run has come; not written. */
    public static final Option<ProgressListener> LISTENER = unwritten(ProgressListener.NONE);

    /** Where in existing arrays elements go; unset, arrays are made. */
    public static final Option<Optional<Placement>> PLACEMENT = unwritten(Optional.empty());

    /** What can compress temporary files; set when the rest is settled. */
    static final Option<Optional<SpillCodec>> SPILL_CODEC = unwritten(Optional.empty());

    /** All options that are written. */
    static final List<Option<?>> TABLE = List.of(
            EXECUTOR,
            WORKERS,
            SPILL,
            SPILL_STORE,
            NO_SPILL,
            COST_MODEL,
            OVERWRITE,
            CODECS,
            SHARDS,
            FORMAT,
            REGION,
            KEEP_EMPTY,
            STRICT,
            DURABLE,
            RETRIES,
            ON_CORRUPT,
            VERIFY,
            CHECKSUMS,
            CHECKSUM_FILE,
            RESUME);

    /** {@return the options that can be written as text} */
    public static List<Option<?>> written() {
        return TABLE.stream().filter(option -> !option.name.isEmpty()).toList();
    }

    private final String name;
    private final String field;
    private final String label;
    private final T initial;
    private final OptionForm<T> form;
    private final Consumer<T> check;
    private final String description;

    private Option(
            String name,
            String field,
            String label,
            T initial,
            OptionForm<T> form,
            Consumer<T> check,
            String description) {
        this.name = name;
        this.field = field;
        this.label = label;
        this.initial = initial;
        this.form = form;
        this.check = check;
        this.description = description;
    }

    private static <T> Option<T> unwritten(T initial) {
        return new Option<>("", "", "", initial, new OptionForm.Unwritten<>(), value -> {}, "");
    }

    private static Option<Boolean> flag(String name, String field, String description) {
        return new Option<>(name, field, "", false, OptionForm.FLAG, value -> {}, description);
    }

    private static <T> Option<Optional<T>> optional(
            String name, String field, String label, OptionForm<T> form, String description) {
        return new Option<>(name, field, label, Optional.empty(), OptionForm.optional(form), value -> {}, description);
    }

    /** {@return an option that has a value, chosen for the stores if none was given, before it is saved} */
    private static <T> Option<Optional<T>> settled(
            String name, String field, String label, OptionForm<T> form, String description) {
        return new Option<>(name, field, label, Optional.empty(), OptionForm.settled(form), value -> {}, description);
    }

    private static void requireWorkers(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException(workers + " workers cannot run anything; it takes at least 1");
        }
    }

    private static void requireShare(double share) {
        ArrayComparison.requireShare(share);
    }

    /** {@return the name by which people write it; empty if it cannot be written as text} */
    public String name() {
        return name;
    }

    /** {@return what stands for its value in a list of options; empty if it is a flag} */
    public String label() {
        return label;
    }

    /** {@return what it does, in a sentence} */
    public String description() {
        return description;
    }

    /** {@return the value where none was given} */
    T initial() {
        return initial;
    }

    /**
     * {@return the value that a text states}
     *
     * @throws IllegalArgumentException if the text is not of the option's form
     */
    T parse(String text) {
        return form.parse(text);
    }

    /**
     * {@return a value that makes sense}
     *
     * @throws IllegalArgumentException if it does not
     */
    T checked(T value) {
        check.accept(value);
        return value;
    }

    /** {@return whether it is saved with a plan} */
    boolean isSaved() {
        return !field.isEmpty();
    }

    /** Adds the value to plain data. */
    void save(T value, Map<String, @Nullable Object> data) throws RefusedException {
        data.put(field, form.toData(value));
    }

    /**
     * {@return the value in plain data}
     *
     * @throws StoreException if it is none of this option, naming the field
     */
    T load(DataFields data) throws IOException {
        return data.made(field, () -> {
            T value = form.ofData(data, field);
            return value.equals(initial) ? value : checked(value);
        });
    }
}
