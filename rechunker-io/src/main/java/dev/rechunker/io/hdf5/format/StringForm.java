package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How strings of one length end, and which characters they have, from the hint that says so. */
public final class StringForm {
    /** The hint, such as {@code space-padded utf-8}; without it strings are as NumPy's, {@code null-padded ascii}. */
    public static final String HINT = "hdf5.string";

    private static final List<String> PADDINGS = List.of("null-terminated", "null-padded", "space-padded");
    private static final List<String> CHARSETS = List.of("ascii", "utf-8");
    private static final int PLAIN = 1;

    private StringForm() {}

    /**
     * {@return the hint for the first bits of a datatype message; none if strings are as they are without it}
     *
     * @throws StoreException if they mean nothing
     */
    public static Map<String, String> hints(int bits) throws StoreException {
        if (bits == PLAIN) {
            return Map.of();
        }
        int padding = bits & 15;
        int charset = bits >> 4 & 15;
        if (padding >= PADDINGS.size() || charset >= CHARSETS.size()) {
            throw new StoreException("strings of padding " + padding + " and character set " + charset
                    + " are not supported; HDF5 has no such");
        }
        return Map.of(HINT, PADDINGS.get(padding) + " " + CHARSETS.get(charset));
    }

    /**
     * {@return the first bits of a datatype message for the strings of a spec}
     *
     * @throws StoreException if the hint is none
     */
    public static int bits(String where, ArraySpec spec) throws StoreException {
        String hint = spec.hints().get(HINT);
        if (hint == null || spec.dataType().kind() != DataType.Kind.BYTES) {
            return PLAIN;
        }
        List<String> words = Arrays.asList(hint.split(" ", -1));
        int padding = PADDINGS.indexOf(words.get(0));
        int charset = words.size() == 2 ? CHARSETS.indexOf(words.get(1)) : -1;
        if (padding < 0 || charset < 0) {
            throw new StoreException(where + ": hint " + HINT + " is \"" + hint + "\"; it has one of " + PADDINGS
                    + " and one of " + CHARSETS);
        }
        return padding | charset << 4;
    }
}
