package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the names of integers from a hint. */
final class EnumerationNames {
    private static final int MAX_VALUES = 0xFFFF;

    private EnumerationNames() {}

    /**
     * {@return the names and their values; empty if elements are not integers, or have no names}
     *
     * @throws StoreException if the hint is not valid
     */
    static Map<String, Long> of(String where, DataType type, Map<String, String> hints) throws StoreException {
        String hint = hints.get(ArraySpec.NAMES_HINT);
        if (hint == null || (type.kind() != DataType.Kind.INT && type.kind() != DataType.Kind.UINT)) {
            return Map.of();
        }
        String what = where + ": hint " + ArraySpec.NAMES_HINT;
        Map<String, Long> values = parse(what, hint);
        int spare = Long.SIZE - 8 * type.itemSize();
        boolean isSigned = type.kind() == DataType.Kind.INT;
        for (Map.Entry<String, Long> named : values.entrySet()) {
            long shifted = named.getValue() << spare;
            if ((isSigned ? shifted >> spare : shifted >>> spare) != named.getValue()) {
                throw new StoreException(what + " has the value " + named + ", which " + type + " cannot have");
            }
        }
        return values;
    }

    /**
     * {@return the names and their values from a JSON object}
     *
     * @throws StoreException if the text is not valid
     */
    static Map<String, Long> parse(String where, String json) throws StoreException {
        Map<String, Long> values = new LinkedHashMap<>();
        Map<String, @Nullable Object> names = JsonParser.object(where, json.getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, @Nullable Object> named : names.entrySet()) {
            if (!(named.getValue() instanceof Long value)
                    || named.getKey().isEmpty()
                    || !StoredText.isStorable(named.getKey())) {
                throw new StoreException(where + " does not name integers: " + named);
            }
            values.put(named.getKey(), value);
        }
        if (values.size() > MAX_VALUES) {
            throw new StoreException(where + " has " + values.size() + " names; HDF5 supports at most " + MAX_VALUES);
        }
        return values;
    }
}
