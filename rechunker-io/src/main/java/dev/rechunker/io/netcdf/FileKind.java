package dev.rechunker.io.netcdf;

import java.util.Collection;
import java.util.List;

/** The kinds of files that are written. A file of netCDF-4 is one of HDF5 that follows more rules. */
public enum FileKind {
    HDF5("hdf5", "HDF5"),
    NETCDF4("netcdf4", "netCDF-4"),
    /** The classic format of netCDF, which is not HDF5. */
    CLASSIC("netcdf3", "netCDF classic");

    private final String format;
    private final String title;

    FileKind(String format, String title) {
        this.format = format;
        this.title = title;
    }

    /** {@return the name of the format in hints} */
    public String format() {
        return format;
    }

    /** {@return the name in messages} */
    public String title() {
        return title;
    }

    public boolean isNetcdf() {
        return this != HDF5;
    }

    /** {@return whether the order of names is recorded: always in netCDF, and in HDF5 if they are not sorted} */
    public boolean recordsOrder(Collection<String> names) {
        return isNetcdf() || !names.stream().sorted().toList().equals(List.copyOf(names));
    }
}
