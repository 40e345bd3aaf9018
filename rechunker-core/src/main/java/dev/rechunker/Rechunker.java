package dev.rechunker;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.Longs;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.PathPattern;
import dev.rechunker.job.JobRequest;
import dev.rechunker.job.Option;
import dev.rechunker.job.Options;
import dev.rechunker.job.Placement;
import dev.rechunker.job.RegionText;
import dev.rechunker.job.StoreAddress;
import dev.rechunker.job.TextForm;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.Loss;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Copies arrays into chunks of another shape, within a memory limit for all data.
 *
 * <pre>{@code
 * Rechunker.from("ssh.nc").to("ssh.zarr").chunks(8901, 72, 72).maxMem("2GB").execute();
 * }</pre>
 *
 * <p>A source or target is an array or group: the one at the root of a {@link ChunkStore}, or another one at a path in
 * the store, {@code store.at("a/b")}. A group is copied with everything below it and the attributes of every node.
 * Nodes that are not understood, and arrays of types that the target does not have, are left out. The steps up to
 * {@code maxMem} are required, so each is a type of its own. Then comes a {@link Job}, whose options return a changed
 * copy. Everything that no option changes stays as in the source, as far as the target's format can express it;
 * {@link Plan#losses()} lists what it cannot.
 */
public final class Rechunker {
    private static final String MEMORY_OF_COPY = "50%";

    private Rechunker() {}

    /** {@return the first step: the array or group at the root of a store is copied} */
    public static From from(ChunkStore source) {
        return from(source.at(""));
    }

    /** {@return the first step: an array or group is copied} */
    public static From from(StoreLocation source) {
        return new From(requireNonNull(source, "source"));
    }

    /**
     * {@return the first step: the array or group at a path or URI is copied}
     *
     * <p>The path of a node in the store can follow after {@code #}: {@code "ssh.zarr"}, {@code "scan.h5#/entry/data"},
     * {@code "file:/data/a.n5#raw"}.
     *
     * <p>The format is detected from the contents. The source is opened when it is read and closed afterwards, so the
     * caller has nothing to close. The module {@code rechunker-io} has to be on the class path, as it contains the
     * formats.
     *
     * @throws IllegalArgumentException if the text does not have this form
     * @throws IOException if nothing exists there, or nothing of a known format; the message lists what was looked for
     */
    public static From from(String source) throws IOException {
        return from(StoreAddress.of(source).toRead());
    }

    /**
     * {@return the first step: the array or group at the root of the store at a path is copied; see
     * {@link #from(String)}}
     */
    public static From from(Path source) throws IOException {
        return from(StoreAddress.of(source).toRead());
    }

    /**
     * {@return the first step: the array or group at a URI is copied; the fragment of the URI is the path of a node in
     * the store; see {@link #from(String)}}
     */
    public static From from(URI source) throws IOException {
        return from(StoreAddress.of(source).toRead());
    }

    /**
     * Copies a source to a target, each named by a text, with unchanged chunks and within half of this JVM's maximum
     * heap.
     *
     * <p>The ending of the target selects its format: {@code copy("scan.h5#/entry/data", "scan.ome.zarr")}. Nothing is
     * overwritten. To set chunks, memory limit or options, use {@link #from(String)}.
     *
     * @return what was done
     * @throws IllegalArgumentException if a text does not have the form of {@link #from(String)}, or chunks of the
     *     source are too large to be kept
     * @throws dev.rechunker.run.InfeasiblePlanException if the copy needs more memory
     * @throws IOException if reading or writing fails, the target exists, or its ending is not that of a format
     * @throws InterruptedException if interrupted
     */
    public static Report copy(String source, String target) throws IOException, InterruptedException {
        return copy(StoreAddress.of(source), StoreAddress.of(target));
    }

    /** Copies the array or group at one path to another path; see {@link #copy(String, String)}. */
    public static Report copy(Path source, Path target) throws IOException, InterruptedException {
        return copy(StoreAddress.of(source), StoreAddress.of(target));
    }

    private static Report copy(StoreAddress source, StoreAddress target) throws IOException, InterruptedException {
        From from = from(source.toRead());
        StoreLocation to = target.toWrite();
        try (ChunkStore store = to.store()) {
            return from.to(store.at(to.path()))
                    .chunks("keep")
                    .maxMem(MEMORY_OF_COPY)
                    .execute();
        }
    }

    /**
     * {@return the options of a job that have a name and a value in text form, for front ends such as a command line;
     * see {@link Job#option}}
     */
    public static List<OptionInfo> options() {
        return Option.written().stream()
                .map(option -> new OptionInfo(option.name(), option.label(), option.description()))
                .toList();
    }

    /**
     * An option of a job.
     *
     * @param name the name to pass to {@link Job#option}
     * @param label a placeholder for its value in a usage text, such as {@code DIR}, or in brackets, as
     *     {@code [SHARE]}, if the value can be left out; empty if the option is a flag, which has no value
     * @param description what it does, in a sentence
     */
    public record OptionInfo(String name, String label, String description) {}

    /** The first step of a job: a source is chosen, the target is not. */
    public static final class From {
        private final StoreLocation source;

        private From(StoreLocation source) {
            this.source = source;
        }

        /**
         * {@return the next step: the source is copied to a path or URI, in the form of {@link Rechunker#from(String)}}
         *
         * <p>The ending selects the format: {@code "ssh.zarr"}, {@code "scan.ome.zarr"}, {@code "a.h5#entry/data"},
         * {@code "s3://bucket/a.zarr"}. Nothing is written yet, and the caller has nothing to close. The connections to
         * a bucket stay open as long as this JVM runs: a program that makes many copies passes a store, which it
         * closes.
         *
         * @throws IllegalArgumentException if the text does not have this form
         * @throws IOException if the ending is not that of a format, or nothing can be written there
         */
        public To to(String target) throws IOException {
            return to(StoreAddress.of(target).toWrite());
        }

        /** {@return the next step: the source is copied to a path; see {@link #to(String)}} */
        public To to(Path target) throws IOException {
            return to(StoreAddress.of(target).toWrite());
        }

        /** {@return the next step: the source is copied to the root of a store} */
        public To to(ChunkStore target) {
            return to(target.at(""));
        }

        /** {@return the next step: the source is copied to a node of a store} */
        public To to(StoreLocation target) {
            return new To(source, requireNonNull(target, "target"));
        }

        /**
         * {@return the next step: the source is written into the existing array or group at a path or URI; see
         * {@link #to(String)}}
         */
        public Into into(String target) throws IOException {
            return into(StoreAddress.of(target).toWrite());
        }

        /** {@return the next step: the source is written into the existing array or group at a path} */
        public Into into(Path target) throws IOException {
            return into(StoreAddress.of(target).toWrite());
        }

        /** {@return the next step: the source is written into an existing array or group, at the root of a store} */
        public Into into(ChunkStore target) {
            return into(target.at(""));
        }

        /** {@return the next step: the source is written into an existing array or group} */
        public Into into(StoreLocation target) {
            return new Into(source, requireNonNull(target, "target"), new Placement.At(null));
        }
    }

    /**
     * The second step of a job that writes into a target that exists: the memory limit is not set yet. By default,
     * elements go to the index that they have in the source.
     *
     * <p>The target keeps its chunks, codecs and attributes. It must have the same type, missing value, number and
     * names of axes, and the same attributes that give numbers their meaning, such as units; otherwise nothing is
     * written. A write unit (a shard, or a chunk if there are no shards) that is only partly covered is read, merged
     * and written again, by one task. Readers see each unit either before or after the change. An array becomes longer
     * in one step, at the end.
     */
    public static final class Into {
        private final StoreLocation source;
        private final StoreLocation target;
        private final Placement placement;

        private Into(StoreLocation source, StoreLocation target, Placement placement) {
            this.source = source;
            this.target = target;
            this.placement = placement;
        }

        /** {@return this step with the first element going to this index of the target array} */
        public Into at(long... offset) {
            return new Into(source, target, new Placement.At(Longs.asList(offset.clone())));
        }

        /**
         * {@return this step with the source added at the end of the target, which becomes longer along an axis}
         *
         * <p>The other axes must be as long as those of the source.
         *
         * @param axis the number of the axis, from 0
         */
        public Into append(int axis) {
            return new Into(source, target, new Placement.Append(null, axis));
        }

        /**
         * {@return this step with the source added at the end of the target, which becomes longer along an axis}
         *
         * <p>In a group, every array that has the axis becomes longer. Source and target must have the same arrays with
         * the axis. Arrays without the axis are not written; when the plan is made, their elements are checked to be
         * the same in source and target.
         *
         * @param axis the name of the axis
         */
        public Into append(String axis) {
            return new Into(source, target, new Placement.Append(requireNonNull(axis, "axis"), -1));
        }

        /**
         * {@return the job with a memory limit, a size in the form of {@link ByteSize#parse}; see
         * {@link #maxMem(ByteSize)}}
         */
        public Job maxMem(String size) {
            return maxMem(ByteSize.parse(size));
        }

        /** {@return the job, whose data in memory never exceed {@code size}, all threads together} */
        public Job maxMem(ByteSize size) {
            Options options = Options.NONE.withValue(Option.PLACEMENT, placement);
            return new Job(source, target, ChunkRule.keep(), requireNonNull(size, "size"), options);
        }
    }

    /** The second step of a job: source and target are chosen, the chunks of the target are not. */
    public static final class To {
        private final StoreLocation source;
        private final StoreLocation target;

        private To(StoreLocation source, StoreLocation target) {
            this.source = source;
            this.target = target;
        }

        /** {@return the next step: chunks of these extents, one for each axis; -1 is the whole axis} */
        public Chunked chunks(long... extents) {
            return chunks(ChunkRule.of(extents));
        }

        /** {@return the next step: chunks as a text states them, in the form of {@link ChunkRule}} */
        public Chunked chunks(String text) {
            return chunks(ChunkRule.parse(text));
        }

        /** {@return the next step: the chunks that a rule chooses for each array} */
        public Chunked chunks(ChunkRule rule) {
            return new Chunked(source, target, requireNonNull(rule, "rule"));
        }
    }

    /** The third step of a job: source, target and chunks are chosen, the memory limit is not. */
    public static final class Chunked {
        private final StoreLocation source;
        private final StoreLocation target;
        private final ChunkRule chunks;

        private Chunked(StoreLocation source, StoreLocation target, ChunkRule chunks) {
            this.source = source;
            this.target = target;
            this.chunks = chunks;
        }

        /**
         * {@return the job with a memory limit, a size in the form of {@link ByteSize#parse}: {@code "2GB"},
         * {@code "512MiB"}, or {@code "50%"} of the maximum heap}
         */
        public Job maxMem(String size) {
            return maxMem(ByteSize.parse(size));
        }

        /** {@return the job, whose data in memory never exceed {@code size}, all threads together} */
        public Job maxMem(ByteSize size) {
            return new Job(source, target, chunks, requireNonNull(size, "size"), Options.NONE);
        }
    }

    /**
     * A copy to be planned and executed: source, target, chunks, memory limit, and options. Immutable: each option
     * returns a changed copy.
     */
    public static final class Job {
        private final JobRequest request;

        private Job(StoreLocation source, StoreLocation target, ChunkRule chunks, ByteSize maxMem, Options options) {
            this(new JobRequest(source, target, new RuleChoice(chunks), maxMem, options));
        }

        private Job(JobRequest request) {
            this.request = request;
        }

        /** {@return the memory limit} */
        ByteSize maxMem() {
            return request.maxMem();
        }

        /** {@return the job with another memory limit} */
        Job maxMem(ByteSize size) {
            return new Job(
                    new JobRequest(request.source(), request.target(), request.chunks(), size, request.options()));
        }

        private Job with(UnaryOperator<Options> change) {
            return new Job(request.with(change.apply(request.options())));
        }

        private <T> Job with(Option<T> option, T value) {
            return with(options -> options.with(option, value));
        }

        private <T> Job withValue(Option<Optional<T>> option, T value) {
            return with(options -> options.withValue(option, value));
        }

        /**
         * {@return the job with an option given by name and text; see {@link Rechunker#options()}}
         *
         * @param name the name of the option
         * @param text its value; empty for a flag that is set
         * @throws IllegalArgumentException if there is no such option, or the text does not state a value of it
         */
        public Job option(String name, String text) {
            return with(options -> options.withText(name, text));
        }

        /** {@return the job with its temporary files in a directory; by default they are next to the target} */
        public Job spill(Path directory) {
            return withValue(Option.SPILL, requireNonNull(directory, "directory"))
                    .with(Option.SPILL_STORE, Optional.empty())
                    .with(Option.NO_SPILL, false);
        }

        /**
         * {@return the job with its temporary data in a store that every machine can reach, such as a bucket}
         *
         * <p>The caller closes the store, after the last use of the job and its plans.
         */
        public Job spill(SpillStore store) {
            return withValue(Option.SPILL_STORE, requireNonNull(store, "store"))
                    .with(Option.SPILL, Optional.empty())
                    .with(Option.NO_SPILL, false);
        }

        /** {@return the job without temporary files, even if the source then has to be read several times} */
        public Job noSpill() {
            return with(Option.NO_SPILL, true);
        }

        /**
         * {@return the job with a number of threads; by default one per processor, or 64 if source or target is remote}
         */
        public Job threads(int threads) {
            return executor(new ForkJoinExecutor(threads));
        }

        /**
         * {@return the job planned for a number of processes that share its tasks in a {@link SharedRun}, each with the
         * memory limit and the threads of the job; by default for one}
         *
         * <p>The plan has tasks for all of them where that is faster, though it may read or write more. Temporary data
         * are next to the target by default, also in an object store.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Job workers(int workers) {
            return with(Option.WORKERS, workers);
        }

        /** {@return the job whose tasks are run by an executor} */
        public Job executor(Executor executor) {
            return withValue(Option.EXECUTOR, requireNonNull(executor, "executor"));
        }

        /** {@return the job that replaces existing arrays at the target; by default such a copy is refused} */
        public Job overwrite() {
            return with(Option.OVERWRITE, true);
        }

        /**
         * {@return the job with these codecs for the target's chunks, in the order of encoding; if the source stores
         * its axes in another order, that order is kept}
         *
         * <p>By default the target has the source's codecs, or the usual ones of its format if the format does not have
         * these.
         */
        public Job codec(List<CodecSpec> codecs) {
            return withValue(Option.CODECS, List.copyOf(codecs));
        }

        /**
         * {@return the job with codecs for the target's chunks, in the form of {@link CodecSpec#parse}: {@code "zstd"},
         * {@code "blosc:cname=zstd,clevel=5"}}
         */
        public Job codec(String text) {
            return codec(CodecSpec.parse(text));
        }

        /**
         * {@return the job whose chunks are stored in shards, of a shape in the form of {@link ChunkRule};
         * {@code "none"} for no shards}
         */
        public Job shards(String text) {
            return withValue(Option.SHARDS, requireNonNull(text, "text"));
        }

        /**
         * {@return the job that writes one of the formats of the target's store, such as {@code "zarr2"} or
         * {@code "zarr3"}}
         */
        public Job format(String name) {
            return withValue(Option.FORMAT, requireNonNull(name, "name"));
        }

        /**
         * {@return the job planned for storage with these costs; by default {@link CostModel#OBJECT_STORE} if source or
         * target is remote, or else {@link CostModel#SSD}}
         *
         * @see #calibrate()
         */
        public Job costModel(CostModel model) {
            return withValue(Option.COST_MODEL, requireNonNull(model, "model"));
        }

        /** {@return the job that reports its progress to a listener} */
        public Job onProgress(ProgressListener listener) {
            return with(Option.LISTENER, requireNonNull(listener, "listener"));
        }

        /**
         * {@return the job that gives texts of variable length the length of the longest text of their array: text of
         * UTF-32 if the target's format has it, as Zarr does, or else padded bytes of UTF-8}
         */
        public Job fixedText() {
            return withValue(Option.TEXT, TextForm.FIXED);
        }

        /** {@return the job that gives texts of fixed length a variable one} */
        public Job variableText() {
            return withValue(Option.TEXT, TextForm.VARIABLE);
        }

        /**
         * {@return the job that also makes smaller levels of each array, for viewers that show large arrays at any
         * zoom}
         *
         * <p>An array with levels becomes a group with the arrays {@code 0}, {@code 1}, {@code 2} and so on, or as the
         * target's format names them; in OME-Zarr, an image. A group that is a pyramid gets these levels in place of
         * its own. Each level is made of the one before, with the same codecs, and by default with chunks and shards of
         * the same shape. Arrays of which no levels can be made are copied as they are.
         */
        public Job levels(Levels levels) {
            return new Job(request.with(levels.set(request.options())));
        }

        /** {@return the job that makes levels, this number of them in all, as {@link Levels#auto()} chooses them} */
        public Job levels(int number) {
            return levels(Levels.auto().count(number));
        }

        /**
         * {@return the job that also writes chunks of which all elements are the fill value; by default they are left
         * out}
         */
        public Job writeEmptyChunks() {
            return with(Option.KEEP_EMPTY, true);
        }

        /**
         * {@return the job that refuses to lose arrays, attributes and other metadata: {@link #plan()} fails if
         * {@link Plan#losses()} would have one that is at least of the kind {@link Loss.Kind#METADATA}}
         */
        public Job strict() {
            return strict(Loss.Kind.METADATA);
        }

        /**
         * {@return the job that refuses losses that are at least as grave as a kind: {@link #plan()} fails if
         * {@link Plan#losses()} would have one}
         */
        public Job strict(Loss.Kind least) {
            return withValue(Option.STRICT, requireNonNull(least, "least"));
        }

        /**
         * {@return the job that does not copy some arrays and groups, which are then no losses}
         *
         * <p>{@link #plan()} refuses a pattern that matches none.
         *
         * @param patterns patterns of paths, separated by commas, as for {@link ChunkRule#named}: {@code "crs,
         *     quality/**"}
         * @throws IllegalArgumentException if a pattern is empty
         */
        public Job skip(String patterns) {
            PathPattern.parseAny(patterns);
            return withValue(Option.SKIP, patterns);
        }

        /**
         * {@return the job that copies an array to the target itself, without its coordinates}
         *
         * <p>By default, an array that has coordinates or declared dimensions in its group, or in a group above, comes
         * with them if it is copied to the root of a store: that becomes a group, with the array under its name. So do
         * the arrays that the attributes {@code coordinates}, {@code bounds}, {@code climatology},
         * {@code grid_mapping}, {@code cell_measures}, {@code formula_terms} and {@code ancillary_variables} of all of
         * these name.
         */
        public Job only() {
            return with(Option.ONLY, true);
        }

        /**
         * {@return the job that writes no consolidated metadata}
         *
         * <p>By default, a new Zarr group that is the root of its store has them, in the form in which zarr-python
         * writes them: all metadata in one document, so that readers need one request for them. Existing ones are kept
         * up to date in any case.
         */
        public Job noConsolidated() {
            return with(Option.NO_CONSOLIDATED, true);
        }

        /**
         * {@return the job that appends coordinates even if the target has some of these values already; by default
         * that is refused, as the same data would be there twice}
         */
        public Job allowDuplicates() {
            return with(Option.ALLOW_DUPLICATES, true);
        }

        /**
         * {@return the job that copies a part of each array}
         *
         * <p>The text has one range for each axis, in order ({@code "100:200, :, 5:"}), or names axes
         * ({@code "time=100:200"}); axes that are not named are copied whole. A range is {@code from:to} in elements,
         * {@code to} excluded; an omitted bound is the beginning or end of the axis. In a group, a named range applies
         * to every array that has the axis. Attributes are copied unchanged, even those that state where the array
         * begins.
         *
         * <p>A range can also be one of coordinates, both ends included: of numbers with a point
         * ({@code "lat=40.0:60.0"}), of dates ({@code "time=2020-01-01:2020-01-31"}, where a date stands for its whole
         * day), and of anything after {@code @} ({@code "level=@500:@850"}). They are looked up in the array of one
         * axis that has the name of the axis, when the job is planned.
         *
         * @throws IllegalArgumentException if the text is not of this form
         */
        public Job region(String ranges) {
            return withValue(Option.REGION, RegionText.parse(ranges));
        }

        /** {@return the job that copies a part of one array} */
        public Job region(Region region) {
            return withValue(Option.REGION, RegionText.of(region));
        }

        /**
         * {@return the job that copies some elements of axes, as {@link Views#select}}
         *
         * <p>Views that are options are applied in the order select, flip, transpose, squeeze, new axis, unpack, cast,
         * bit round, pack; for another order, use {@link Views}. Chunks, regions and paths are those of what the views
         * show.
         */
        public Job select(String indices) {
            return withValue(Option.SELECT, indices);
        }

        /** {@return the job that reverses axes, as {@link Views#flip}} */
        public Job flip(String axes) {
            return withValue(Option.FLIP, axes);
        }

        /** {@return the job that writes axes in another order, as {@link Views#transpose}} */
        public Job transpose(String axes) {
            return withValue(Option.TRANSPOSE, axes);
        }

        /** {@return the job that drops axes of one element, as {@link Views#squeeze(String)}} */
        public Job squeeze(String axes) {
            return withValue(Option.SQUEEZE, axes);
        }

        /** {@return the job that adds axes of one element, as {@link Views#newAxis}} */
        public Job newAxis(String axes) {
            return withValue(Option.NEW_AXIS, axes);
        }

        /** {@return the job that unpacks numbers, as {@link Views#unpack(String)}} */
        public Job unpack(String rules) {
            return withValue(Option.UNPACK, rules);
        }

        /** {@return the job that gives numbers another type, as {@link Views#cast(String)}} */
        public Job cast(String rules) {
            return withValue(Option.CAST, rules);
        }

        /** {@return the job that rounds floats to some bits, as {@link Views#bitRound(String)}} */
        public Job bitRound(String rules) {
            return withValue(Option.BITROUND, rules);
        }

        /** {@return the job that packs numbers, as {@link Views#pack(String)}} */
        public Job pack(String rules) {
            return withValue(Option.PACK, rules);
        }

        /** {@return the job that reads source and target again after the copy and fails if an element differs} */
        public Job verify() {
            return verify(1);
        }

        /**
         * {@return the job that reads a share of the elements of source and target again after the copy and fails if
         * one differs}
         *
         * <p>The elements are spread over each array, with the first and the last among them, and are the same each
         * time. Verification keeps the memory limit of the job. It fails if a codec has changed elements, as bitround
         * does.
         *
         * @param share above 0, at most 1
         * @throws IllegalArgumentException if the share is not in this range
         */
        public Job verify(double share) {
            return with(Option.VERIFY, share);
        }

        /**
         * {@return the job whose report has a checksum of each array that was written}
         *
         * <p>Checksums are computed from the stored bytes, read back after the copy, so any tool can check later that
         * they are unchanged. Each write unit (a shard, or a chunk if there are no shards) has a CRC32C. The checksum
         * of an array is the SHA-256 of the lines with those of its units that {@link #checksums(Path)} writes.
         */
        public Job checksums() {
            return with(Option.CHECKSUMS, true);
        }

        /**
         * {@return the job that also writes the checksum of each write unit to a file, which is replaced if it exists,
         * and must be outside of source and target}
         *
         * <p>The file has a line for each unit that is stored, such as {@code 1c291ca3 5321 ssh 0,12,3}: the CRC32C of
         * its bytes, their number, the path of the array, and the index of the unit on each axis.
         */
        public Job checksums(Path file) {
            return checksums().withValue(Option.CHECKSUM_FILE, requireNonNull(file, "file"));
        }

        /**
         * {@return the job whose report has a checksum of the contents of each array that was written}
         *
         * <p>It is computed from type, shape and elements, which are read back after the copy within the memory limit.
         * It does not depend on chunks, codecs, byte order and format, so equal arrays have equal checksums. It shows
         * changes by chance, not those that are made to have the same checksum.
         */
        public Job checksumContents() {
            return with(Option.CONTENTS, true);
        }

        /**
         * {@return the job that resumes an unfinished run of the same plan at the target, if there is one, and starts
         * from the beginning otherwise}
         *
         * <p>The other run may have failed, been cancelled, or been killed at any moment. Source, arrays and tasks must
         * be the same, so use the same memory limit and number of threads. After a loss of power or a restart of the
         * machine, only a {@link #durable()} run can be resumed, or one into a bucket. Without this option, a target
         * with an unfinished run is refused, or replaced if the job has {@link #overwrite()}.
         */
        public Job resume() {
            return with(Option.RESUME, true);
        }

        /**
         * {@return the job that makes writes durable: data are forced to the device before they are recorded as done,
         * so that the run can be resumed after a loss of power}
         */
        public Job durable() {
            return with(Option.DURABLE, true);
        }

        /**
         * {@return the job that repeats an operation up to this number of times after a failure that may be temporary;
         * 3 by default}
         *
         * @throws IllegalArgumentException if the number is negative
         */
        public Job retries(int retries) {
            return with(Option.RETRIES, retries);
        }

        /** {@return the job with a treatment of source chunks that cannot be decoded; by default the run fails} */
        public Job onCorrupt(OnCorrupt what) {
            return with(Option.ON_CORRUPT, requireNonNull(what, "what"));
        }

        /**
         * {@return a measured cost model of the storage of source, target and temporary files, for {@link #costModel}}
         *
         * <p>Measuring takes a few seconds and keeps the memory limit of the job. It reads some chunks of the source.
         * On this machine, it also writes 64 MiB to a temporary file, reads them back and removes the file, once next
         * to the target and once in the directory of temporary files. The figures differ from one call to the next, and
         * so may the plans. To resume a run, use the model that it was started with.
         *
         * @throws IOException as {@link #plan()} does, or if measuring fails
         */
        public CostModel calibrate() throws IOException {
            return request.calibrate();
        }

        /**
         * {@return the plan; nothing is written}
         *
         * @throws IllegalArgumentException if chunks, region or options do not fit the source
         * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit; the message names the
         *     smallest one that works
         * @throws IOException if the source cannot be read or understood; if the target's format cannot express it; if
         *     something would be lost and the job is {@link #strict()}; or if an existing target that is to be written
         *     into does not match the source
         */
        public Plan plan() throws IOException {
            return new Plan(request.plan());
        }

        /**
         * Plans and copies.
         *
         * @return what was done
         * @throws IllegalArgumentException if chunks, region or options do not fit the source
         * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit
         * @throws dev.rechunker.run.VerificationException if verification finds an element that differs
         * @throws IOException if reading or writing fails, or the target exists
         * @throws InterruptedException if interrupted
         */
        public Report execute() throws IOException, InterruptedException {
            return request.execute();
        }
    }
}
