package dev.rechunker.cli;

import dev.rechunker.io.ome.OmeZarr;

/** What is told about images that become OME-Zarr. */
final class ImageOptions {
    private final Arg<String[]> axes;
    private final Arg<double[]> scale;
    private final Arg<String> units;

    ImageOptions(Command command) {
        axes = command.list(
                String[].class,
                "--axes",
                "NAMES",
                "The axes of images in OME-Zarr, in C order: z,y,x. As the source names them if not told.");
        scale = command.list(
                double[].class,
                "--scale",
                "NUMBERS",
                "The distance of two elements along each axis: 2,0.5,0.5. From the source if not told.");
        units = command.text(
                "--units",
                "UNITS",
                "The unit of each axis, or nothing: second,,micrometer,micrometer. From the source if not told.");
    }

    /** {@return a target that knows what is told} */
    OmeZarr in(OmeZarr target) {
        try {
            String[] names = axes.value();
            double[] distances = scale.value();
            String measures = units.value();
            OmeZarr told = names == null ? target : target.axes(names);
            told = distances == null ? told : told.scale(distances);
            return measures == null ? told : told.units(measures.split(",", -1));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    /** Refuses what a target of another format has no use for. */
    void requireNothing() {
        if (axes.value() != null || scale.value() != null || units.value() != null) {
            throw new UsageException(
                    "--axes, --scale and --units are for OME-Zarr: --format ome-zarr, or a name that ends in"
                            + " .ome.zarr");
        }
    }
}
