package dev.rechunker.io.zarr;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Bytes between the fields of records. In a list of fields they are raw bytes without a name, {@code ["","|V7"]}, which
 * NumPy calls {@code f} and the number of the field; where another field is called so, it refuses the list. There they
 * have a name in the document, such as {@code padding1}, and none outside of it.
 */
final class V2Padding {
    private static final String RAW = "|V";

    private V2Padding() {}

    /** {@return fields as the document states them, where padding has a name if NumPy needs one} */
    static List<Object> named(List<?> fields) {
        List<Object> named = new ArrayList<>(fields);
        for (int i = 0; i < named.size(); i++) {
            named.set(i, nested(named.get(i), true));
            if (isRaw(fields.get(i)) && nameOf(fields.get(i)).isEmpty() && isTaken(fields, i)) {
                named.set(i, called(named.get(i), free(fields, i)));
            }
        }
        return named;
    }

    /** {@return the fields of a document, where padding that {@link #named} gave a name has none} */
    static List<Object> unnamed(List<?> fields) {
        List<Object> unnamed = new ArrayList<>(fields);
        for (int i = 0; i < unnamed.size(); i++) {
            unnamed.set(i, nested(unnamed.get(i), false));
            if (isRaw(fields.get(i))
                    && isTaken(fields, i)
                    && nameOf(fields.get(i)).equals(free(fields, i))) {
                unnamed.set(i, called(unnamed.get(i), ""));
            }
        }
        return unnamed;
    }

    private static Object nested(Object field, boolean name) {
        if (field instanceof List<?> parts && parts.size() > 1 && parts.get(1) instanceof List<?> inner) {
            List<Object> changed = new ArrayList<>(parts);
            changed.set(1, name ? named(inner) : unnamed(inner));
            return changed;
        }
        return field;
    }

    private static String nameOf(Object field) {
        return field instanceof List<?> parts && !parts.isEmpty() && parts.get(0) instanceof String name ? name : "?";
    }

    private static boolean isRaw(Object field) {
        return field instanceof List<?> parts
                && parts.size() == 2
                && parts.get(1) instanceof String type
                && type.startsWith(RAW);
    }

    private static Object called(Object field, String name) {
        List<Object> renamed = new ArrayList<>((List<?>) field);
        renamed.set(0, name);
        return renamed;
    }

    /** {@return whether another field has the name that NumPy gives a field without one} */
    private static boolean isTaken(List<?> fields, int number) {
        return others(fields, number).contains("f" + number);
    }

    private static Set<String> others(List<?> fields, int number) {
        Set<String> others = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            if (i != number) {
                others.add(nameOf(fields.get(i)));
            }
        }
        return others;
    }

    /** {@return the name of padding that no other field has} */
    private static String free(List<?> fields, int number) {
        Set<String> others = others(fields, number);
        StringBuilder name = new StringBuilder("padding").append(number);
        while (others.contains(name.toString())) {
            name.append('_');
        }
        return name.toString();
    }
}
