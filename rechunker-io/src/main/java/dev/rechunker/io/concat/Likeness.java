package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.Attributes;
import dev.rechunker.store.StoreException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What members must have in common with the first one. Not thread-safe. */
final class Likeness {
    private final Set<String> kept;
    private final Consumer<String> differences;
    private final Set<String> told = new HashSet<>();

    /**
     * Checks members.
     *
     * @param kept meanings that are taken from the first all the same, {@code units} or {@code time:units}
     * @param differences is told of the attributes that differ
     */
    Likeness(Set<String> kept, Consumer<String> differences) {
        this.kept = kept;
        this.differences = differences;
    }

    /** {@return the meanings that are taken from the first} */
    Set<String> kept() {
        return kept;
    }

    /** The first of the arrays that are compared, or one of the others. */
    record Named(String name, String path, ArraySpec spec) {}

    /**
     * Refuses a member that cannot be joined with the first.
     *
     * @param axis the axis on which lengths may differ; -1 for none
     */
    void require(Named first, Named member, int axis) throws StoreException {
        int rank = first.spec.shape().rank();
        if (member.spec.shape().rank() != rank) {
            throw unlike(first, member, "shape", first.spec.shape(), member.spec.shape());
        }
        for (int i = 0; i < rank; i++) {
            if (i != axis && first.spec.shape().extent(i) != member.spec.shape().extent(i)) {
                throw unlike(first, member, "shape on axis " + i, first.spec.shape(), member.spec.shape());
            }
        }
        if (!first.spec.dataType().equals(member.spec.dataType())) {
            throw unlike(first, member, "data type", type(first.spec), type(member.spec));
        }
        if (!names(first.spec).equals(names(member.spec))) {
            throw unlike(first, member, "dimension names", names(first.spec), names(member.spec));
        }
        requireSameMeaning(first, member);
    }

    private static String type(ArraySpec spec) {
        String detail = spec.dataType().detail();
        return spec.dataType().name() + (detail.isEmpty() ? "" : " " + detail);
    }

    private static List<@Nullable String> names(ArraySpec spec) {
        return spec.dimensionNames().stream().allMatch(Objects::isNull) ? List.of() : spec.dimensionNames();
    }

    private void requireSameMeaning(Named first, Named member) throws StoreException {
        Map<String, @Nullable Object> ours = first.spec.attributes();
        Map<String, @Nullable Object> theirs = member.spec.attributes();
        Set<String> all = new LinkedHashSet<>(ours.keySet());
        all.addAll(theirs.keySet());
        for (String attribute : all) {
            if (Attributes.same(ours, theirs, attribute)) {
                continue;
            }
            String mine = shown(ours, attribute);
            String other = shown(theirs, attribute);
            boolean keeps = kept.contains(attribute) || kept.contains(name(first) + ":" + attribute);
            if (Attributes.MEANINGS.contains(attribute) && !keeps) {
                throw new StoreException(member.name + " differs from " + first.name + " in the attribute " + attribute
                        + ": " + other + ", not " + mine + "; so its numbers mean something else. Convert it, or take "
                        + "the first one's with keepFirst(\"" + attribute + "\") if they do not");
            }
            if (told.add(first.path + ":" + attribute)) {
                differences.accept(member.name + " differs from " + first.name + " in the attribute " + attribute + ": "
                        + other + ", not " + mine);
            }
        }
    }

    /** {@return what an array is called in its group} */
    private static String name(Named array) {
        return array.path.substring(array.path.lastIndexOf('/') + 1);
    }

    private static String shown(Map<String, @Nullable Object> attributes, String name) {
        if (!attributes.containsKey(name)) {
            return "none";
        }
        String text = String.valueOf(attributes.get(name));
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }

    private static StoreException unlike(Named first, Named member, String what, Object ours, Object theirs) {
        return new StoreException(
                member.name + " differs from " + first.name + " in " + what + ": " + theirs + ", not " + ours);
    }
}
