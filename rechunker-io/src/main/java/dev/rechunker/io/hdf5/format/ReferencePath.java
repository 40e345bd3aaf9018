package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * References as texts. A reference to an object is the path of the object relative to the group of the array or
 * attribute with the reference, such as {@code x}, {@code ../a/x}, {@code .} and {@code ..}. A reference to a region of
 * a dataset is also its {@linkplain ReferredRegion selection}: {@code [2:5,0:10] of ../a/x}. A reference to nothing is
 * an empty text.
 */
public final class ReferencePath {
    /** The hint for texts that are references. */
    public static final String HINT = ArraySpec.TYPE_HINTS + "reference";

    private static final String OBJECT = "object";
    private static final String REGION = "region";
    private static final String OF = " of ";
    private static final String SELF = ".";
    private static final String UP = "..";

    private ReferencePath() {}

    /** {@return the hints of an array of references to objects, or to regions} */
    public static Map<String, String> hints(boolean isRegion) {
        return Map.of(HINT, isRegion ? REGION : OBJECT);
    }

    /** {@return whether the elements of an array are references} */
    public static boolean isOf(ArraySpec spec) {
        return isTextWith(spec, OBJECT) || isRegion(spec);
    }

    /** {@return whether the elements of an array are references to regions} */
    public static boolean isRegion(ArraySpec spec) {
        return isTextWith(spec, REGION);
    }

    private static boolean isTextWith(ArraySpec spec, String hint) {
        return spec.dataType().kind() == DataType.Kind.TEXT
                && hint.equals(spec.hints().get(HINT));
    }

    /**
     * A reference to a region.
     *
     * @param region the text of the selection
     * @param path the text of a reference to the dataset
     */
    public record Region(String region, String path) {
        /**
         * {@return the parts of a text}
         *
         * @throws StoreException if it is not the text of a reference to a region
         */
        public static Region parse(String text) throws StoreException {
            int end = text.indexOf(OF);
            if (end < 0) {
                throw new StoreException(
                        "\"" + text + "\" is not a reference to a region, such as [2:5,0:10] of ../a/x");
            }
            return new Region(text.substring(0, end), text.substring(end + OF.length()));
        }

        @Override
        public String toString() {
            return region + OF + path;
        }
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
