package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What opaque bytes are called, from the hint that says so: their tag. */
public final class OpaqueTag {
    /** The hint with the tag; without it, it is empty. */
    public static final String HINT = "hdf5.tag";

    /** With at least one zero behind, of a multiple of 8 bytes, its length has one byte in the datatype message. */
    private static final int MAX_BYTES = 247;

    private OpaqueTag() {}

    /** {@return the hint for a tag; none if it is empty} */
    public static Map<String, String> hints(String tag) {
        return tag.isEmpty() ? Map.of() : Map.of(HINT, tag);
    }

    /**
     * {@return the tag of a spec's elements; empty if there is none, or they are not opaque}
     *
     * @throws StoreException if HDF5 cannot hold it
     */
    public static String tag(String where, ArraySpec spec) throws StoreException {
        String tag = spec.hints().getOrDefault(HINT, "");
        if (spec.dataType().kind() != DataType.Kind.OPAQUE) {
            return "";
        }
        if (!StoredText.isStorable(tag) || tag.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new StoreException(where + ": hint " + HINT + " is \"" + tag + "\"; it has at most " + MAX_BYTES
                    + " bytes of UTF-8, none of them zero");
        }
        return tag;
    }
}
