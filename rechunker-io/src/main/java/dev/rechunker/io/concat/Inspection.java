package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.Coordinates;
import dev.rechunker.array.NodePaths;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at the sources, one open at a time, and makes a store of those that belong together. For one use. */
final class Inspection {
    private final Join join;
    private final int limit;
    private final Likeness likeness;
    private final Omissions omissions;
    private final Contents contents = new Contents();
    private final TreeMap<String, GroupNode> groups = new TreeMap<>();
    private final TreeMap<String, Array> arrays = new TreeMap<>();
    private final List<String> places = new ArrayList<>();
    private final Identity identity;
    private final Description description;
    private boolean remote;

    /** An array of the first source, and what is gathered for it. */
    private static final class Array {
        final Likeness.Named first;
        final ConcatArray.Axis axis;
        final Assembly assembly;
        /** The elements of an array that is not joined; null if they are too many to be compared. */
        byte @Nullable [] elements;

        Array(Likeness.Named first, ConcatArray.Axis axis) {
            this.first = first;
            this.axis = axis;
            this.assembly = new Assembly(first.spec(), axis);
        }

        boolean isJoined() {
            return axis.index() >= 0;
        }
    }

    /**
     * Prepares it.
     *
     * @param limit how many sources a reader will have open at once
     * @param omissions gathers what is not said of the joined nodes, as {@code likeness} does
     */
    Inspection(Join join, int limit, Likeness likeness, Omissions omissions) {
        this.join = join;
        this.limit = limit;
        this.likeness = likeness;
        this.omissions = omissions;
        this.identity = new Identity(join);
        this.description = new Description(join, limit, likeness);
    }

    /**
     * {@return the sources as one store}
     *
     * @throws StoreException if they do not belong together
     */
    ConcatStore of(List<Source> sources) throws IOException {
        for (Source source : sources) {
            try (ChunkStore store = source.open()) {
                remote |= store.capabilities().remote();
                identity.add(source, store);
                description.add(source, store);
                places.addAll(store.places(source.path()));
                Map<String, Node> nodes = new TreeMap<>();
                visit(source, store, "", nodes);
                requireWhole(source, nodes);
                if (arrays.isEmpty()) {
                    begin(source, nodes);
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
        TreeMap<String, ConcatArray> joined = new TreeMap<>();
        for (Map.Entry<String, Array> array : arrays.entrySet()) {
            joined.put(array.getKey(), array.getValue().assembly.build(join, limit));
        }
        return new ConcatStore(
                sources,
                identity.text(),
                List.copyOf(places),
                groups,
                joined,
                omissions.sentences(),
                limit,
                remote,
                description.descriptor());
    }

    private static void visit(Source source, ChunkStore store, String path, Map<String, Node> nodes)
            throws IOException {
        Node node = store.node(source.inside(path))
                .orElseThrow(() -> new StoreException("there is no array or group at " + source.at(path)));
        nodes.put(path, node);
        if (node instanceof GroupNode) {
            for (String child : store.children(source.inside(path))) {
                visit(source, store, NodePaths.below(path, child), nodes);
            }
        }
    }

    /** Refuses a source in which an array is not as long on the joined axis as its coordinates are. */
    private void requireWhole(Source source, Map<String, Node> nodes) throws StoreException {
        Map<String, ArraySpec> specs = specs(nodes);
        Optional<String> disagreement =
                join.existing(specs.values()).flatMap(axis -> Coordinates.disagreement(axis, specs));
        if (disagreement.isPresent()) {
            throw new StoreException(
                    source + ": " + disagreement.get()
                            + "; what is joined behind it would be at the wrong ones. Complete it, or join the arrays one by one");
        }
    }

    private static Map<String, ArraySpec> specs(Map<String, Node> nodes) {
        Map<String, ArraySpec> specs = new TreeMap<>();
        nodes.forEach((path, node) -> {
            if (node instanceof ArrayNode array) {
                specs.put(path, array.spec());
            }
        });
        return specs;
    }

    private void begin(Source source, Map<String, Node> nodes) throws StoreException {
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
                            new Likeness.Named(source.at(path), path, spec),
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
     * Gathers in what a group differs from the first one, whose attributes are kept, and what its format says besides.
     */
    private void addGroup(Source first, Source source, ChunkStore store, String path, GroupNode group)
            throws IOException {
        GroupNode kept = groups.getOrDefault(path, group);
        likeness.compare(
                new Likeness.Described(first.at(path), path, kept.attributes()),
                new Likeness.Described(source.at(path), path, group.attributes()));
        omissions.unsaid(path, source.at(path), store.omissions(source.inside(path)));
    }

    private void add(Source source, ChunkStore store, String path, Array array) throws IOException {
        if (array.isJoined() || !array.assembly.hasMembers()) {
            omissions.unsaid(path, source.at(path), store.omissions(source.inside(path)));
        }
        try (ArrayReader reader = store.openReader(source.inside(path))) {
            Likeness.Named member = new Likeness.Named(source.at(path), path, reader.spec());
            likeness.require(array.first, member, array.axis.inMember());
            if (array.isJoined()) {
                array.assembly.add(reader);
            } else {
                compare(array, member, reader);
            }
        }
    }

    /** Refuses an array that is not joined and holds other elements than the first one's. */
    private void compare(Array array, Likeness.Named member, ArrayReader reader) throws IOException {
        boolean isFirst = !array.assembly.hasMembers();
        byte[] elements = isFirst || array.elements != null ? contents.of(reader, array.first.spec()) : null;
        if (isFirst) {
            array.assembly.add(reader);
            array.elements = elements;
        } else if (array.elements != null && elements != null && !Arrays.equals(array.elements, elements)) {
            throw new StoreException(member.name() + " holds other elements than " + array.first.name()
                    + ", which would be taken for all, because it does not have the axis " + join);
        }
    }
}
