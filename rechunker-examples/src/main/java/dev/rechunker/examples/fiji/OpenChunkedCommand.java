package dev.rechunker.examples.fiji;

import ij.ImagePlus;
import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.command.ContextCommand;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

/** A command in Fiji's menu that opens an array of any format as a virtual stack, whose chunks are read on demand. */
@Plugin(type = Command.class, menuPath = "File>Import>N-d Chunked Image...")
@SuppressWarnings({"NullAway.Init", "unused"}) // SciJava sets the parameters
public final class OpenChunkedCommand extends ContextCommand {
    @Parameter(label = "Open (Zarr, OME-Zarr, N5, HDF5)", style = FileWidget.FILE_AND_DIRECTORY_STYLE)
    private File source;

    @Parameter(label = "Image or array inside (the largest level if empty)", required = false, persist = false)
    private String inner = "";

    @Parameter(label = "Its axes: z,y,x (as in the source if empty)", required = false, persist = false)
    private String axes = "";

    @Parameter(label = "Memory for chunks: 512MB, or a share of the heap, 25%")
    private String memory = "25%";

    @Parameter(type = ItemIO.OUTPUT)
    private @Nullable ImagePlus image;

    @Override
    public void run() {
        try {
            String[] names = axes.isBlank() ? new String[0] : CancellableCopy.parts(axes);
            image = CancellableCopy.open(source, inner.strip(), memory, names);
        } catch (IOException | IllegalArgumentException e) {
            cancel(e.getMessage());
        }
    }
}
