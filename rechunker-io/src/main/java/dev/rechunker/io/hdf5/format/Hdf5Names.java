package dev.rechunker.io.hdf5.format;

/** Names in descriptors of HDF5 files and in hints of their arrays. {@code Hdf5} documents the hints. */
public final class Hdf5Names {
    /** The kind of store in descriptors, and the first word of a store's identity. */
    public static final String KIND = "hdf5";

    /** The hint for the layout of elements: {@link #CHUNKED}, {@link #CONTIGUOUS} or {@link #REGIONS}. */
    public static final String LAYOUT_HINT = "hdf5.layout";

    public static final String CHUNKED = "chunked";

    /** A contiguous layout if one chunk covers the array and there is no codec; otherwise chunked. */
    public static final String CONTIGUOUS = "contiguous";

    /** A contiguous layout that is written chunk by chunk. */
    public static final String REGIONS = "regions";

    /**
     * The hint with the largest shape to which a dataset may be extended: extents or {@code unlimited}, separated by
     * commas.
     */
    public static final String MAX_SHAPE_HINT = "hdf5.maxshape";

    public static final String UNLIMITED = "unlimited";

    /** The hint for a dataset that states no fill value, which is then zero: {@link #DEFAULT_FILL}. */
    public static final String FILL_HINT = "hdf5.fill";

    public static final String DEFAULT_FILL = "default";

    /** The hint with the names of attributes that cannot be represented as plain data, as a JSON list. */
    public static final String OMITTED_HINT = "hdf5.omitted";

    private Hdf5Names() {}
}
