package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.Attributes;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks that members match the first one. Not thread-safe. */
final class MemberCheck {
    private static final String MISSING_VALUE = "_FillValue";

    private final Set<String> kept;
    private final Consumer<String> differences;
    private final Omissions omissions;
    private final Set<Difference> reported = new HashSet<>();

    /**
     * Creates a check.
     *
     * @param kept attributes with a meaning in which members may differ from the first, such as {@code units} or
     *     {@code time:units}
     * @param differences receives a message for each attribute that differs
     * @param omissions collects the differences in attributes that are not in {@code kept}
     */
    MemberCheck(Set<String> kept, Consumer<String> differences, Omissions omissions) {
        this.kept = kept;
        this.differences = differences;
        this.omissions = omissions;
    }

    /** {@return the attributes that are taken from the first member by request} */
    Set<String> kept() {
        return kept;
    }

    /** An array that is compared. */
    record Member(String name, String path, ArraySpec spec) {
        /** {@return the attributes, and among them the missing value by the name that netCDF has for it} */
        Described described() {
            Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
            spec.missingValue()
                    .bytes()
                    .ifPresent(element ->
                            attributes.put(MISSING_VALUE, spec.dataType().value(spec.byteOrder(), element)));
            return new Described(name, path, attributes);
        }
    }

    /** The attributes of an array or group. */
    record Described(String name, String path, Map<String, @Nullable Object> attributes) {
        /** {@return the name in the group} */
        String ownName() {
            return NodePaths.leaf(path);
        }
    }

    /** An attribute for which a difference was reported. */
    private record Difference(String path, String attribute) {}

    /**
     * Refuses a member that cannot be joined with the first one.
     *
     * @param axis the axis on which lengths may differ; -1 if there is none
     */
    void require(Member first, Member member, int axis) throws StoreException {
        int rank = first.spec.shape().rank();
        if (member.spec.shape().rank() != rank) {
            throw mismatch(first, member, "shape", first.spec.shape(), member.spec.shape());
        }
        for (int i = 0; i < rank; i++) {
            if (i != axis && first.spec.shape().extent(i) != member.spec.shape().extent(i)) {
                throw mismatch(first, member, "shape on axis " + i, first.spec.shape(), member.spec.shape());
            }
        }
        if (!first.spec.dataType().equals(member.spec.dataType())) {
            throw mismatch(first, member, "data type", type(first.spec), type(member.spec));
        }
        if (!names(first.spec).equals(names(member.spec))) {
            throw mismatch(first, member, "dimension names", names(first.spec), names(member.spec));
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

    private void requireSameMeaning(Member first, Member member) throws StoreException {
        Described ours = first.described();
        Described theirs = member.described();
        List<String> differing = differing(ours, theirs).stream()
                .filter(attribute -> !Attributes.MEANINGS.contains(attribute)
                        || !Attributes.mean(ours.attributes, theirs.attributes, attribute))
                .toList();
        for (String attribute : new TreeSet<>(differing)) { // the calendar before the units, which are of no use then
            if (Attributes.MEANINGS.contains(attribute) && !keeps(ours, attribute)) {
                throw new StoreException(
                        difference(ours, theirs, attribute) + "; so its numbers may have another meaning",
                        Advice.of(
                                "keep-first",
                                "convert them or, if the meaning is the same, use the first one's attribute with"
                                        + " keepFirst(\"" + attribute + "\")",
                                attribute));
            }
        }
        for (String attribute : differing) {
            report(ours, theirs, attribute);
        }
    }

    /**
     * Reports the differences between the attributes of a group and those of the first one. Attributes of groups do not
     * give numbers their meaning.
     */
    void reportDifferences(Described first, Described member) {
        for (String attribute : differing(first, member)) {
            report(first, member, attribute);
        }
    }

    private static List<String> differing(Described first, Described member) {
        Set<String> all = new LinkedHashSet<>(first.attributes.keySet());
        all.addAll(member.attributes.keySet());
        return all.stream()
                .filter(attribute -> !Attributes.same(first.attributes, member.attributes, attribute))
                .toList();
    }

    /** {@return whether an attribute is taken from the first member by request} */
    boolean keeps(Described first, String attribute) {
        return kept.contains(attribute) || kept.contains(first.ownName() + ":" + attribute);
    }

    private void report(Described first, Described member, String attribute) {
        if (reported.add(new Difference(first.path, attribute))) {
            differences.accept(difference(first, member, attribute));
        }
        if (!keeps(first, attribute)) {
            String other = member.name + " has " + quoted(member, attribute);
            omissions.addDifference(
                    first.path,
                    attribute,
                    "the attribute \"" + attribute + "\" is "
                            + (first.attributes.containsKey(attribute)
                                    ? "that of the first source; " + other + ", not " + quoted(first, attribute)
                                    : "left out, because the first source does not have it; " + other));
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

    /** {@return the value, in quotation marks if it is a text} */
    private static String quoted(Described node, String attribute) {
        String text = shown(node, attribute);
        return node.attributes.get(attribute) instanceof String ? '"' + text + '"' : text;
    }

    private static StoreException mismatch(Member first, Member member, String what, Object ours, Object theirs) {
        return new StoreException(
                member.name + " differs from " + first.name + " in " + what + ": " + theirs + ", not " + ours);
    }
}
