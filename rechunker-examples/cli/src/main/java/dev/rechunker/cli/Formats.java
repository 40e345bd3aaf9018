package dev.rechunker.cli;

import dev.rechunker.io.StoreFormat;
import dev.rechunker.io.Stores;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The formats by the names that options use. */
final class Formats {
    /** The names of all formats, for help texts and messages. */
    static final String NAMES = names();

    /** Zarr, with each array in the version of the source unless a version is named. */
    private static final StoreFormat ZARR = Stores.format("zarr3").orElseThrow();

    private Formats() {}

    private static String names() {
        List<String> names = Stores.formats().stream()
                .flatMap(format -> format.versions().stream())
                .toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

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

    /** {@return the format of a name, or if that is null the format of the ending of a place, or Zarr} */
    static StoreFormat find(String place, @Nullable String name) {
        return name == null
                ? Stores.formatOf(place).orElse(ZARR)
                : Stores.format(name)
                        .orElseThrow(() -> new UsageException("--format is \"" + name + "\"; it takes " + NAMES));
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
        if (!format.isFile() && !Stores.isUri(place) && Files.isRegularFile(Path.of(place))) {
            throw new UsageException(place + " is a file; write to a directory");
        }
        ChunkStore store = name == null ? format.create(place) : format.create(place, name);
        if (store instanceof OmeZarr images) {
            return image.in(images);
        }
        image.requireNothing();
        return store;
    }
}
