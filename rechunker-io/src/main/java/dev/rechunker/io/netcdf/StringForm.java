package dev.rechunker.io.netcdf;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The padding and the character set of fixed-length strings, and the hint for them. */
public final class StringForm {
    /** The hint, such as {@code space-padded utf-8}; the default is {@code null-padded ascii}, as in NumPy. */
    public static final String HINT = "hdf5.string";

    static final List<String> PADDINGS = List.of("null-terminated", "null-padded", "space-padded");
    static final List<String> CHARSETS = List.of("ascii", "utf-8");
    private static final int DEFAULT_BITS = 1;

    private StringForm() {}

    /**
     * {@return the hint for the class bits of a datatype message; empty for the default}
     *
     * @throws StoreException if the bits are not valid
     */
    public static Map<String, String> hints(int bits) throws StoreException {
        if (bits == DEFAULT_BITS) {
            return Map.of();
        }
        int padding = bits & 15;
        int charset = bits >> 4 & 15;
        if (padding >= PADDINGS.size() || charset >= CHARSETS.size()) {
            throw new StoreException("strings with padding " + padding + " and character set " + charset
                    + " are not supported; HDF5 does not define them");
        }
        return Map.of(HINT, PADDINGS.get(padding) + " " + CHARSETS.get(charset));
    }

    /** {@return whether hints say that strings are padded with spaces} */
    public static boolean isSpacePadded(Map<String, String> hints) {
        return hints.getOrDefault(HINT, "").startsWith(PADDINGS.get(2));
    }

    /**
     * {@return the class bits of a datatype message for strings of a type}
     *
     * @throws StoreException if the hint is not valid
     */
    public static int bits(String where, DataType type, Map<String, String> hints) throws StoreException {
        if (type.kind() != DataType.Kind.BYTES) {
            return DEFAULT_BITS;
        }
        String encoding = hints.getOrDefault(ArraySpec.ENCODING_HINT, CHARSETS.get(0));
        String hint = hints.getOrDefault(HINT, PADDINGS.get(DEFAULT_BITS) + " " + encoding);
        List<String> words = Arrays.asList(hint.split(" ", -1));
        int padding = PADDINGS.indexOf(words.get(0));
        int charset = words.size() == 2 ? CHARSETS.indexOf(words.get(1)) : -1;
        if (padding < 0 || charset < 0) {
            throw new StoreException(where + ": hint " + HINT + " is \"" + hint + "\"; it must be one of " + PADDINGS
                    + ", a space, and one of " + CHARSETS);
        }
        return padding | charset << 4;
    }
}
