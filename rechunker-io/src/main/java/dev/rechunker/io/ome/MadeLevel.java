package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A level that is made by the copy, after the one with all elements.
 *
 * @param factors by how much it is smaller than the level with all elements, on each axis
 * @param shifts the distance of its first element from the first of all, in elements, on each axis
 * @param method the name of the method by which elements are reduced
 */
record MadeLevel(List<Double> factors, List<Double> shifts, String method) {
    /** {@return the level that an array is; empty if it is copied from the source} */
    static Optional<MadeLevel> of(ArraySpec spec) {
        Map<String, String> hints = spec.hints();
        String factors = hints.get(ArraySpec.LEVEL_FACTORS_HINT);
        String shifts = hints.get(ArraySpec.LEVEL_SHIFTS_HINT);
        String method = hints.get(ArraySpec.LEVEL_METHOD_HINT);
        return factors == null || shifts == null || method == null
                ? Optional.empty()
                : Optional.of(new MadeLevel(numbers(factors), numbers(shifts), method));
    }

    private static List<Double> numbers(String text) {
        return Arrays.stream(text.split(",", -1)).map(Double::valueOf).toList();
    }

    /** {@return whether one of the arrays is made by the copy} */
    static Optional<MadeLevel> any(Map<String, ArraySpec> levels) {
        return levels.values().stream().flatMap(level -> of(level).stream()).findFirst();
    }

    /** {@return the member {@code metadata} of an image with levels like this one} */
    Map<String, @Nullable Object> metadata() {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put(
                "description",
                method.equals("nearest")
                        ? "Each element is the one in the middle of a box of elements of the level before."
                        : "Each element is the " + method + " of a box of elements of the level before; missing ones"
                                + " are left out.");
        metadata.put("method", "dev.rechunker.Levels." + method);
        String version = OmeZarr.class.getPackage().getImplementationVersion();
        if (version != null) {
            metadata.put("version", version);
        }
        return metadata;
    }
}
