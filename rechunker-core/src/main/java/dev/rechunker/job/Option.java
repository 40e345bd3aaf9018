package dev.rechunker.job;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.Loss;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.view.ViewSteps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An option of a job. The constants are all options; {@link #TABLE} lists those that can be written as text or are
 * saved with a plan, in the order in which they are listed.
 *
 * @param <T> the type of its value
 */
public final class Option<T> {
    /** The executor of the tasks; the default depends on the stores. */
    public static final Option<Optional<Executor>> EXECUTOR = settled(
            "threads",
            "threads",
            "N",
            OptionForm.THREADS,
            "The number of threads. Default: one per processor, or 64 if a store is remote.");

    /** The number of processes that share the tasks. */
    public static final Option<Integer> WORKERS = new Option<>(
            "workers",
            "workers",
            "N",
            1,
            OptionForm.number(1),
            Option::requireWorkers,
            "Plan for N processes that share the tasks, each with the memory limit and the threads." + " Default: 1.");

    /** The directory of temporary files; at most one of this and {@link #SPILL_STORE} is set. */
    public static final Option<Optional<Path>> SPILL = optional(
            "spill",
            "spill",
            "DIR",
            OptionForm.PATH,
            "The directory for temporary files. Default: next to the target.");

    /** The object store of the temporary copy. */
    public static final Option<Optional<SpillStore>> SPILL_STORE =
            optional("", "spillStore", "", OptionForm.SPILL_STORE, "");

    /** Whether no temporary copy may be written. */
    public static final Option<Boolean> NO_SPILL = new Option<>(
            "no-spill",
            "spillAllowed",
            "",
            false,
            OptionForm.OPPOSITE_FLAG,
            value -> {},
            "Write no temporary files, even if the source must then be read several times.");

    /** The cost model of the storage; the default depends on the stores. */
    public static final Option<Optional<CostModel>> COST_MODEL = settled(
            "profile",
            "costModel",
            "PROFILE",
            OptionForm.COST_MODEL,
            "The speed of the storage: ssd, hdd or object-store, optionally with values in bytes per second and seconds,"
                    + " as in hdd:read=2e8,request=0.004 (read, write, spill, request, latency, codec, spill-ratio,"
                    + " spill-codec). Default: ssd, or object-store if a store is remote.");

    /** Whether existing arrays at the target are replaced. */
    public static final Option<Boolean> OVERWRITE =
            flag("overwrite", "overwrite", "Replace existing arrays at the target.");

    /** The codecs of the target; by default those of the source. */
    public static final Option<Optional<List<CodecSpec>>> CODECS = optional(
            "codec",
            "codecs",
            "SPEC",
            OptionForm.CODECS,
            "The codecs of the target: none, zstd, blosc:cname=lz4,clevel=5, delta:dtype=<u2+zstd. Default: those of the"
                    + " source.");

    /** The shards of the target; by default those of the source. */
    public static final Option<Optional<String>> SHARDS = optional(
            "shards",
            "shards",
            "SHARDS",
            OptionForm.TEXT,
            "The shards of the target, in the form of chunks, or none. Default: those of the source.");

    /** The format of the target's store. */
    public static final Option<Optional<String>> FORMAT = optional(
            "format", "format", "FORMAT", OptionForm.TEXT, "The format of the target, if its store has several.");

    /** The part that is copied; by default everything. */
    public static final Option<Optional<RegionText>> REGION = optional(
            "region",
            "region",
            "RANGES",
            OptionForm.REGION,
            "Copy only a part: from:to for each axis, \"100:200,:,5:\", or by name, \"time=100:200\". Whole numbers are"
                    + " indices, the last one not included. Dates, numbers with a point, and values after @ are"
                    + " coordinates, both ends included: \"time=2020-01-01:2020-01-31, lat=40.0:60.0,"
                    + " level=@500:@850\".");

    /**
     * The elements of axes that are copied; by default all. Like all views, a view of the source once it is planned.
     */
    public static final Option<Optional<String>> SELECT = view(
            "select",
            "INDICES",
            "Copy only some elements of axes: from:to, from:to:step, or a list, for each axis, \"::3,[5,1,7]\", or by name,"
                    + " \"time=::12, band=[0,3,5]\". Coordinates follow. Everything else that is said of the source, as by"
                    + " --region, is of what the views show.");

    /** The axes that are reversed. */
    public static final Option<Optional<String>> FLIP =
            view("flip", "AXES", "Reverse axes, given by name or number: \"lat\". Coordinates follow.");

    /** The order of the axes in the target. */
    public static final Option<Optional<String>> TRANSPOSE = view(
            "transpose",
            "AXES",
            "Write the axes in another order, given by name or number, \"x,y,time\" or \"2,1,0\"; ... are the others:"
                    + " \"time,...\".");

    /** The axes of one element that are dropped; empty for all. */
    public static final Option<Optional<String>> SQUEEZE =
            view("squeeze", "[AXES]", "Drop axes of one element: those given, by name or number, or all.");

    /** The axes of one element that are added. */
    public static final Option<Optional<String>> NEW_AXIS = view(
            "new-axis", "AXES", "Add axes of one element: \"c\" as the first one, or \"c=1\" at a position from 0 on.");

    /** Which packed numbers are unpacked. */
    public static final Option<Optional<String>> UNPACK = view(
            "unpack",
            "[TYPE]",
            "Unpack numbers that are packed with scale_factor and add_offset, or by codecs: to the type that readers"
                    + " use, or to float32 or float64. Missing numbers become NaN.");

    /** The type that numbers get. */
    public static final Option<Optional<String>> CAST = view(
            "cast",
            "TYPE",
            "Give numbers another type, \"float32\": those of the array, or floats of a group other than coordinates."
                    + " \"int16:round=even,overflow=fail,fill=-1\" says how numbers are rounded (even, away, zero, up,"
                    + " down, stochastic), what happens out of range (fail, clip, wrap, missing), and which is the"
                    + " missing value. By path: \"t2m=float32; mask=uint8\".");

    /** The number of bits to which floats are rounded. */
    public static final Option<Optional<String>> BITROUND = view(
            "bitround",
            "BITS",
            "Round floats to a number of bits of the fraction, or with auto to as many as keep 99 % of the information"
                    + " (auto:information=0.999,axis=lon). By path: \"t2m=7; precip=auto\".");

    /** The integers into which numbers are packed. */
    public static final Option<Optional<String>> PACK = view(
            "pack",
            "TYPE",
            "Pack numbers into integers with scale_factor and add_offset: \"int16:scale=0.01,offset=273\", or \"int16\""
                    + " for those that fit the smallest and largest number, which are found first. Further options are"
                    + " fill=N and overflow=fail, clip or missing. By path: \"t2m=int16; q=uint8:scale=0.001\".");

    /** The views in the order in which they are applied. */
    static final List<Option<Optional<String>>> VIEWS =
            List.of(SELECT, FLIP, TRANSPOSE, SQUEEZE, NEW_AXIS, UNPACK, CAST, BITROUND, PACK);

    /** The length that texts have in the target; by default that of the source. */
    public static final Option<Optional<TextForm>> TEXT = optional(
            "text",
            "text",
            "fixed|variable",
            OptionForm.TEXT_FORM,
            "Give texts of any length the fixed length of the longest, or texts of fixed length a variable one. By"
                    + " default they stay as they are.");

    /** The number of levels of pyramids; unset, none are made. */
    public static final Option<Optional<String>> LEVELS = checkedText(
            "levels",
            "levels",
            "auto|N",
            LevelRule::requireLevels,
            "Also make smaller levels of each array with axes of space, N in all, or with auto as many as it takes until"
                    + " the largest axis has at most 256 elements (auto:100 for another size).");

    /** The factors of levels; unset, they follow from the axes. */
    public static final Option<Optional<String>> FACTORS = checkedText(
            "factors",
            "levelFactors",
            "FACTORS",
            LevelRule::requireFactors,
            "By how much each level is smaller than the one before: 1,2,2 for all axes in order, or by name, \"y=2,x=2\";"
                    + " several for the first levels, \"1,2,2; 2,2,2\". Default: axes of space are halved, those with"
                    + " larger distances only once the others have caught up.");

    /** The methods by which levels are reduced; unset, they follow from the arrays. */
    public static final Option<Optional<String>> METHOD = checkedText(
            "method",
            "levelMethod",
            "METHOD",
            LevelRule::requireMethods,
            "How elements are reduced for levels: mean, mode, nearest, min, max or median; also by path,"
                    + " \"labels/**=nearest,max\". Default: mean, and mode for labels and for elements that are no"
                    + " numbers.");

    /** Whether chunks that contain only the fill value are written. */
    public static final Option<Boolean> KEEP_EMPTY =
            flag("write-empty-chunks", "keepEmpty", "Also write chunks that contain only the fill value.");

    /** The least grave losses that are refused; unset, none are. */
    public static final Option<Optional<Loss.Kind>> STRICT = optional(
            "strict",
            "strict",
            "[layout]",
            OptionForm.STRICT,
            "Refuse the copy if the format of the target cannot keep arrays, attributes or other metadata of the source;"
                    + " with the value layout, also if chunks or codecs change that were not asked to.");

    /** The arrays and groups that are not copied; unset, all are copied. */
    public static final Option<Optional<String>> SKIP = optional(
            "skip",
            "skip",
            "PATTERNS",
            OptionForm.PATTERNS,
            "Do not copy arrays and groups whose paths match one of these patterns, separated by commas, such as"
                    + " 'crs,quality/**'.");

    /** Whether an array is copied without its coordinates. */
    public static final Option<Boolean> ONLY =
            flag("only", "only", "Copy an array without its coordinates and the arrays that its attributes name.");

    /** Whether no consolidated metadata are written. */
    public static final Option<Boolean> NO_CONSOLIDATED = new Option<>(
            "no-consolidated",
            "consolidated",
            "",
            false,
            OptionForm.OPPOSITE_FLAG,
            value -> {},
            "Write no consolidated metadata, which a new Zarr group has by default.");

    /** Whether coordinates that the target has may be appended again. */
    public static final Option<Boolean> ALLOW_DUPLICATES = flag(
            "allow-duplicates", "allowDuplicates", "Append even if the target has some of the coordinates already.");

    /** Whether data are forced to the device before they are recorded as done. */
    public static final Option<Boolean> DURABLE = flag(
            "durable",
            "durable",
            "Force data to the device before a task is recorded as done, so that a run can be resumed after a power"
                    + " failure.");

    /** How often an operation that fails is repeated. */
    public static final Option<Integer> RETRIES = new Option<>(
            "retries",
            "retries",
            "N",
            3,
            OptionForm.number(0),
            Attempts::new,
            "How often to repeat an operation after a failure that may be temporary. Default: 3.");

    /** The treatment of source chunks that cannot be decoded. */
    public static final Option<OnCorrupt> ON_CORRUPT = new Option<>(
            "on-corrupt",
            "onCorrupt",
            "fail|fill",
            OnCorrupt.FAIL,
            OptionForm.ON_CORRUPT,
            value -> {},
            "What to do if a chunk of the source cannot be decoded: fail, or use the fill value and report the chunk."
                    + " Default: fail.");

    /** The share of elements that is verified; 0 for none. */
    public static final Option<Double> VERIFY = new Option<>(
            "verify",
            "verified",
            "[SHARE]",
            0.0,
            OptionForm.SHARE,
            Option::requireShare,
            "Read source and target again after the copy, completely or a share such as 0.01, and fail if an element"
                    + " differs.");

    /** Whether the report has checksums. */
    public static final Option<Boolean> CHECKSUMS =
            flag("checksums", "checksums", "Report a checksum of each array that was written.");

    /** Whether the report has checksums of contents. */
    public static final Option<Boolean> CONTENTS = flag(
            "checksum-contents",
            "checksumContents",
            "Report a checksum of the elements of each array, which does not depend on chunks, codecs and format.");

    /** The file to which the checksums of units are written. */
    public static final Option<Optional<Path>> CHECKSUM_FILE = optional(
            "checksum-file",
            "checksumFile",
            "FILE",
            OptionForm.PATH,
            "Also write the checksum of each chunk or shard to a file.");

    /** Whether an unfinished run is resumed; not saved, as it concerns a single run. */
    public static final Option<Boolean> RESUME =
            flag("resume", "", "Resume an unfinished run of the same plan at the target, if there is one.");

    /** The listener to the progress; not written. */
    public static final Option<ProgressListener> LISTENER = unwritten(ProgressListener.NONE);

    /** Where elements go in existing arrays; by default new arrays are created. Not written. */
    public static final Option<Optional<Placement>> PLACEMENT = unwritten(Optional.empty());

    /** The codec of temporary files, which is chosen when the plan is made; not written. */
    static final Option<Optional<SpillCodec>> SPILL_CODEC = unwritten(Optional.empty());

    /** The view that the source is, with what was found about its values when the plan was made; not written. */
    static final Option<Optional<FoundView>> FOUND_VIEW = unwritten(Optional.empty());

    /** All options that can be written as text or are saved. */
    static final List<Option<?>> TABLE = List.of(
            REGION,
            SELECT,
            FLIP,
            TRANSPOSE,
            SQUEEZE,
            NEW_AXIS,
            UNPACK,
            CAST,
            BITROUND,
            PACK,
            SKIP,
            ONLY,
            NO_CONSOLIDATED,
            ALLOW_DUPLICATES,
            CODECS,
            SHARDS,
            FORMAT,
            TEXT,
            LEVELS,
            FACTORS,
            METHOD,
            KEEP_EMPTY,
            OVERWRITE,
            STRICT,
            EXECUTOR,
            SPILL,
            SPILL_STORE,
            NO_SPILL,
            COST_MODEL,
            RESUME,
            DURABLE,
            RETRIES,
            ON_CORRUPT,
            VERIFY,
            CHECKSUMS,
            CHECKSUM_FILE,
            CONTENTS,
            WORKERS);

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

    /** {@return an option with a text, whose form is checked} */
    private static Option<Optional<String>> checkedText(
            String name, String field, String label, Consumer<String> check, String description) {
        return new Option<>(
                name,
                field,
                label,
                Optional.empty(),
                OptionForm.optional(OptionForm.TEXT),
                value -> value.ifPresent(check),
                description);
    }

    /** {@return an option that becomes a view of the source when it is planned, which is saved in its place} */
    private static Option<Optional<String>> view(String name, String label, String description) {
        return checkedText(name, "", label, text -> ViewSteps.of(name, text), description);
    }

    /** {@return an option whose default depends on the stores, and that always has a value when it is saved} */
    private static <T> Option<Optional<T>> settled(
            String name, String field, String label, OptionForm<T> form, String description) {
        return new Option<>(name, field, label, Optional.empty(), OptionForm.settled(form), value -> {}, description);
    }

    private static void requireWorkers(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("the number of workers is " + workers + ", but must be at least 1");
        }
    }

    private static void requireShare(double share) {
        ArrayComparison.requireShare(share);
    }

    /** {@return the name of the option; empty if it cannot be written as text} */
    public String name() {
        return name;
    }

    /**
     * {@return the placeholder of the value in a list of options, in brackets if the value can be left out; empty if
     * the option is a flag}
     */
    public String label() {
        return label;
    }

    /** {@return what it does, in a sentence} */
    public String description() {
        return description;
    }

    /** {@return the default value} */
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
     * {@return a value, after checking it}
     *
     * @throws IllegalArgumentException if it is not a valid value of the option
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
     * @throws StoreException if it is not a valid value of the option; the message names the field
     */
    T load(DataFields data) throws IOException {
        return data.made(field, () -> {
            T value = form.ofData(data, field);
            return value.equals(initial) ? value : checked(value);
        });
    }
}
