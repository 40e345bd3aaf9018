package dev.rechunker.examples.cli;

import dev.rechunker.io.ome.OmeZarr;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is told about images that become OME-Zarr. */
final class ImageOptions {
    @Option(
            names = "--axes",
            paramLabel = "NAMES",
            split = ",",
            description = "The axes of images in OME-Zarr, in C order: z,y,x. As the source names them if not told.")
    private String @Nullable [] axes;

    @Option(
            names = "--scale",
            paramLabel = "NUMBERS",
            split = ",",
            description = "The distance of two elements along each axis: 2,0.5,0.5. From the source if not told.")
    private double @Nullable [] scale;

    @Option(
            names = "--units",
            paramLabel = "UNITS",
            description =
                    "The unit of each axis, or nothing: second,,micrometer,micrometer. From the source if not told.")
    private @Nullable String units;

    /** {@return a target that knows what is told} */
    OmeZarr in(OmeZarr target) {
        try {
            OmeZarr told = axes == null ? target : target.axes(axes);
            told = scale == null ? told : told.scale(scale);
            return units == null ? told : told.units(units.split(",", -1));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    /** Refuses what a target of another format has no use for. */
    void requireNothing() {
        if (axes != null || scale != null || units != null) {
            throw new UsageException(
                    "--axes, --scale and --units are for OME-Zarr: --format ome-zarr, or a name that ends in"
                            + " .ome.zarr");
        }
    }
}
