package dev.rechunker.io.zarr;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Padding between the fields of records. In a list of fields, padding is a field of raw bytes without a name,
 * {@code ["","|V7"]}. NumPy gives it the name {@code f} with the number of the field, and refuses the list if another
 * field has that name. In this case padding has a name in the document, such as {@code padding1}, which is removed when
 * the document is read.
 */
final class V2Padding {
    private static final String RAW = "|V";

    private V2Padding() {}

    /** {@return fields as they are written to the document, with names of padding if NumPy needs them} */
    static List<Object> named(List<?> fields) {
        return changed(fields, true, false);
    }

    /** {@return the fields of a document, without the names that {@link #named} has given to padding} */
    static List<Object> unnamed(List<?> fields) {
        return changed(fields, false, false);
    }

    /** {@return fields with names for all padding, for formats in which every field has one} */
    static List<Object> withNames(List<?> fields) {
        return changed(fields, true, true);
    }

    /** {@return fields without the names that {@link #withNames} has given to padding} */
    static List<Object> withoutNames(List<?> fields) {
        return changed(fields, false, true);
    }

    private static List<Object> changed(List<?> fields, boolean toNamed, boolean all) {
        List<Object> changed = new ArrayList<>(fields);
        for (int i = 0; i < changed.size(); i++) {
            Object field = fields.get(i);
            if (field instanceof List<?> parts && parts.size() > 1 && parts.get(1) instanceof List<?> inner) {
                changed.set(i, with(parts, 1, changed(inner, toNamed, all)));
            } else if (isRaw(field) && (all || isTaken(fields, i))) {
                String free = free(fields, i);
                if (nameOf(field).equals(toNamed ? "" : free)) {
                    changed.set(i, with((List<?>) field, 0, toNamed ? free : ""));
                }
            }
        }
        return changed;
    }

    private static List<Object> with(List<?> field, int part, Object value) {
        List<Object> changed = new ArrayList<>(field);
        changed.set(part, value);
        return changed;
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

    /** {@return whether another field has the name that NumPy gives to a field without a name} */
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

    /** {@return a name for padding that no other field has} */
    private static String free(List<?> fields, int number) {
        Set<String> others = others(fields, number);
        StringBuilder name = new StringBuilder("padding").append(number);
        while (others.contains(name.toString())) {
            name.append('_');
        }
        return name.toString();
    }
}
