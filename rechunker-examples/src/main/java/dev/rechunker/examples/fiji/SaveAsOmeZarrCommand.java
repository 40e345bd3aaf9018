package dev.rechunker.examples.fiji;

import dev.rechunker.Rechunker;
import dev.rechunker.io.imagej.ImagePlusArrays;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

/** A command in Fiji's menu that saves the active image as OME-Zarr with levels, virtual stacks included. */
@Plugin(type = Command.class, menuPath = "File>Save As>OME-Zarr...")
@SuppressWarnings({"NullAway.Init", "unused"}) // SciJava sets the parameters
public final class SaveAsOmeZarrCommand extends CancellableCopy {
    @Parameter
    private ImagePlus image;

    @Parameter(label = "To (.ome.zarr)", style = FileWidget.SAVE_STYLE)
    private File target;

    @Parameter(
            label = "Version of OME-Zarr",
            choices = {"0.5", "0.4"})
    private String version = "0.5";

    @Parameter(label = "Chunks: 1,1,16,128,128 or ...=1, y=256, x=256")
    private String chunks = "...=1, y=256, x=256";

    @Parameter(label = "Levels: auto, none, or how many", required = false)
    private String levels = "auto";

    @Parameter(label = "Memory: 512MB, or a share of the heap, 25%")
    private String memory = "25%";

    @Parameter(choices = {"zstd", "blosc:cname=lz4", "gzip", "none"})
    private String codec = "zstd";

    @Parameter(label = "Replace what is there", required = false, persist = false)
    private boolean overwrite;

    @Override
    void copy() throws IOException {
        OmeVersion written = version.equals("0.4") ? OmeVersion.V0_4 : OmeVersion.V0_5;
        try (OmeZarr to = OmeZarr.create(target.toPath(), written)) {
            Rechunker.Job job = Rechunker.from(ImagePlusArrays.of(image))
                    .to(to)
                    .chunks(chunks)
                    .maxMem(memory)
                    .codec(codec);
            run(withLevels(overwrite ? job.overwrite() : job, levels));
        }
    }
}
