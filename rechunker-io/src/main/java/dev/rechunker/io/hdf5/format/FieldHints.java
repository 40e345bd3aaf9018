package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.DataType;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the fields of a record are beyond their names and types, as hints: names of values, tags, forms of strings,
 * bits, and the same of fields of inner records.
 */
public final class FieldHints {
    /** The hint: a JSON object of the hints of fields by the name of the field. */
    public static final String HINT = "type.fields";

    private FieldHints() {}

    /** {@return the hint for fields; empty if no field has hints} */
    public static Map<String, String> hints(Map<String, Map<String, String>> fields) throws StoreException {
        Map<String, Object> some = new LinkedHashMap<>(fields);
        some.values().removeIf(Map.of()::equals);
        return some.isEmpty() ? Map.of() : Map.of(HINT, Json.compact(some));
    }

    /**
     * {@return the hints of fields by the name of the field; empty if hints do not have those of fields, or elements
     * are not records}
     *
     * @throws StoreException if the hint is not valid
     */
    public static Map<String, Map<String, String>> of(String where, DataType type, Map<String, String> hints)
            throws StoreException {
        String hint = hints.get(HINT);
        Map<String, Map<String, String>> fields = new LinkedHashMap<>();
        if (hint == null || type.kind() != DataType.Kind.OPAQUE || type.detail().isEmpty()) {
            return fields;
        }
        String what = where + ": hint " + HINT;
        Map<String, @Nullable Object> parsed = JsonParser.object(what, hint.getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, @Nullable Object> field : parsed.entrySet()) {
            if (!(field.getValue() instanceof Map<?, ?> of)) {
                throw new StoreException(what + " has no hints of the field \"" + field.getKey() + "\"");
            }
            Map<String, String> texts = new LinkedHashMap<>();
            of.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
            fields.put(field.getKey(), texts);
        }
        return fields;
    }
}
