package dev.rechunker;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.Executor;
import dev.rechunker.exec.ForkJoinExecutor;
import dev.rechunker.exec.OnCorrupt;
import dev.rechunker.exec.ProgressListener;
import dev.rechunker.exec.Report;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.plan.CostModel;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Copies arrays into other chunks, inside a memory bound that holds.
 *
 * <pre>{@code
 * Rechunker.from(source).to(target).chunks(8901, 72, 72).maxMem("2GB").execute();
 * }</pre>
 *
 * <p>Source and target are a {@link ChunkStore}, for the array or group at its root, or a node of one. Of a group, the
 * whole hierarchy below is copied, with the attributes of every node; what is not understood in it is left out. The
 * steps up to {@code maxMem} are required, and types of their own; what follows is a {@link Job}, whose options return
 * a changed copy. What is not told stays as in the source, as far as the target's format can say it;
 * {@link Plan#losses()} lists what it cannot.
 */
public final class Rechunker {
    private Rechunker() {}

    /** {@return the first step: the array or group at the root of a store is copied} */
    public static From from(ChunkStore source) {
        return from(source.at(""));
    }

    /** {@return the first step: an array or group is copied} */
    public static From from(StoreLocation source) {
        return new From(source);
    }

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
            return new To(source, target);
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
            return new Chunked(source, target, rule);
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
            return new Job(source, target, chunks, size, new Options());
        }
    }

    /** Everything that is needed, and options; immutable. */
    public static final class Job {
        private final StoreLocation source;
        private final StoreLocation target;
        private final ChunkRule chunks;
        private final ByteSize maxMem;
        private final Options options;

        private Job(StoreLocation source, StoreLocation target, ChunkRule chunks, ByteSize maxMem, Options options) {
            this.source = source;
            this.target = target;
            this.chunks = chunks;
            this.maxMem = maxMem;
            this.options = options;
        }

        private Job with(Consumer<Options> change) {
            return new Job(source, target, chunks, maxMem, options.with(change));
        }

        /** {@return the job with temporary files in a directory, rather than at the target} */
        public Job spill(Path directory) {
            return with(o -> {
                o.spill = directory;
                o.spillAllowed = true;
            });
        }

        /** {@return the job without temporary files, however often the source has to be read} */
        public Job noSpill() {
            return with(o -> o.spillAllowed = false);
        }

        /** {@return the job with so many threads instead of one per processor} */
        public Job threads(int threads) {
            return executor(new ForkJoinExecutor(threads));
        }

        /** {@return the job run by another executor} */
        public Job executor(Executor executor) {
            return with(o -> o.executor = executor);
        }

        /** {@return the job that replaces arrays that are at the target} */
        public Job overwrite() {
            return with(o -> o.overwrite = true);
        }

        /**
         * {@return the job whose chunks are encoded by these steps; an order of axes in the source is kept}
         *
         * <p>Without it they are encoded as in the source, or as the target's format usually does if it does not have
         * the source's codecs.
         */
        public Job codec(List<CodecSpec> codecs) {
            return with(o -> o.codecs = List.copyOf(codecs));
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
            return with(o -> o.shards = text);
        }

        /** {@return the job whose target has a format of its store, such as {@code "zarr2"} or {@code "zarr3"}} */
        public Job format(String name) {
            return with(o -> o.format = name);
        }

        /** {@return the job planned for other devices; {@link CostModel#SSD} otherwise} */
        public Job costModel(CostModel model) {
            return with(o -> o.costModel = model);
        }

        /** {@return the job that tells a listener how far it has come} */
        public Job onProgress(ProgressListener listener) {
            return with(o -> o.listener = listener);
        }

        /** {@return the job that also writes chunks that hold nothing but the fill value} */
        public Job writeEmptyChunks() {
            return with(o -> o.keepEmpty = true);
        }

        /**
         * {@return the job that refuses to lose anything: where {@link Plan#losses()} would not be empty there is no
         * plan}
         */
        public Job strict() {
            return with(o -> o.strict = true);
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
            return with(o -> o.resume = true);
        }

        /**
         * {@return the job that has everything on its device before it notes it as done, so that it can be gone on with
         * after a loss of power}
         */
        public Job durable() {
            return with(o -> o.durable = true);
        }

        /**
         * {@return the job that tries so many more times what fails in a way that may pass; 3 times otherwise}
         *
         * @throws IllegalArgumentException if they are negative
         * @see dev.rechunker.exec.Attempts
         */
        public Job retries(int retries) {
            new Attempts(retries);
            return with(o -> o.retries = retries);
        }

        /** {@return the job that takes source chunks which cannot be decoded as told; it fails otherwise} */
        public Job onCorrupt(OnCorrupt what) {
            return with(o -> o.onCorrupt = what);
        }

        /**
         * {@return the plan; nothing is written}
         *
         * @throws IllegalArgumentException if what is asked for makes no sense for the source
         * @throws dev.rechunker.plan.InfeasiblePlanException if the bound cannot be held
         * @throws IOException if the source cannot be read or understood, or the target cannot hold it, or not all of
         *     it and the job is {@link #strict()}
         */
        public Plan plan() throws IOException {
            return new Attempts(options.retries)
                    .get(() -> new Planning(source, target, chunks, maxMem, options).plan());
        }

        /**
         * Plans and copies.
         *
         * @return what was done
         * @throws IllegalArgumentException if what is asked for makes no sense for the source
         * @throws dev.rechunker.plan.InfeasiblePlanException if the bound cannot be held
         * @throws IOException if reading or writing fails, or the target exists
         * @throws InterruptedException if interrupted
         */
        public Report execute() throws IOException, InterruptedException {
            return plan().execute();
        }
    }
}
