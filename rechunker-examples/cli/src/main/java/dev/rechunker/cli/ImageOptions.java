package dev.rechunker.cli;

import dev.rechunker.io.ome.OmeZarr;

/** The options for images that are written as OME-Zarr. */
final class ImageOptions {
    private final Arg<String[]> axes;
    private final Arg<double[]> scale;
    private final Arg<String> units;

    ImageOptions(Command command) {
        axes = command.list(
                String[].class,
                "--axes",
                "NAMES",
                "The axes of images in OME-Zarr, in C order: z,y,x. Default: the names in the source.");
        scale = command.list(
                double[].class,
                "--scale",
                "NUMBERS",
                "The distance between neighbouring elements on each axis: 2,0.5,0.5. Default: that of the source.");
        units = command.text(
                "--units",
                "UNITS",
                "The unit of each axis, empty for none: second,,micrometer,micrometer. Default: that of the source.");
    }

    /** {@return the target with the values that are given} */
    OmeZarr in(OmeZarr target) {
        try {
            String[] names = axes.value();
            double[] distances = scale.value();
            String measures = units.value();
            OmeZarr result = names == null ? target : target.axes(names);
            result = distances == null ? result : result.scale(distances);
            return measures == null ? result : result.units(measures.split(",", -1));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    /**
     * Checks that none of the options is given, for targets of other formats.
     *
     * @throws UsageException if one is given
     */
    void requireNothing() {
        if (axes.value() != null || scale.value() != null || units.value() != null) {
            throw new UsageException(
                    "--axes, --scale and --units are for OME-Zarr: --format ome-zarr, or a name that ends in"
                            + " .ome.zarr");
        }
    }
}
