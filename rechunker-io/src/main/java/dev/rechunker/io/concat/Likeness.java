package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.Attributes;
import dev.rechunker.array.NodePaths;
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
    private final Omissions omissions;
    private final Set<Told> told = new HashSet<>();

    /**
     * Checks members.
     *
     * @param kept meanings that are taken from the first all the same, {@code units} or {@code time:units}
     * @param differences is told of the attributes that differ
     * @param omissions gathers those of them that are not taken from the first on purpose
     */
    Likeness(Set<String> kept, Consumer<String> differences, Omissions omissions) {
        this.kept = kept;
        this.differences = differences;
        this.omissions = omissions;
    }

    /** {@return the meanings that are taken from the first} */
    Set<String> kept() {
        return kept;
    }

    /** The first of the arrays that are compared, or one of the others. */
    record Named(String name, String path, ArraySpec spec) {
        Described described() {
            return new Described(name, path, spec.attributes());
        }
    }

    /** An array or group, and what is said about it. */
    record Described(String name, String path, Map<String, @Nullable Object> attributes) {
        /** {@return what it is called in its group} */
        String ownName() {
            return NodePaths.leaf(path);
        }
    }

    /** An attribute of which it was told that members differ in it. */
    private record Told(String path, String attribute) {}

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
        Described ours = first.described();
        Described theirs = member.described();
        for (String attribute : differing(ours, theirs)) {
            if (Attributes.MEANINGS.contains(attribute) && !keeps(ours, attribute)) {
                throw new StoreException(difference(ours, theirs, attribute)
                        + "; so its numbers mean something else. Convert it, or take the first one's with keepFirst(\""
                        + attribute + "\") if they do not");
            }
            tell(ours, theirs, attribute);
        }
    }

    /** Tells in what the attributes of a group differ from the first one's. None says what numbers mean. */
    void compare(Described first, Described member) {
        for (String attribute : differing(first, member)) {
            tell(first, member, attribute);
        }
    }

    private static List<String> differing(Described first, Described member) {
        Set<String> all = new LinkedHashSet<>(first.attributes.keySet());
        all.addAll(member.attributes.keySet());
        return all.stream()
                .filter(attribute -> !Attributes.same(first.attributes, member.attributes, attribute))
                .toList();
    }

    private boolean keeps(Described first, String attribute) {
        return kept.contains(attribute) || kept.contains(first.ownName() + ":" + attribute);
    }

    private void tell(Described first, Described member, String attribute) {
        if (told.add(new Told(first.path, attribute))) {
            differences.accept(difference(first, member, attribute));
        }
        if (!keeps(first, attribute)) {
            String other = member.name + " has " + quoted(member, attribute);
            omissions.differs(
                    first.path,
                    attribute,
                    "the attribute \"" + attribute + "\" is "
                            + (first.attributes.containsKey(attribute)
                                    ? "that of the first source; " + other + ", not " + quoted(first, attribute)
                                    : "left out, because the first source has none; " + other));
        }
    }

    private static String difference(Described first, Described member, String attribute) {
        return member.name + " differs from " + first.name + " in the attribute " + attribute + ": "
                + shown(member, attribute) + ", not " + shown(first, attribute);
    }

    private static String shown(Described node, String attribute) {
        if (!node.attributes.containsKey(attribute)) {
            return "none";
        }
        String text = String.valueOf(node.attributes.get(attribute));
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }

    /** {@return the value, so that a text is not taken for a number} */
    private static String quoted(Described node, String attribute) {
        String text = shown(node, attribute);
        return node.attributes.get(attribute) instanceof String ? '"' + text + '"' : text;
    }

    private static StoreException unlike(Named first, Named member, String what, Object ours, Object theirs) {
        return new StoreException(
                member.name + " differs from " + first.name + " in " + what + ": " + theirs + ", not " + ours);
    }
}
