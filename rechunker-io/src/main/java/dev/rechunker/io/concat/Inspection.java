package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.hierarchy.Attributes;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Rebase;
import dev.rechunker.view.RebasedView;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks sources, one open at a time, and joins them if they match. For one use. */
final class Inspection {
    /** The bytes that checking numbers of time may take. */
    private static final long MOST_CHECKED = 16 << 20;

    private final Join join;
    private final int limit;
    private final MemberCheck check;
    private final Omissions omissions;
    private final SmallArrays smallArrays = new SmallArrays();
    /** The groups of the first source by path, in its order. */
    private final Map<String, GroupNode> groups = new LinkedHashMap<>();
    /** The arrays of the first source by path, in its order. */
    private final Map<String, Array> arrays = new LinkedHashMap<>();

    private final List<DataPlace> places = new ArrayList<>();
    private final Identity identity;
    private final ConcatDescriptor descriptor;
    private boolean remote;

    /** An array of the first source, and the members that are collected for it. */
    private static final class Array {
        final MemberCheck.Member first;
        final ConcatArray.Axis axis;
        final Assembly assembly;
        /** The elements of an array that is not joined; null if it is too large to be compared. */
        byte @Nullable [] elements;
        /** The longest fill value of all members, if their size is not known. */
        FillValue longestFill = FillValue.UNDEFINED;

        Array(MemberCheck.Member first, ConcatArray.Axis axis) {
            this.first = first;
            this.axis = axis;
            this.assembly = new Assembly(first.spec(), axis);
        }

        void addFill(FillValue fill) {
            int length = fill.contents().length;
            longestFill = length > longestFill.contents().length ? fill : longestFill;
        }

        boolean isJoined() {
            return axis.index() >= 0;
        }
    }

    /**
     * Creates an inspection.
     *
     * @param limit the maximum number of sources that a reader has open at the same time
     * @param omissions collects the omissions of the joined nodes, as {@code check} does
     * @param descriptor describes the sources, which it is given
     */
    Inspection(Join join, int limit, MemberCheck check, Omissions omissions, ConcatDescriptor descriptor) {
        this.join = join;
        this.limit = limit;
        this.check = check;
        this.omissions = omissions;
        this.identity = new Identity(join);
        this.descriptor = descriptor;
    }

    /**
     * {@return the joined sources}
     *
     * @throws StoreException if they do not match
     */
    ConcatStore join(List<Source> sources) throws IOException {
        List<Source> read = new ArrayList<>();
        for (Source given : sources) {
            try (ChunkStore opened = given.open()) {
                remote |= opened.capabilities().remote();
                identity.add(given, opened);
                descriptor.add(given, opened);
                places.addAll(opened.places(given.path()));
                Map<String, Rebase> changes = RebasedView.changes(opened.at(given.path()), this::counterpart);
                ChunkStore store = RebasedView.of(opened, changes);
                RebasedView.requirePossible(store, changes.keySet(), MOST_CHECKED);
                Source source = changes.isEmpty() ? given : rebased(given, changes);
                read.add(source);
                Map<String, Node> nodes = nodes(source, store);
                requireMatchingCoordinates(source, nodes);
                if (arrays.isEmpty()) {
                    start(source, nodes);
                } else {
                    requireSameNodes(sources.get(0), source, nodes);
                }
                for (Map.Entry<String, Node> node : nodes.entrySet()) {
                    if (node.getValue() instanceof GroupNode group) {
                        addGroup(sources.get(0), source, store, node.getKey(), group);
                    }
                }
                for (Map.Entry<String, Array> array : arrays.entrySet()) {
                    add(source, store, array.getKey(), array.getValue());
                }
            }
        }
        Map<String, ConcatArray> joined = new LinkedHashMap<>();
        Map<String, VariableMembers> variable = new HashMap<>();
        for (Map.Entry<String, Array> entry : arrays.entrySet()) {
            Array array = entry.getValue();
            joined.put(entry.getKey(), array.assembly.build(join, limit));
            if (!array.first.spec().dataType().isMeasured()) {
                variable.put(
                        entry.getKey(),
                        new VariableMembers(array.first.spec(), array.longestFill, array.axis, join, limit));
            }
        }
        return new ConcatStore(
                List.copyOf(read),
                identity.text(),
                List.copyOf(places),
                groups,
                joined,
                variable,
                omissions.messages(),
                limit,
                remote,
                descriptor.descriptor());
    }

    private static Source rebased(Source source, Map<String, Rebase> changes) {
        return new Source(
                source.name(),
                source.path(),
                () -> RebasedView.of(source.opener().open(), changes));
    }

    /** {@return the array of the first source, in whose units of time those of the others are read} */
    private Optional<ArraySpec> counterpart(String path, ArraySpec own) {
        Array array = arrays.get(path);
        if (array == null) {
            return Optional.empty();
        }
        MemberCheck.Described first = array.first.described();
        boolean isKept = check.keeps(first, "units")
                || (check.keeps(first, "calendar")
                        && !Attributes.mean(first.attributes(), own.attributes(), "calendar"));
        return isKept ? Optional.empty() : Optional.of(array.first.spec());
    }

    /** {@return all nodes of a source by path, those of a group in the order of the source} */
    private static Map<String, Node> nodes(Source source, ChunkStore store) throws IOException {
        Map<String, Node> nodes = new LinkedHashMap<>();
        Deque<String> left = new ArrayDeque<>(List.of(""));
        while (!left.isEmpty()) {
            String path = left.removeFirst();
            Node node = store.node(source.inside(path))
                    .orElseThrow(() -> new StoreException("there is no array or group at " + source.at(path)));
            nodes.put(path, node);
            if (node instanceof GroupNode) {
                store.children(source.inside(path)).forEach(child -> left.addLast(NodePaths.below(path, child)));
            }
        }
        return nodes;
    }

    /** Refuses a source in which an array and its coordinates have different lengths on the joined axis. */
    private void requireMatchingCoordinates(Source source, Map<String, Node> nodes) throws StoreException {
        Map<String, ArraySpec> specs = specs(nodes);
        Optional<String> disagreement =
                join.existing(specs.values()).flatMap(axis -> Coordinates.disagreement(axis, specs));
        if (disagreement.isPresent()) {
            throw new StoreException(source + ": " + disagreement.get()
                    + "; sources joined after it would have the wrong coordinates. Complete this source, or join"
                    + " the arrays one by one");
        }
    }

    private static Map<String, ArraySpec> specs(Map<String, Node> nodes) {
        Map<String, ArraySpec> specs = new LinkedHashMap<>();
        nodes.forEach((path, node) -> {
            if (node instanceof ArrayNode array) {
                specs.put(path, array.spec());
            }
        });
        return specs;
    }

    private void start(Source source, Map<String, Node> nodes) throws StoreException {
        Map<String, ArraySpec> specs = specs(nodes);
        nodes.forEach((path, node) -> {
            if (node instanceof GroupNode group) {
                groups.put(path, group);
            }
        });
        if (specs.isEmpty()) {
            throw new StoreException("there is no array in " + source);
        }
        if (!specs.containsKey("")) {
            join.requireIn(source.toString(), specs);
        }
        specs.forEach((path, spec) -> {
            OptionalInt axis = join.axisOf(source.at(path), path, spec);
            arrays.put(
                    path,
                    new Array(
                            new MemberCheck.Member(source.at(path), path, spec),
                            new ConcatArray.Axis(axis.orElse(-1), axis.isPresent() && join.fresh())));
        });
    }

    private void requireSameNodes(Source first, Source source, Map<String, Node> nodes) throws StoreException {
        TreeSet<String> all = new TreeSet<>(nodes.keySet());
        all.addAll(arrays.keySet());
        all.addAll(groups.keySet());
        for (String path : all) {
            String ours = arrays.containsKey(path) ? "an array" : groups.containsKey(path) ? "a group" : "nothing";
            Node node = nodes.get(path);
            String theirs = node == null ? "nothing" : node instanceof ArrayNode ? "an array" : "a group";
            if (!ours.equals(theirs)) {
                throw new StoreException(
                        "there is " + theirs + " at " + source.at(path) + ", but " + ours + " at " + first.at(path));
            }
        }
    }

    /**
     * Collects the differences of a group from the first one, whose attributes are used, and the omissions of its
     * format.
     */
    private void addGroup(Source first, Source source, ChunkStore store, String path, GroupNode group)
            throws IOException {
        GroupNode kept = groups.getOrDefault(path, group);
        check.reportDifferences(
                new MemberCheck.Described(first.at(path), path, kept.attributes()),
                new MemberCheck.Described(source.at(path), path, group.attributes()));
        omissions.addOfFormat(path, source.at(path), store.omissions(source.inside(path)));
    }

    private void add(Source source, ChunkStore store, String path, Array array) throws IOException {
        if (array.isJoined() || !array.assembly.hasMembers()) {
            omissions.addOfFormat(path, source.at(path), store.omissions(source.inside(path)));
        }
        try (ArrayReader reader = store.openReader(source.inside(path))) {
            MemberCheck.Member member = new MemberCheck.Member(source.at(path), path, reader.spec());
            check.require(array.first, member, array.axis.inMember());
            if (!reader.spec().dataType().isMeasured()) {
                array.addFill(reader.spec().fillValue());
            }
            if (array.isJoined()) {
                array.assembly.add(reader);
            } else {
                compare(array, member, reader, store.at(source.inside(path)));
            }
        }
    }

    private static Advice stackAlone() {
        return Advice.of("only", "stack the array alone, without withCoordinates()");
    }

    /** Refuses an array that is not joined and has other elements than that of the first source. */
    private void compare(Array array, MemberCheck.Member member, ArrayReader reader, StoreLocation place)
            throws IOException {
        boolean isFirst = !array.assembly.hasMembers();
        byte[] elements = null;
        if (isFirst || array.elements != null) {
            elements = reader.spec().dataType().isMeasured()
                    ? smallArrays.read(reader, array.first.spec())
                    : smallArrays.contents(place);
        }
        if (isFirst) {
            array.assembly.add(reader);
            array.elements = elements;
        } else if (array.elements != null && elements != null && !Arrays.equals(array.elements, elements)) {
            throw new StoreException(
                    member.name() + " has other elements than " + array.first.name()
                            + ", whose elements would be used, because these arrays are not joined along " + join,
                    join.stacked() == null ? new Advice[0] : new Advice[] {stackAlone()});
        }
    }
}
