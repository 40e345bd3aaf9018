package dev.rechunker.io;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** The format that a store is to have, as the end of its name says it. */
public enum Ending {
    /** {@code .ome.zarr}. */
    OME_ZARR("[.]ome[.]zarr"),
    /** {@code .zarr}, where it is no {@link #OME_ZARR}. */
    ZARR("[.]zarr"),
    /** {@code .n5}. */
    N5("[.]n5"),
    /** {@code .h5} or {@code .hdf5}. */
    HDF5("[.](h5|hdf5)");

    private static final Pattern SETTINGS = Pattern.compile("[?].*$");

    private final Pattern end;

    Ending(String end) {
        this.end = Pattern.compile(end + "/*$", Pattern.CASE_INSENSITIVE);
    }

    /** {@return that of a path or URI, in letters of either case, before slashes and settings at its end} */
    public static Optional<Ending> of(String place) {
        String name = Stores.isUri(place) ? SETTINGS.matcher(place).replaceFirst("") : place;
        return Arrays.stream(values())
                .filter(ending -> ending.end.matcher(name).find())
                .findFirst();
    }
}
