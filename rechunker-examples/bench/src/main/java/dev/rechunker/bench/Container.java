package dev.rechunker.bench;

import dev.rechunker.io.Stores;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;

/** The formats of inputs and targets. */
public enum Container {
    /** A directory of Zarr 2. */
    ZARR2("zarr2", ".zarr", ""),
    /** A directory of Zarr 3. */
    ZARR3("zarr3", ".zarr", ""),
    /** An HDF5 file with a chunked dataset. */
    HDF5("hdf5", ".h5", "data"),
    /** An HDF5 file with a dataset without chunks. */
    HDF5_CONTIGUOUS("hdf5-contiguous", ".h5", "data");

    private final String format;
    private final String ending;
    private final String node;

    Container(String format, String ending, String node) {
        this.format = format;
        this.ending = ending;
        this.node = node;
    }

    /** {@return the value of {@code copy --format}} */
    public String format() {
        return format;
    }

    /** {@return the array's path inside the store} */
    String node() {
        return node;
    }

    boolean isHdf5() {
        return !node.isEmpty();
    }

    /** {@return the path of a store with a name} */
    Path in(Path directory, String name) {
        return directory.resolve(name + ending);
    }

    /** {@return the argument of the command line that names the array} */
    String argument(String store) {
        return node.isEmpty() ? store : store + "#" + node;
    }

    /** {@return the location of an array by an argument of the command line, which the caller closes} */
    static StoreLocation openArgument(String argument) throws IOException {
        String[] place = argument.split("#", 2);
        return Stores.open(place[0]).at(place.length > 1 ? place[1] : "");
    }

    /** {@return the location of the array in an existing store, which the caller closes} */
    StoreLocation open(String store) throws IOException {
        return Stores.open(store).at(node);
    }

    /** {@return the location of the array in a new store, which the caller closes} */
    StoreLocation create(Path store) {
        ChunkStore created = switch (this) {
            case ZARR2 -> Zarr.create(store, ZarrFormat.V2);
            case ZARR3 -> Zarr.create(store, ZarrFormat.V3);
            case HDF5, HDF5_CONTIGUOUS -> Hdf5.create(store);
        };
        return created.at(node);
    }
}
