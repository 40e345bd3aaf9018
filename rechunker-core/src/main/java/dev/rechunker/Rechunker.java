package dev.rechunker;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.Longs;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.job.JobRequest;
import dev.rechunker.job.Option;
import dev.rechunker.job.Options;
import dev.rechunker.job.Placement;
import dev.rechunker.job.RegionText;
import dev.rechunker.job.StoreAddress;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
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
 * Copies arrays into other chunks, inside a memory bound that holds.
 *
 * <pre>{@code
 * Rechunker.from(source).to(target).chunks(8901, 72, 72).maxMem("2GB").execute();
 * }</pre>
 *
 * <p>Source and target are a {@link ChunkStore}, for the array or group at its root, or a node of one. Of a group, the
 * whole hierarchy below is copied, with the attributes of every node; nodes that are not understood, and arrays of
 * types that the target does not have, are left out. The steps up to {@code maxMem} are required, and types of their
 * own; what follows is a {@link Job}, whose options return a changed copy. What is not told stays as in the source, as
 * far as the target's format can say it; {@link Plan#losses()} lists what it cannot.
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
     * {@return the first step: what a text names is copied, {@code "ssh.zarr"}, {@code "scan.h5#/entry/data"} or a URI,
     * {@code "file:/data/a.n5#raw"}}
     *
     * <p>Its format is what is found there, and nobody has to close it: it is open while it is read. Formats come from
     * {@code rechunker-io}.
     *
     * @throws IllegalArgumentException if it names no place
     * @throws IOException if there is nothing, or nothing that is recognised; the message lists what was looked for
     */
    public static From from(String source) throws IOException {
        return from(StoreAddress.of(source).toRead());
    }

    /**
     * {@return the first step: the array or group at the root of what is at a path is copied; see
     * {@link #from(String)}}
     */
    public static From from(Path source) throws IOException {
        return from(StoreAddress.of(source).toRead());
    }

    /** {@return the first step: what a URI names is copied, a fragment being the node; see {@link #from(String)}} */
    public static From from(URI source) throws IOException {
        return from(StoreAddress.of(source).toRead());
    }

    /**
     * Copies what a text names to where another one says, in the chunks that it has, in at most half as much memory as
     * this JVM's maximum heap.
     *
     * <p>The ending says the format: {@code copy("scan.h5#/entry/data", "scan.ome.zarr")}. Nothing is overwritten. For
     * anything else there is {@link #from(String)}.
     *
     * @return what was done
     * @throws IllegalArgumentException if a text names no place, or chunks of the source are too large to be kept
     * @throws dev.rechunker.run.InfeasiblePlanException if it takes more memory
     * @throws IOException if reading or writing fails, or the target exists, or its ending is none of a format
     * @throws InterruptedException if interrupted
     */
    public static Report copy(String source, String target) throws IOException, InterruptedException {
        return copy(StoreAddress.of(source), StoreAddress.of(target));
    }

    /** Copies what is at a path to another one; see {@link #copy(String, String)}. */
    public static Report copy(Path source, Path target) throws IOException, InterruptedException {
        return copy(StoreAddress.of(source), StoreAddress.of(target));
    }

    private static Report copy(StoreAddress source, StoreAddress target) throws IOException, InterruptedException {
        From from = from(source.toRead());
        try (ChunkStore store = target.toWrite()) {
            return from.to(store.at(target.inner()))
                    .chunks("keep")
                    .maxMem(MEMORY_OF_COPY)
                    .execute();
        }
    }

    /**
     * {@return the options of a job that can be written as text, for front ends such as a command line; see
     * {@link Job#option}}
     */
    public static List<OptionInfo> options() {
        return Option.written().stream()
                .map(option -> new OptionInfo(option.name(), option.label(), option.description()))
                .toList();
    }

    /**
     * An option of a job.
     *
     * @param name the name by which {@link Job#option} knows it
     * @param label what stands for its value; empty if it is a flag
     * @param description what it does, in a sentence
     */
    public record OptionInfo(String name, String label, String description) {}

    /** A source without a target. */
    public static final class From {
        private final StoreLocation source;

        private From(StoreLocation source) {
            this.source = source;
        }

        /** {@return the next step: it is copied to the root of a store} */
        public To to(ChunkStore target) {
            return to(target.at(""));
        }

        /** {@return the next step: it is copied to a node of a store} */
        public To to(StoreLocation target) {
            return new To(source, requireNonNull(target, "target"));
        }

        /** {@return the next step: it is written into the array or group at the root of a store, which exists} */
        public Into into(ChunkStore target) {
            return into(target.at(""));
        }

        /** {@return the next step: it is written into an array or group that exists} */
        public Into into(StoreLocation target) {
            return new Into(source, requireNonNull(target, "target"), new Placement.At(null));
        }
    }

    /**
     * A source, and a target that exists, without a bound. What is written goes to the place that it has in the source,
     * unless told otherwise.
     *
     * <p>The target keeps its chunks, codecs and attributes. It has to be of the same type, fill value and rank, with
     * the same names of axes, and attributes that give numbers the same meaning; else nothing is written. Write units
     * that are only partly written are read, merged and written again, each by one task. Readers see each unit as it
     * was, or as it becomes; an array that gets longer does so in one step, at the end.
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

        /** {@return the same, but the first element goes to this index of the target array} */
        public Into at(long... offset) {
            return new Into(source, target, new Placement.At(Longs.asList(offset.clone())));
        }

        /**
         * {@return the same, but the target is made longer by what is written, along an axis}
         *
         * <p>The other axes have to be as long as those of the source.
         *
         * @param axis its number
         */
        public Into append(int axis) {
            return new Into(source, target, new Placement.Append(null, axis));
        }

        /**
         * {@return the same, but the target is made longer by what is written, along an axis}
         *
         * <p>Of a group, every array that has the axis; the target has to have the same ones. Arrays without it are not
         * written; they have to be the same, element by element, which is seen to when the plan is made.
         *
         * @param axis its name
         */
        public Into append(String axis) {
            return new Into(source, target, new Placement.Append(requireNonNull(axis, "axis"), -1));
        }

        /** {@return the job, bounded by a size in the form of {@link ByteSize#parse}} */
        public Job maxMem(String size) {
            return maxMem(ByteSize.parse(size));
        }

        /** {@return the job, whose data in memory never exceed {@code size}, all threads together} */
        public Job maxMem(ByteSize size) {
            Options options = Options.NONE.withValue(Option.PLACEMENT, placement);
            return new Job(source, target, ChunkRule.keep(), requireNonNull(size, "size"), options);
        }
    }

    /** A source and a target without chunks. */
    public static final class To {
        private final StoreLocation source;
        private final StoreLocation target;

        private To(StoreLocation source, StoreLocation target) {
            this.source = source;
            this.target = target;
        }

        /** {@return the next step: chunks of these extents; -1 is the whole axis} */
        public Chunked chunks(long... extents) {
            return chunks(ChunkRule.of(extents));
        }

        /** {@return the next step: chunks as a text states them, in the form of {@link ChunkRule}} */
        public Chunked chunks(String text) {
            return chunks(ChunkRule.parse(text));
        }

        /** {@return the next step: chunks by a rule} */
        public Chunked chunks(ChunkRule rule) {
            return new Chunked(source, target, requireNonNull(rule, "rule"));
        }
    }

    /** A source, a target and chunks without a bound. */
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
         * {@return the job, bounded by a size in the form of {@link ByteSize#parse}: {@code "2GB"}, {@code "512MiB"},
         * {@code "50%"}}
         */
        public Job maxMem(String size) {
            return maxMem(ByteSize.parse(size));
        }

        /** {@return the job, whose data in memory never exceed {@code size}, all threads together} */
        public Job maxMem(ByteSize size) {
            return new Job(source, target, chunks, requireNonNull(size, "size"), Options.NONE);
        }
    }

    /** Everything that is needed, and options; immutable. */
    public static final class Job {
        private final JobRequest request;

        private Job(StoreLocation source, StoreLocation target, ChunkRule chunks, ByteSize maxMem, Options options) {
            this(new JobRequest(source, target, chunks::chunks, maxMem, options));
        }

        private Job(JobRequest request) {
            this.request = request;
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
         * {@return the job with an option that is written as text; see {@link Rechunker#options()}}
         *
         * @param name the name of the option
         * @param text its value; empty for a flag that is set
         * @throws IllegalArgumentException if there is no such option, or the text does not state a value of it
         */
        public Job option(String name, String text) {
            return with(options -> options.withText(name, text));
        }

        /** {@return the job with temporary files in a directory, rather than at the target} */
        public Job spill(Path directory) {
            return withValue(Option.SPILL, requireNonNull(directory, "directory"))
                    .with(Option.SPILL_STORE, Optional.empty())
                    .with(Option.NO_SPILL, false);
        }

        /**
         * {@return the job with its temporary copy in a place that every machine reaches, such as a bucket}
         *
         * <p>The place stays open as long as the job or its plan is used, and is not closed by them.
         */
        public Job spill(SpillStore store) {
            return withValue(Option.SPILL_STORE, requireNonNull(store, "store"))
                    .with(Option.SPILL, Optional.empty())
                    .with(Option.NO_SPILL, false);
        }

        /** {@return the job without temporary files, however often the source has to be read} */
        public Job noSpill() {
            return with(Option.NO_SPILL, true);
        }

        /**
         * {@return the job with so many threads instead of one per processor, or of 64 if source or target is remote}
         */
        public Job threads(int threads) {
            return executor(new ForkJoinExecutor(threads));
        }

        /**
         * {@return the job planned for so many processes that share its tasks in a {@link SharedRun}, each with the
         * bound and the threads of the job; for one otherwise}
         *
         * <p>The plan has tasks for all of them where that is faster, though it may read or write more. A temporary
         * copy is beside the target unless told otherwise, also in an object store.
         *
         * @throws IllegalArgumentException if there is not at least one
         */
        public Job workers(int workers) {
            return with(Option.WORKERS, workers);
        }

        /** {@return the job run by another executor} */
        public Job executor(Executor executor) {
            return withValue(Option.EXECUTOR, requireNonNull(executor, "executor"));
        }

        /** {@return the job that replaces arrays that are at the target} */
        public Job overwrite() {
            return with(Option.OVERWRITE, true);
        }

        /**
         * {@return the job whose chunks are encoded by these steps; an order of axes in the source is kept}
         *
         * <p>Without it they are encoded as in the source, or as the target's format usually does if it does not have
         * the source's codecs.
         */
        public Job codec(List<CodecSpec> codecs) {
            return withValue(Option.CODECS, List.copyOf(codecs));
        }

        /** {@return the job whose chunks are encoded as a text states, in the form of {@link CodecSpec#parse}} */
        public Job codec(String text) {
            return codec(CodecSpec.parse(text));
        }

        /**
         * {@return the job whose chunks lie in shards, as a text states them in the form of {@link ChunkRule};
         * {@code "none"} for none}
         */
        public Job shards(String text) {
            return withValue(Option.SHARDS, requireNonNull(text, "text"));
        }

        /** {@return the job whose target has a format of its store, such as {@code "zarr2"} or {@code "zarr3"}} */
        public Job format(String name) {
            return withValue(Option.FORMAT, requireNonNull(name, "name"));
        }

        /**
         * {@return the job planned for other devices; otherwise for {@link CostModel#OBJECT_STORE} if source or target
         * is remote, else for {@link CostModel#SSD}}
         *
         * @see #calibrate()
         */
        public Job costModel(CostModel model) {
            return withValue(Option.COST_MODEL, requireNonNull(model, "model"));
        }

        /** {@return the job that tells a listener how far it has come} */
        public Job onProgress(ProgressListener listener) {
            return with(Option.LISTENER, requireNonNull(listener, "listener"));
        }

        /** {@return the job that also writes chunks that hold nothing but the fill value} */
        public Job writeEmptyChunks() {
            return with(Option.KEEP_EMPTY, true);
        }

        /**
         * {@return the job that refuses to lose anything: where {@link Plan#losses()} would not be empty there is no
         * plan}
         */
        public Job strict() {
            return with(Option.STRICT, true);
        }

        /**
         * {@return the job that copies a part}
         *
         * <p>One range for each axis, in order ({@code "100:200, :, 5:"}), or by name ({@code "time=100:200"}), where
         * axes that are not named are whole. A range is {@code from:to} in elements, without the last one; what is left
         * out is the beginning or the end. By name it is a part of every array of a group that has such an axis.
         * Attributes are kept as they are, also where they say something about places.
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
         * {@return the job that reads everything again after it was written, source and target, and fails if an element
         * is not the same}
         */
        public Job verify() {
            return verify(1);
        }

        /**
         * {@return the job that reads a share of the elements again after it was written, and fails if one is not the
         * same}
         *
         * <p>They are spread over each array, the same ones each time, with the first and the last among them. It takes
         * no more memory than the job may. Codecs that change elements, such as bitround, do not pass.
         *
         * @param share above 0, at most 1
         * @throws IllegalArgumentException if it is not
         */
        public Job verify(double share) {
            return with(Option.VERIFY, share);
        }

        /**
         * {@return the job whose report has a checksum of each array that was written}
         *
         * <p>They are of what is stored, so any tool can tell later whether a copy of it is whole: of each write unit
         * (chunk or shard) the CRC32C of its bytes, read back once all is written; of each array one SHA-256 over the
         * lines that say so, as {@link #checksums(Path)} writes them.
         */
        public Job checksums() {
            return with(Option.CHECKSUMS, true);
        }

        /**
         * {@return the job that also writes the checksum of each write unit to a file, which is replaced, and must not
         * lie in source or target}
         *
         * <p>A line for each unit that is stored, {@code 1c291ca3 5321 ssh 0,12,3}: the CRC32C of its bytes, their
         * number, the path of the array, and the index of the unit in the grid of units.
         */
        public Job checksums(Path file) {
            return checksums().withValue(Option.CHECKSUM_FILE, requireNonNull(file, "file"));
        }

        /**
         * {@return the job that goes on with what an unfinished run of the same plan has left at the target, if there
         * is any}
         *
         * <p>The other run may have failed, been cancelled, or been killed at any moment. Source, arrays and tasks must
         * be the same; so must the bound, then, as far as tasks depend on it. After a loss of power, or a start of the
         * machine, only a {@link #durable()} run is gone on with. Without this option what was left is refused, or
         * removed by {@link #overwrite()}.
         */
        public Job resume() {
            return with(Option.RESUME, true);
        }

        /**
         * {@return the job that has everything on its device before it notes it as done, so that it can be gone on with
         * after a loss of power}
         */
        public Job durable() {
            return with(Option.DURABLE, true);
        }

        /**
         * {@return the job that tries so many more times what fails in a way that may pass; 3 times otherwise}
         *
         * @throws IllegalArgumentException if they are negative
         */
        public Job retries(int retries) {
            return with(Option.RETRIES, retries);
        }

        /** {@return the job that takes source chunks which cannot be decoded as told; it fails otherwise} */
        public Job onCorrupt(OnCorrupt what) {
            return with(Option.ON_CORRUPT, requireNonNull(what, "what"));
        }

        /**
         * {@return a cost model of the devices at hand, for {@link #costModel}}
         *
         * <p>It takes a few seconds: some chunks of the source are read, and 64 MiB are written to a temporary file,
         * read back and removed, where the target is and where a spill would be, if that is on this machine. No more is
         * held than the job may hold. The figures differ from one time to the next, and so may the plans; a run that is
         * to be gone on with has to be given the model it was begun with.
         *
         * @throws IOException as {@link #plan()} does, or if measuring fails
         */
        public CostModel calibrate() throws IOException {
            return request.calibrate();
        }

        /**
         * {@return the plan; nothing is written}
         *
         * @throws IllegalArgumentException if what is asked for makes no sense for the source
         * @throws dev.rechunker.run.InfeasiblePlanException if the bound cannot be held
         * @throws IOException if the source cannot be read or understood, or the target cannot hold it, or not all of
         *     it and the job is {@link #strict()}, or it exists and differs
         */
        public Plan plan() throws IOException {
            return new Plan(request.plan());
        }

        /**
         * Plans and copies.
         *
         * @return what was done
         * @throws IllegalArgumentException if what is asked for makes no sense for the source
         * @throws dev.rechunker.run.InfeasiblePlanException if the bound cannot be held
         * @throws dev.rechunker.run.VerificationException if an element that was to be verified differs
         * @throws IOException if reading or writing fails, or the target exists
         * @throws InterruptedException if interrupted
         */
        public Report execute() throws IOException, InterruptedException {
            return request.execute();
        }
    }
}
