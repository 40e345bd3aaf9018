package dev.rechunker.cli;

import dev.rechunker.io.Ending;
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The formats by the names that options use. */
final class Formats {
    /** The names of all formats, for help texts and messages. */
    static final String NAMES = "zarr2, zarr3, ome-zarr, ome-zarr-0.4, n5, hdf5 or hdf5-contiguous";

    private Formats() {}

    /** {@return the store at a path or URI, in the format that is found there} */
    static ChunkStore open(String place) throws IOException {
        if (Stores.isUri(place)) {
            return Stores.open(place);
        }
        Path path = Path.of(place);
        if (Files.isDirectory(path) && !Stores.isStore(path)) {
            return Zarr.open(path); // an empty directory, in which nothing is found in any format
        }
        return Stores.open(path);
    }

    /**
     * {@return a store to write to}
     *
     * @param place a path or URI
     * @param format the name of the format, or null for Zarr, each array in the version of the source
     * @param image the options for images
     */
    static ChunkStore create(String place, @Nullable String format, ImageOptions image) throws IOException {
        if (format == null || !format.startsWith("ome-zarr")) {
            image.requireNothing();
        }
        if ("hdf5".equals(format) || "hdf5-contiguous".equals(format)) {
            if (Stores.isUri(place)) {
                throw new UsageException("HDF5 is written to files on this machine only");
            }
            return Hdf5.create(Path.of(place));
        }
        if (format == null) {
            return Zarr.create(keys(place));
        }
        return switch (format) {
            case "zarr2" -> Zarr.create(keys(place), ZarrFormat.V2);
            case "zarr3" -> Zarr.create(keys(place), ZarrFormat.V3);
            case "ome-zarr" -> image.in(OmeZarr.create(keys(place), OmeVersion.V0_5));
            case "ome-zarr-0.4" -> image.in(OmeZarr.create(keys(place), OmeVersion.V0_4));
            case "n5" -> N5.create(keys(place));
            default -> throw new UsageException("--format is \"" + format + "\"; it takes " + NAMES);
        };
    }

    /** {@return the name of the format to write: that of the option, or by the ending of the name; null for Zarr} */
    static @Nullable String of(String place, @Nullable String option) {
        if (option != null) {
            return option;
        }
        Ending ending = Ending.of(place).orElse(Ending.ZARR);
        return switch (ending) {
            case OME_ZARR -> "ome-zarr";
            case ZARR -> null;
            case N5 -> "n5";
            case HDF5 -> "hdf5";
        };
    }

    private static KeyStore keys(String place) throws IOException {
        if (Stores.isUri(place)) {
            return Stores.keys(place);
        }
        Path path = Path.of(place);
        if (Files.isRegularFile(path)) {
            throw new UsageException(path + " is a file; write to a directory");
        }
        return new DirectoryKeys(path);
    }
}
