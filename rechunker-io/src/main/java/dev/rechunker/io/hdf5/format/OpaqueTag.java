package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.DataType;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The tag of opaque bytes, and the hint for it. */
public final class OpaqueTag {
    /** The hint with the tag; the default is an empty tag. */
    public static final String HINT = "type.tag";

    /**
     * The longest tag. A datatype message stores it with at least one zero, padded to a multiple of 8, and its length
     * in one byte.
     */
    private static final int MAX_BYTES = 247;

    private OpaqueTag() {}

    /** {@return the hint for a tag; empty if the tag is empty} */
    public static Map<String, String> hints(String tag) {
        return tag.isEmpty() ? Map.of() : Map.of(HINT, tag);
    }

    /**
     * {@return the tag of elements of a type; empty if hints have none, or the elements are not opaque}
     *
     * @throws StoreException if HDF5 cannot store the tag
     */
    public static String tag(String where, DataType type, Map<String, String> hints) throws StoreException {
        String tag = hints.getOrDefault(HINT, "");
        if (type.kind() != DataType.Kind.OPAQUE) {
            return "";
        }
        if (!StoredText.isStorable(tag) || tag.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new StoreException(where + ": hint " + HINT + " is \"" + tag + "\"; a tag has at most " + MAX_BYTES
                    + " bytes in UTF-8, and no zero byte");
        }
        return tag;
    }
}
