package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * References to objects as texts: the path of an object relative to the group of the array or attribute with the
 * reference, such as {@code x}, {@code ../a/x}, {@code .} and {@code ..}; an empty text for a reference to nothing.
 */
public final class ReferencePath {
    /** The hint for texts that are references. */
    public static final String HINT = ArraySpec.TYPE_HINTS + "reference";

    private static final String OBJECT = "object";
    private static final String SELF = ".";
    private static final String UP = "..";

    private ReferencePath() {}

    /** {@return the hints of an array of references} */
    public static Map<String, String> hints() {
        return Map.of(HINT, OBJECT);
    }

    /** {@return whether the elements of an array are references} */
    public static boolean isOf(ArraySpec spec) {
        return spec.dataType().kind() == DataType.Kind.TEXT
                && OBJECT.equals(spec.hints().get(HINT));
    }

    private static List<String> parts(String path) {
        return path.isEmpty() ? List.of() : List.of(path.split("/", -1));
    }

    /** {@return the text of a reference, in a group, to an object} */
    public static String of(String group, String object) {
        List<String> from = parts(group);
        List<String> to = parts(object);
        int common = 0;
        while (common < from.size() && common < to.size() && from.get(common).equals(to.get(common))) {
            common++;
        }
        List<String> text = new ArrayList<>(Collections.nCopies(from.size() - common, UP));
        text.addAll(to.subList(common, to.size()));
        return text.isEmpty() ? SELF : String.join("/", text);
    }

    /** {@return the path of the object that a text in a group refers to; empty if it is none, or not in the store} */
    public static Optional<String> resolve(String group, String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        List<String> path = new ArrayList<>(parts(group));
        for (String part : parts(text)) {
            if (part.equals(UP)) {
                if (path.isEmpty()) {
                    return Optional.empty();
                }
                path.remove(path.size() - 1);
            } else if (!part.equals(SELF)) {
                path.add(part);
            }
        }
        return Optional.of(String.join("/", path));
    }
}
