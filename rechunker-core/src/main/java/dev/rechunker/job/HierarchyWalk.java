package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Loss.Kind;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.UnsupportedArrayException;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A walk through the hierarchy of a source that plans every node.
 *
 * <p>A node below the one that is copied is left out, and listed as a loss, if it is not understood, or if the target
 * does not support its name or its elements. The node that is copied itself is refused in these cases.
 *
 * <p>A remote source is asked about several nodes at the same time, which are then visited one after the other.
 */
final class HierarchyWalk implements AutoCloseable {
    private final StoreLocation source;
    private final StoreLocation target;
    private final ArrayPlanning planning;
    private final Predicate<String> skipped;
    /** The threads that ask the source. */
    private final Team team;

    private final MemoryRefusals refusals = new MemoryRefusals();
    private final List<JobArray> arrays = new ArrayList<>();
    private final Map<String, GroupSpec> groups = new LinkedHashMap<>();
    /** The groups around the next node, the innermost last. */
    private final Deque<OpenGroup> open = new ArrayDeque<>();

    private final List<Loss> losses = new ArrayList<>();

    /** A group of which some nodes have not been visited. */
    private static final class OpenGroup {
        final String path;
        final GroupSpec spec;
        final LookAhead children;
        /** The specs of its arrays in the target, by name. */
        final Map<String, ArraySpec> arrays = new LinkedHashMap<>();
        /** The number of losses before those of the nodes in the group. */
        final int losses;

        OpenGroup(String path, GroupSpec spec, LookAhead children, int losses) {
            this.path = path;
            this.spec = spec;
            this.children = children;
            this.losses = losses;
        }
    }

    private HierarchyWalk(
            StoreLocation source, StoreLocation target, ArrayPlanning planning, Predicate<String> skipped) {
        this.source = source;
        this.target = target;
        this.planning = planning;
        this.skipped = skipped;
        boolean asksAhead = source.store().capabilities().remote() && !planning.changesSource();
        this.team = new Team(asksAhead ? LookAhead.THREADS : 1);
    }

    /**
     * {@return the plan of a node and everything below it}
     *
     * @param skipped which nodes below it are not copied, by their paths, and are no losses
     * @throws InfeasiblePlanException if arrays exceed the memory limit, for the one that needs most
     * @throws IOException if a node cannot be read, or the target does not support the node that is copied
     */
    static HierarchyPlan of(
            StoreLocation source,
            ChunkStore.Node root,
            StoreLocation target,
            ArrayPlanning planning,
            Predicate<String> skipped)
            throws IOException {
        try (HierarchyWalk walk = new HierarchyWalk(source, target, planning, skipped);
                AskedNode asked = new AskedNode(source, "")) {
            walk.visit(asked, root);
            while (!walk.open.isEmpty()) {
                walk.visitNext();
            }
            walk.refusals.throwLargest();
            walk.requireArrays();
            return new HierarchyPlan(walk.arrays, walk.groups, walk.losses);
        }
    }

    /** Ends the threads, and closes what they have opened and was not visited. */
    @Override
    public void close() {
        team.close();
        open.forEach(group -> group.children.close());
    }

    /** Visits the next node of the innermost group; or ends that group, if it has none left. */
    private void visitNext() throws IOException {
        OpenGroup group = open.getLast();
        if (group.children.hasNext()) {
            try (AskedNode asked = group.children.next()) {
                visitBelow(asked);
            }
        } else {
            open.removeLast();
            end(group);
        }
    }

    private void visit(AskedNode asked, ChunkStore.Node node) throws IOException {
        StoreLocation place = source.resolve(asked.path());
        List<Loss> omitted = new ArrayList<>();
        for (String omission : asked.omissions()) {
            omitted.add(Losses.at(place, Kind.METADATA, omission));
        }
        for (String omission : asked.layoutOmissions()) {
            omitted.add(Losses.at(place, Kind.LAYOUT, omission));
        }
        if (node instanceof ChunkStore.ArrayNode array) {
            visitArray(asked, unlimited(array.spec()), omitted);
        } else if (node instanceof ChunkStore.GroupNode group) {
            visitGroup(asked, group, omitted);
        }
    }

    /** Refuses a copy that would leave out every array. */
    private void requireArrays() throws StoreException {
        List<Loss> leftOut =
                losses.stream().filter(loss -> loss.kind() == Kind.ARRAY).toList();
        if (arrays.isEmpty() && !leftOut.isEmpty()) {
            throw new StoreException("nothing of " + source + " can be copied to " + target + ": "
                    + String.join("; ", Loss.sentences(leftOut)));
        }
    }

    private void visitArray(AskedNode asked, ArraySpec spec, List<Loss> omitted) throws IOException {
        String path = asked.path();
        StoreLocation place = source.resolve(path);
        Optional<ArrayReader> opened = open(asked);
        if (opened.isEmpty()) {
            return;
        }
        try (ArrayReader reader = opened.get()) {
            Optional<JobArray> plan =
                    refusals.attempt(() -> planned(path, spec, reader)).flatMap(made -> made);
            losses.addAll(omitted);
            plan.ifPresent(made -> add(path, made));
            plan.ifPresent(made -> losses.addAll(made.losses()));
        } catch (UnsupportedArrayException e) {
            if (path.isEmpty()) {
                throw e;
            }
            leaveOutUnheld(place, e);
        }
    }

    /**
     * {@return a reader of an array; empty if the array is left out because the reader does not understand it, or if
     * the memory limit is too small for it}
     */
    private Optional<ArrayReader> open(AskedNode asked) throws IOException {
        try {
            return refusals.attempt(asked::openReader);
        } catch (StoreException e) {
            if (asked.path().isEmpty()) {
                throw e;
            }
            leaveOutUnknown(source.resolve(asked.path()), e);
            return Optional.empty();
        }
    }

    private Optional<JobArray> planned(String path, ArraySpec spec, ArrayReader reader) throws IOException {
        StoreLocation place = source.resolve(path);
        try {
            return planning.plan(path, place, spec, reader);
        } catch (InfeasiblePlanException e) {
            DataType type = reader.spec().dataType();
            if (type.isVariable()) {
                throw e.of(place + ", whose elements take " + ByteSize.of(type.itemSize())
                        + " each in memory, as the longest does");
            }
            throw path.isEmpty() ? e : e.of(place.toString());
        }
    }

    private void visitGroup(AskedNode asked, ChunkStore.GroupNode group, List<Loss> omitted) throws IOException {
        String path = asked.path();
        StoreLocation place = source.resolve(path);
        resolved(path, place, group.spec(), Map.of()); // refused before what is in it is planned
        losses.addAll(omitted);
        groups.put(path, group.spec());
        Iterator<String> children = asked.children().stream()
                .map(name -> NodePaths.below(path, name))
                .filter(below -> !skipped.test(below))
                .iterator();
        open.addLast(new OpenGroup(path, group.spec(), new LookAhead(source, children, team), losses.size()));
    }

    private void end(OpenGroup group) throws IOException {
        StoreLocation place = source.resolve(group.path);
        GroupSpec kept = resolved(group.path, place, group.spec.withLengthsOf(group.arrays.values()), group.arrays);
        List<Loss> ofGroup = new ArrayList<>(Losses.of(place, group.spec, kept));
        for (String change :
                target.store().rules().changesInGroup(target.resolve(group.path).path(), kept, group.arrays)) {
            ofGroup.add(Losses.at(place, Kind.METADATA, change));
        }
        losses.addAll(group.losses, ofGroup);
        groups.put(group.path, kept);
    }

    private void add(String path, JobArray array) {
        arrays.add(array);
        if (!open.isEmpty()) {
            open.getLast().arrays.put(NodePaths.leaf(path), array.target());
        }
    }

    private GroupSpec resolved(String path, StoreLocation place, GroupSpec group, Map<String, ArraySpec> arrays)
            throws IOException {
        try {
            return target.store().rules().resolveGroup(target.resolve(path).path(), group, arrays);
        } catch (StoreException e) {
            throw new StoreException(place + ": " + e.problem(), e, e.advice());
        }
    }

    /** {@return a spec with the axes as unlimited that belong to unlimited dimensions of groups above} */
    private ArraySpec unlimited(ArraySpec spec) {
        TreeSet<Integer> axes = new TreeSet<>(spec.unlimitedAxes());
        for (int axis = 0; axis < spec.dimensionNames().size(); axis++) {
            String name = spec.dimensionNames().get(axis);
            if (name != null && declared(name).filter(Dimension::unlimited).isPresent()) {
                axes.add(axis);
            }
        }
        return spec.toBuilder().unlimitedAxes(axes).build();
    }

    /** {@return the dimension of a name that the innermost group declares which has one of that name} */
    private Optional<Dimension> declared(String name) {
        for (Iterator<OpenGroup> around = open.descendingIterator(); around.hasNext(); ) {
            for (Dimension dimension : around.next().spec.dimensions()) {
                if (dimension.name().equals(name)) {
                    return Optional.of(dimension);
                }
            }
        }
        return Optional.empty();
    }

    private void visitBelow(AskedNode asked) throws IOException {
        String path = asked.path();
        StoreLocation place = source.resolve(path);
        if (open.size() - 1 > NodePaths.MOST_LEVELS) {
            leaveOutUnknown(place, new StoreException(NodePaths.TOO_DEEP));
            return;
        }
        Optional<Optional<ChunkStore.Node>> found;
        try {
            found = refusals.attempt(asked::node);
        } catch (StoreException e) {
            leaveOutUnknown(place, e);
            return;
        }
        if (found.isEmpty()) {
            return; // the memory limit is too small
        }
        Optional<ChunkStore.Node> node = found.get();
        try {
            target.store().rules().requireName(target.resolve(path).path());
        } catch (StoreException e) {
            leaveOutUnheld(place, e);
            return;
        }
        visit(asked, node.orElseThrow(() -> new StoreException("there is no array or group at " + place)));
    }

    private void leaveOutUnknown(StoreLocation place, StoreException why) {
        losses.add(Losses.at(place, Kind.ARRAY, "is not understood, and left out: " + why.problem()));
    }

    private void leaveOutUnheld(StoreLocation place, StoreException why) {
        losses.add(Losses.at(
                place,
                Kind.ARRAY,
                "cannot be stored in " + target + ", and is left out: " + Advice.message(why.problem(), why.advice())));
    }
}
