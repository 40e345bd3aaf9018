package dev.rechunker.io.hdf5.format;

/** Names that descriptors of HDF5 files and hints of their arrays use; their meaning is told by {@code Hdf5}. */
public final class Hdf5Names {
    /** The kind of file in descriptors, and the first word of the identity of each. */
    public static final String KIND = "hdf5";

    /** The setting of a descriptor that has the key of a file in a key store. */
    public static final String KEY = "key";

    /**
     * The hint for the layout of elements: {@link #CHUNKED}; {@link #CONTIGUOUS}, which is chunked all the same unless
     * one chunk holds the array and there is no codec; {@link #REGIONS}.
     */
    public static final String LAYOUT_HINT = "hdf5.layout";

    public static final String CHUNKED = "chunked";

    public static final String CONTIGUOUS = "contiguous";

    /** The layout of elements that are contiguous, and are written chunk by chunk. */
    public static final String REGIONS = "regions";

    /** The hint for the extents up to which a dataset may grow: numbers or {@code unlimited}, separated by commas. */
    public static final String MAX_SHAPE_HINT = "hdf5.maxshape";

    /** The hint with the names of attributes that could not be read, as a JSON list. */
    public static final String OMITTED_HINT = "hdf5.omitted";

    private Hdf5Names() {}
}
