package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.hdf5.format.ReferencePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns references in attributes into texts; see {@link ReferencePath}. */
final class AttributeReferences {
    private final ObjectPaths paths;

    AttributeReferences(ObjectPaths paths) {
        this.paths = paths;
    }

    /**
     * {@return a value of an attribute with texts in place of references; {@code group} is the address of its group}
     */
    @Nullable
    Object asTexts(@Nullable Object value, long group) throws IOException {
        if (value instanceof ObjectReference reference) {
            Optional<String> from = paths.of(group);
            Optional<String> to = paths.of(reference.address());
            return from.isEmpty() || to.isEmpty() ? "" : reference.text(ReferencePath.of(from.get(), to.get()));
        }
        if (!(value instanceof List<?> list) || !hasAny(list)) {
            return value;
        }
        List<@Nullable Object> texts = new ArrayList<>();
        for (Object item : list) {
            texts.add(asTexts(item, group));
        }
        return texts;
    }

    private static boolean hasAny(@Nullable Object value) {
        return value instanceof ObjectReference
                || (value instanceof List<?> list && list.stream().anyMatch(AttributeReferences::hasAny));
    }

    /** {@return sentences about the attributes of an object that refer to something without a path} */
    List<String> unresolved(ObjectAttributes attributes) throws IOException {
        List<String> sentences = new ArrayList<>();
        for (Map.Entry<String, @Nullable Object> attribute : attributes.values().entrySet()) {
            if (isUnresolved(attribute.getValue())) {
                sentences.add("the attribute \"" + attribute.getKey() + "\" has a reference to something that has no"
                        + " path in the file, which will lead to nothing");
            }
        }
        return sentences;
    }

    private boolean isUnresolved(@Nullable Object value) throws IOException {
        if (value instanceof ObjectReference reference) {
            return !reference.isNull() && paths.of(reference.address()).isEmpty();
        }
        if (value instanceof List<?> list) {
            for (Object item : list) {
                if (isUnresolved(item)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** {@return sentences about the attributes of an object with references} */
    static List<String> changes(ObjectAttributes attributes) {
        List<String> sentences = new ArrayList<>();
        attributes.values().forEach((name, value) -> {
            if (hasAny(value)) {
                sentences.add("references of the attribute \"" + name
                        + "\" to objects that are not copied will lead to nothing");
            }
        });
        return sentences;
    }
}
