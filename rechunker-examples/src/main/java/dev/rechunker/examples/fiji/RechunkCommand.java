package dev.rechunker.examples.fiji;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.Run;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Progress;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.scijava.ItemIO;
import org.scijava.app.StatusService;
import org.scijava.command.Command;
import org.scijava.command.ContextCommand;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

/**
 * A command in Fiji's menu that copies an array or a group into other chunks. SciJava makes the dialog from the
 * parameters, and cancels a run like that of any command.
 */
@Plugin(type = Command.class, menuPath = "Plugins>Rechunk...")
@SuppressWarnings({"NullAway.Init", "unused"}) // SciJava sets the parameters
public final class RechunkCommand extends ContextCommand {
    private static final String AS_SOURCE = "as in the source";
    private static final int STEPS = 1000;

    @Parameter(label = "Copy from", style = FileWidget.FILE_AND_DIRECTORY_STYLE)
    private File source;

    @Parameter(label = "Array inside (all if empty)", required = false)
    private String inner = "";

    @Parameter(label = "To (.zarr, .ome.zarr, .n5 or .h5)", style = FileWidget.SAVE_STYLE)
    private File target;

    @Parameter(label = "Chunks, last axis first to vary: 16,128,128")
    private String chunks = "auto";

    @Parameter(label = "Memory: 512MB, or a share of the heap, 25%")
    private String memory = "25%";

    @Parameter(choices = {AS_SOURCE, "none", "blosc:cname=lz4", "zstd", "gzip"})
    private String codec = AS_SOURCE;

    @Parameter
    private StatusService status;

    @Parameter(type = ItemIO.OUTPUT)
    private String summary;

    private @Nullable Run running;

    @Override
    public void run() {
        try {
            copy();
        } catch (CancellationException e) {
            // by cancel(), which keeps the reason
        } catch (IOException | IllegalArgumentException | InfeasiblePlanException e) {
            super.cancel(e.getMessage());
        }
    }

    private void copy() throws IOException {
        try (ChunkStore from = Stores.open(source.toPath());
                ChunkStore to = Stores.create(target.toPath())) {
            Rechunker.Job job = Rechunker.from(from.at(inner))
                    .to(to)
                    .chunks(chunks)
                    .maxMem(memory)
                    .onProgress(this::show);
            Report report = result(start((codec.equals(AS_SOURCE) ? job : job.codec(codec)).plan()));
            summary = "copied " + ByteSize.of(report.bytesRead()) + " in at most "
                    + ByteSize.of(report.measuredMemory()) + " of memory";
            status.showStatus(STEPS, STEPS, summary);
        }
    }

    private synchronized Run start(Plan plan) {
        if (isCanceled()) {
            throw new CancellationException();
        }
        running = plan.start();
        return running;
    }

    /** {@return the report of a run, which has ended when this returns or throws, so that its stores can be closed} */
    private Report result(Run run) throws IOException {
        try {
            return run.get();
        } catch (InterruptedException e) {
            cancel("interrupted");
            try {
                return result(run);
            } finally {
                Thread.currentThread().interrupt();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    private void show(Progress progress) {
        String message = "rechunking, " + ByteSize.of((long) progress.bytesPerSecond()) + "/s";
        status.showStatus((int) (STEPS * progress.fraction()), STEPS, message);
    }

    /** Stops the run as soon as operations in progress have ended. No incomplete array is left. */
    @Override
    public synchronized void cancel(@Nullable String reason) {
        super.cancel(reason);
        if (running != null) {
            running.cancel();
        }
    }
}
