package dev.rechunker.job;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.SpillValues;
import dev.rechunker.exec.Spills;
import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.store.SpillCodec;
import dev.rechunker.store.SpillStore;
import dev.rechunker.verify.ArrayComparison;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a job may be told; null where nothing was. Changed only while {@link #with} makes a copy. */
public final class Options {
    /** The directory of temporary files; at most one of this and {@link #spillStore} is told. */
    @Nullable
    public Path spill;

    @Nullable
    public SpillStore spillStore;

    public boolean spillAllowed = true;

    /** What can compress temporary files. */
    @Nullable
    public SpillCodec spillCodec;

    @Nullable
    public Executor executor;

    public boolean overwrite;

    @Nullable
    public List<CodecSpec> codecs;

    @Nullable
    public String shards;

    @Nullable
    public String format;

    @Nullable
    public CostModel costModel;

    public ProgressListener listener = ProgressListener.NONE;
    public boolean keepEmpty;
    public boolean strict;
    public boolean resume;
    public boolean durable;
    public int retries = 3;

    /** How many processes share the tasks. */
    public int workers = 1;

    public OnCorrupt onCorrupt = OnCorrupt.FAIL;

    @Nullable
    public RegionText region;

    @Nullable
    public Placement placement;

    /** The share of elements that is verified; 0 for none. */
    public double verified;

    public boolean checksums;

    @Nullable
    public Path checksumFile;

    /**
     * Refuses a number of retries that makes no sense.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public static void requireRetries(int retries) {
        new Attempts(retries);
    }

    /**
     * Refuses a share of elements that cannot be verified.
     *
     * @throws IllegalArgumentException if it is not above 0 and at most 1
     */
    public static void requireShare(double share) {
        ArrayComparison.requireShare(share);
    }

    /** Refuses what only arrays that are made anew can be told. */
    void requireNothingForNewArrays() {
        String told = codecs != null
                ? "codec(...)"
                : shards != null ? "shards(...)" : format != null ? "format(...)" : overwrite ? "overwrite()" : "";
        if (!told.isEmpty()) {
            throw new IllegalArgumentException(
                    told + " is for new arrays; what exists and is written into keeps its codecs, shards and format");
        }
    }

    /** {@return these options, with what depends on the stores settled where nothing was told} */
    Options settled(boolean remote) {
        return with(o -> {
            if (o.executor == null) {
                o.executor = remote ? ForkJoinExecutor.forRemoteStores() : new ForkJoinExecutor();
            }
            if (o.costModel == null) {
                o.costModel = remote ? CostModel.OBJECT_STORE : CostModel.SSD;
            }
            if (o.spillStore == null) {
                o.spillCodec = Spills.codec(o.costModel).orElse(null);
            }
        });
    }

    /** {@return how the spill lies in an object store, if it goes to one} */
    Optional<RemoteSpill> remoteSpill() {
        return Optional.ofNullable(spillStore).map(SpillValues::traits);
    }

    /** {@return how temporary files can be compressed, if they can} */
    Optional<SpillCompression> compression(int itemSize) {
        return Optional.ofNullable(spillCodec).map(codec -> Spills.traits(codec, itemSize));
    }

    /** {@return the executor, once it is settled} */
    public Executor executor() {
        return requireNonNull(executor);
    }

    /** {@return the cost model, once it is settled} */
    public CostModel costModel() {
        return requireNonNull(costModel);
    }

    /** {@return a changed copy} */
    public Options with(Consumer<Options> change) {
        Options copy = new Options();
        copy.spill = spill;
        copy.spillStore = spillStore;
        copy.spillAllowed = spillAllowed;
        copy.spillCodec = spillCodec;
        copy.executor = executor;
        copy.overwrite = overwrite;
        copy.codecs = codecs;
        copy.shards = shards;
        copy.format = format;
        copy.costModel = costModel;
        copy.listener = listener;
        copy.keepEmpty = keepEmpty;
        copy.strict = strict;
        copy.region = region;
        copy.placement = placement;
        copy.verified = verified;
        copy.checksums = checksums;
        copy.checksumFile = checksumFile;
        copy.resume = resume;
        copy.durable = durable;
        copy.retries = retries;
        copy.workers = workers;
        copy.onCorrupt = onCorrupt;
        change.accept(copy);
        return copy;
    }
}
