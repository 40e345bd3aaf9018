package dev.rechunker;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Executor;
import dev.rechunker.exec.ForkJoinExecutor;
import dev.rechunker.exec.OnCorrupt;
import dev.rechunker.exec.ProgressListener;
import dev.rechunker.plan.CostModel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a job may be told; null where nothing was. Changed only while {@link #with} makes a copy. */
final class Options {
    @Nullable
    Path spill;

    boolean spillAllowed = true;
    Executor executor = new ForkJoinExecutor();
    boolean overwrite;

    @Nullable
    List<CodecSpec> codecs;

    @Nullable
    String shards;

    @Nullable
    String format;

    CostModel costModel = CostModel.SSD;
    ProgressListener listener = ProgressListener.NONE;
    boolean keepEmpty;
    boolean strict;
    boolean resume;
    boolean durable;
    int retries = 3;
    OnCorrupt onCorrupt = OnCorrupt.FAIL;

    /** {@return a changed copy} */
    Options with(Consumer<Options> change) {
        Options copy = new Options();
        copy.spill = spill;
        copy.spillAllowed = spillAllowed;
        copy.executor = executor;
        copy.overwrite = overwrite;
        copy.codecs = codecs;
        copy.shards = shards;
        copy.format = format;
        copy.costModel = costModel;
        copy.listener = listener;
        copy.keepEmpty = keepEmpty;
        copy.strict = strict;
        copy.resume = resume;
        copy.durable = durable;
        copy.retries = retries;
        copy.onCorrupt = onCorrupt;
        change.accept(copy);
        return copy;
    }
}
