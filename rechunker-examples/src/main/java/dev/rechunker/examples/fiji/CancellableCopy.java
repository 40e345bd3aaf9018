package dev.rechunker.examples.fiji;

import dev.rechunker.Levels;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.Run;
import dev.rechunker.io.Stores;
import dev.rechunker.io.imagej.ImagePlusArrays;
import dev.rechunker.io.imagej.StoredImagePlus;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Progress;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import ij.ImageListener;
import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.scijava.ItemIO;
import org.scijava.app.StatusService;
import org.scijava.command.ContextCommand;
import org.scijava.plugin.Parameter;

/** A command that copies an image in the background of SciJava, shows its progress, and can be cancelled. */
@SuppressWarnings({"NullAway.Init", "unused"}) // SciJava sets the parameters
abstract class CancellableCopy extends ContextCommand {
    /** The choice of no levels but the first. */
    static final String NO_LEVELS = "none";

    private static final int STEPS = 1000;

    @Parameter
    private StatusService status;

    @Parameter(type = ItemIO.OUTPUT)
    private String summary;

    private @Nullable Run running;

    /** Does what the command is for. */
    abstract void copy() throws IOException;

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

    /** Runs a job, and says in the status bar how far it is. */
    void run(Rechunker.Job job) throws IOException {
        Report report = result(start(job.onProgress(this::show).plan()));
        summary = "copied " + ByteSize.of(report.bytesRead()) + " in at most " + ByteSize.of(report.measuredMemory())
                + " of memory";
        status.showStatus(STEPS, STEPS, summary);
    }

    /** {@return a job with levels: {@code none}, {@code auto}, or how many} */
    static Rechunker.Job withLevels(Rechunker.Job job, String levels) {
        return switch (levels.strip()) {
            case NO_LEVELS, "" -> job;
            case "auto" -> job.levels(Levels.auto());
            default -> job.levels(Levels.auto().count(number(levels)));
        };
    }

    private static int number(String levels) {
        try {
            return Integer.parseInt(levels.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "levels \"" + levels + "\" are neither \"none\", \"auto\" nor a number, such as 5", e);
        }
    }

    /** {@return the items of a list with commas} */
    static String[] parts(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toArray(String[]::new);
    }

    /**
     * {@return a stored image, whose store is closed when the image is closed}
     *
     * @param inner the path of an image or array in the store
     */
    @SuppressWarnings("MustBeClosedChecker") // is closed with the image
    static ImagePlus open(File source, String inner, String cache, String... axes) throws IOException {
        ChunkStore store = Stores.open(source.toPath());
        try {
            return open(store, store.at(inner), cache, axes);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static ImagePlus open(ChunkStore store, StoreLocation place, String cache, String... axes)
            throws IOException {
        StoredImagePlus stored = ImagePlusArrays.open(place, ByteSize.parse(cache), axes);
        ImagePlus.addImageListener(new ImageListener() {
            @Override
            public void imageOpened(ImagePlus image) {}

            @Override
            public void imageUpdated(ImagePlus image) {}

            @Override
            public void imageClosed(ImagePlus image) {
                if (image == stored.image()) {
                    ImagePlus.removeImageListener(this);
                    close(stored, store);
                }
            }
        });
        return stored.image();
    }

    private static void close(StoredImagePlus stored, ChunkStore store) {
        try {
            try {
                stored.close();
            } finally {
                store.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
