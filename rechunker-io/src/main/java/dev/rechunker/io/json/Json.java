package dev.rechunker.io.json;

import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints plain data as JSON from which {@link JsonParser} reads the same data. Numbers keep their kind: {@code 1.0} is
 * not {@code 1}. Floats that JSON lacks are printed as the texts {@code "NaN"}, {@code "Infinity"} and
 * {@code "-Infinity"}, so that every parser of JSON reads the document. The text is ASCII, with other characters
 * escaped, because zarr-python 2 accepts no other metadata.
 */
public final class Json {
    private static final int MAX_DEPTH = 200;

    private final StringBuilder text = new StringBuilder();
    private final boolean pretty;

    private Json(boolean pretty) {
        this.pretty = pretty;
    }

    /** {@return the indented document of a metadata file} */
    public static byte[] document(Map<String, ? extends @Nullable Object> value) throws StoreException {
        Json json = new Json(true);
        json.value(value, 0);
        return json.text.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return a value on one line} */
    public static String compact(@Nullable Object value) throws StoreException {
        Json json = new Json(false);
        json.value(value, 0);
        return json.text.toString();
    }

    private void value(@Nullable Object value, int depth) throws StoreException {
        if (depth > MAX_DEPTH) {
            throw new StoreException("attributes are nested more than " + MAX_DEPTH + " levels deep");
        }
        if (value instanceof Map<?, ?> map) {
            object(map, depth);
        } else if (value instanceof List<?> list) {
            array(list, depth);
        } else if (value instanceof String string) {
            string(string);
        } else if ((value instanceof Double || value instanceof Float)
                && !Double.isFinite(((Number) value).doubleValue())) {
            string(value.toString());
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else {
            throw new StoreException("a " + value.getClass().getName()
                    + " cannot be stored as JSON; attributes are strings, numbers, booleans, nulls, lists and maps");
        }
    }

    private void object(Map<?, ?> map, int depth) throws StoreException {
        text.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(separator);
            line(depth + 1);
            string(String.valueOf(entry.getKey()));
            text.append(pretty ? ": " : ":");
            value(entry.getValue(), depth + 1);
            separator = ",";
        }
        if (!map.isEmpty()) {
            line(depth);
        }
        text.append('}');
    }

    private void array(List<?> list, int depth) throws StoreException {
        boolean lines = list.stream().anyMatch(item -> item instanceof Map || item instanceof List);
        text.append('[');
        String separator = "";
        for (Object item : list) {
            text.append(separator);
            if (lines) {
                line(depth + 1);
            }
            value(item, depth + 1);
            separator = lines || !pretty ? "," : ", ";
        }
        if (lines) {
            line(depth);
        }
        text.append(']');
    }

    private void line(int depth) {
        if (pretty) {
            text.append('\n').append("  ".repeat(depth));
        }
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7f) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
