package dev.rechunker.examples.fiji;

import dev.rechunker.Rechunker;
import dev.rechunker.io.Stores;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.store.ChunkStore;
import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

/**
 * A command in Fiji's menu that copies an array or a group into other chunks. SciJava makes the dialog from the
 * parameters, and cancels a run like that of any command. What describes one image is not remembered for the next.
 */
@Plugin(type = Command.class, menuPath = "Plugins>Rechunk...")
@SuppressWarnings({"NullAway.Init", "unused"}) // SciJava sets the parameters
public final class RechunkCommand extends CancellableCopy {
    private static final String AS_SOURCE = "as in the source";

    @Parameter(label = "Copy from", style = FileWidget.FILE_AND_DIRECTORY_STYLE)
    private File source;

    @Parameter(label = "Array inside (all if empty)", required = false, persist = false)
    private String inner = "";

    @Parameter(label = "To (.zarr, .ome.zarr, .n5 or .h5)", style = FileWidget.SAVE_STYLE)
    private File target;

    @Parameter(label = "Chunks, last axis first to vary: 16,128,128")
    private String chunks = "auto";

    @Parameter(label = "Levels: none, auto, or how many", required = false)
    private String levels = NO_LEVELS;

    @Parameter(label = "Axes of an OME-Zarr: z,y,x (as in the source if empty)", required = false, persist = false)
    private String axes = "";

    @Parameter(label = "Distance of pixels on each axis: 2,0.5,0.5", required = false, persist = false)
    private String scale = "";

    @Parameter(label = "Unit of each axis: um,um,um", required = false, persist = false)
    private String units = "";

    @Parameter(label = "Memory: 512MB, or a share of the heap, 25%")
    private String memory = "25%";

    @Parameter(choices = {AS_SOURCE, "none", "blosc:cname=lz4", "zstd", "gzip"})
    private String codec = AS_SOURCE;

    @Parameter(label = "Replace what is there", required = false, persist = false)
    private boolean overwrite;

    @Parameter(label = "Open the result", required = false)
    private boolean open;

    @Parameter(type = ItemIO.OUTPUT)
    private @Nullable ImagePlus result;

    @Override
    void copy() throws IOException {
        try (ChunkStore from = Stores.open(source.toPath());
                ChunkStore to = calibrated(Stores.create(target.toPath()))) {
            Rechunker.Job job =
                    Rechunker.from(from.at(inner)).to(to).chunks(chunks).maxMem(memory);
            job = codec.equals(AS_SOURCE) ? job : job.codec(codec);
            run(withLevels(overwrite ? job.overwrite() : job, levels));
        }
        if (open) {
            result = open(target, "", memory);
        }
    }

    private ChunkStore calibrated(ChunkStore store) throws IOException {
        if (axes.isBlank() && scale.isBlank() && units.isBlank()) {
            return store;
        }
        if (!(store instanceof OmeZarr image)) {
            store.close();
            throw new IllegalArgumentException(
                    "axes, distances and units are for OME-Zarr: a target that ends in .ome.zarr");
        }
        OmeZarr calibrated = axes.isBlank() ? image : image.axes(parts(axes));
        calibrated = scale.isBlank() ? calibrated : calibrated.scale(numbers(scale));
        return units.isBlank() ? calibrated : calibrated.units(parts(units));
    }

    private static double[] numbers(String text) {
        try {
            return Arrays.stream(parts(text)).mapToDouble(Double::parseDouble).toArray();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the distances \"" + text + "\" must be numbers with commas between them: 2,0.5,0.5", e);
        }
    }
}
