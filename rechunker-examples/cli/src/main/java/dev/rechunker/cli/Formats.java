package dev.rechunker.cli;

import dev.rechunker.io.StoreFormat;
import dev.rechunker.io.Stores;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The formats by the names that options use. */
final class Formats {
    /** The names of all formats, for help texts and messages. */
    static final String NAMES = names();

    /** Zarr, with each array in the version of the source unless a version is named. */
    private static final StoreFormat ZARR = Stores.format("zarr3").orElseThrow();

    /** The last ending of a path or URI. */
    private static final Pattern ENDING = Pattern.compile("\\.[a-z0-9]+(?=/*$)");

    /** Endings of files in formats that are not written. */
    private static final Set<String> UNWRITTEN = Set.of(
            ".zip",
            ".tar",
            ".tgz",
            ".gz",
            ".bz2",
            ".xz",
            ".zst",
            ".7z",
            ".btf",
            ".ims",
            ".czi",
            ".nd2",
            ".npy",
            ".npz",
            ".grib",
            ".grib2",
            ".grb",
            ".grb2",
            ".nc3",
            ".nc5",
            ".ncf",
            ".netcdf",
            ".cdf",
            ".hdf",
            ".hdf4",
            ".mat",
            ".csv",
            ".parquet",
            ".json",
            ".tdb",
            ".png",
            ".jpg",
            ".vcf",
            ".pt");

    private Formats() {}

    private static String names() {
        List<String> names = Stores.formats().stream()
                .flatMap(format -> format.versions().stream())
                .toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    /**
     * {@return the store at a path or URI, in the format that is found there}
     *
     * @param followLinks whether links that lead out of a directory are followed
     */
    static ChunkStore open(String place, boolean followLinks) throws IOException {
        return followLinks && !Stores.isUri(place) ? Stores.openFollowingLinks(Path.of(place)) : Stores.open(place);
    }

    /**
     * {@return the format of a name, or if that is null the format of the ending of a place, or Zarr}
     *
     * @throws UsageException if there is no format of that name, or the ending is that of files that are not written
     */
    static StoreFormat find(String place, @Nullable String name) {
        if (name != null) {
            return Stores.format(name)
                    .orElseThrow(() -> new UsageException("--format is \"" + name + "\"; it takes " + NAMES));
        }
        Optional<StoreFormat> found = Stores.formatOf(place);
        if (found.isEmpty()) {
            Matcher ending = ENDING.matcher(place.toLowerCase(Locale.ROOT));
            if (ending.find() && UNWRITTEN.contains(ending.group())) {
                throw new UsageException("files that end with " + ending.group() + " are not written: " + place
                        + "; end the name with " + String.join(", ", endings()) + ", or name a --format");
            }
        }
        return found.orElse(ZARR);
    }

    private static List<String> endings() {
        return Stores.formats().stream()
                .flatMap(format -> format.endings().stream())
                .toList();
    }

    /**
     * {@return a store to write to}
     *
     * @param place a path or URI
     * @param name the name of the format, or null for that of the ending, and for Zarr if there is none
     * @param image the options for images
     */
    static ChunkStore create(String place, @Nullable String name, ImageOptions image) throws IOException {
        StoreFormat format = find(place, name);
        if (!Stores.isUri(place)) {
            FilesBeside.requireShortNames(Path.of(place));
        }
        if (!format.isFile(place) && !Stores.isUri(place) && Files.isRegularFile(Path.of(place))) {
            throw new UsageException(place + " is a file, but " + format.title()
                    + " is written to a directory; write elsewhere, or end the name with that of a file format, such as"
                    + " .nc or .h5");
        }
        ChunkStore store = name == null ? format.create(place) : format.create(place, name);
        if (store instanceof OmeZarr images) {
            return image.in(images);
        }
        image.requireNothing();
        return store;
    }
}
