package dev.rechunker;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.Executor;
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

    @Nullable
    Executor executor;

    boolean overwrite;

    @Nullable
    List<CodecSpec> codecs;

    @Nullable
    String shards;

    @Nullable
    String format;

    @Nullable
    CostModel costModel;

    ProgressListener listener = ProgressListener.NONE;
    boolean keepEmpty;
    boolean strict;

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
        change.accept(copy);
        return copy;
    }
}
