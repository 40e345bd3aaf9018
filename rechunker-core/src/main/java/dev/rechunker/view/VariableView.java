package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A view of one array of a group, together with the arrays that describe it: a group with the array, the coordinates of
 * its axes, and what the attributes of these name by the CF conventions. Names are searched in the group of the array
 * that has the attribute and, failing that, in the groups above; paths, such as {@code ../grid/lat}, from that group or
 * from the root. As all arrays are in one group here, attributes have names in place of these paths.
 */
public final class VariableView extends ReadOnlyStore {
    /** The attributes that name other arrays, separated by spaces. */
    private static final List<String> REFERENCES =
            List.of("coordinates", "bounds", "climatology", "ancillary_variables");

    /** The attributes of the form {@code key: name key: name}. */
    private static final List<String> KEYED_REFERENCES = List.of("cell_measures", "formula_terms");

    /** The attribute of the form {@code name} or {@code name: name name name: name}. */
    private static final String GRID_MAPPING = "grid_mapping";

    private final StoreLocation variable;
    /** The names of the axes of the array, of which no two are the same. */
    private final List<String> axes;

    private final GroupNode group;
    /** The paths of the arrays in the store, by their names in this view; the array is the last. */
    private final Map<String, String> paths;

    private VariableView(StoreLocation variable, List<String> axes, GroupNode group, Map<String, String> paths) {
        this.variable = variable;
        this.axes = axes;
        this.group = group;
        this.paths = paths;
    }

    /** {@return the view of an array; empty if it is not an array in a group whose axes have names of their own} */
    public static Optional<VariableView> of(StoreLocation variable) throws IOException {
        Optional<ArraySpec> spec =
                variable.path().isEmpty() ? Optional.empty() : array(variable.store(), variable.path());
        if (spec.isEmpty()) {
            return Optional.empty();
        }
        List<String> axes = new ArrayList<>();
        for (String axis : spec.get().dimensionNames()) {
            if (axis == null || axes.contains(axis)) {
                return Optional.empty();
            }
            axes.add(axis);
        }
        Map<String, String> paths = new LinkedHashMap<>();
        Map<String, ArraySpec> found = new LinkedHashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(variable.path()));
        paths.put(NodePaths.leaf(variable.path()), variable.path());
        found.put(variable.path(), spec.get());
        while (!open.isEmpty()) {
            String path = open.remove();
            ArraySpec array = found.get(path);
            for (String other : array == null ? List.<String>of() : described(variable.store(), path, array)) {
                Optional<ArraySpec> there = array(variable.store(), other);
                if (there.isPresent() && paths.putIfAbsent(NodePaths.leaf(other), other) == null) {
                    found.put(other, there.get());
                    open.add(other);
                }
            }
        }
        paths.remove(NodePaths.leaf(variable.path()));
        paths.put(NodePaths.leaf(variable.path()), variable.path());
        return Optional.of(new VariableView(variable, axes, group(variable, found.values()), paths));
    }

    /** {@return the same view of a store with the same contents} */
    public VariableView in(ChunkStore store) {
        return new VariableView(store.at(variable.path()), axes, group, paths);
    }

    /** {@return whether there are arrays that describe the array, or groups that declare dimensions of it} */
    public boolean isDescribed() {
        return paths.size() > 1 || !group.spec().dimensions().isEmpty();
    }

    /** {@return the name of the array in this view} */
    public String variable() {
        return NodePaths.leaf(variable.path());
    }

    /** {@return the names of the axes of the array} */
    public List<String> axes() {
        return List.copyOf(axes);
    }

    private static Optional<ArraySpec> array(ChunkStore store, String path) throws IOException {
        return Nodes.understoodArray(store.at(path));
    }

    /** {@return the paths of the coordinates of an array, and of the arrays that its attributes name} */
    private static List<String> described(ChunkStore store, String path, ArraySpec array) throws IOException {
        List<String> described = new ArrayList<>();
        for (String axis : array.dimensionNames()) {
            Optional<String> found = axis == null ? Optional.empty() : nearest(store, path, axis);
            if (found.isPresent()
                    && array(store, found.get())
                            .filter(spec -> Coordinates.isCoordinate(found.get(), spec))
                            .isPresent()) {
                described.add(found.get());
            }
        }
        for (String name : references(array)) {
            Optional<String> found = name.contains("/") ? resolved(path, name) : nearest(store, path, name);
            if (found.isPresent() && array(store, found.get()).isPresent()) {
                described.add(found.get());
            }
        }
        return described;
    }

    /** {@return the names in attributes of an array that name others} */
    static Set<String> references(ArraySpec array) {
        Set<String> names = new LinkedHashSet<>();
        REFERENCES.forEach(attribute -> names.addAll(words(array, attribute)));
        for (String attribute : KEYED_REFERENCES) {
            words(array, attribute).stream().filter(word -> !word.endsWith(":")).forEach(names::add);
        }
        for (String word : words(array, GRID_MAPPING)) {
            names.add(word.endsWith(":") ? word.substring(0, word.length() - 1) : word);
        }
        return names;
    }

    private static List<String> words(ArraySpec array, String attribute) {
        return array.attributes().get(attribute) instanceof String text
                ? List.of(text.trim().split("\\s+"))
                : List.of();
    }

    /** {@return the path that a path in an attribute of an array means; empty if it leads out of the root} */
    private static Optional<String> resolved(String array, String path) {
        Deque<String> parts = new ArrayDeque<>();
        String start = path.startsWith("/") ? "" : NodePaths.parent(array);
        for (String part : (start + "/" + path).split("/")) {
            if (part.equals("..") && parts.pollLast() == null) {
                return Optional.empty();
            }
            if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
                parts.add(part);
            }
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("/", parts));
    }

    /** {@return an array as it is in this view, with names in its attributes in place of paths} */
    private ArraySpec flat(String array, ArraySpec spec) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        Stream.of(REFERENCES, KEYED_REFERENCES, List.of(GRID_MAPPING))
                .flatMap(List::stream)
                .filter(attribute -> attributes.get(attribute) instanceof String text && text.contains("/"))
                .forEach(attribute -> attributes.put(
                        attribute,
                        words(spec, attribute).stream()
                                .map(word -> name(array, word))
                                .collect(Collectors.joining(" "))));
        return attributes.equals(spec.attributes())
                ? spec
                : spec.toBuilder().attributes(attributes).build();
    }

    /** {@return a word of an attribute, or the name of the array in this view if it is a path} */
    private String name(String array, String word) {
        String end = word.endsWith(":") ? ":" : "";
        String path = word.substring(0, word.length() - end.length());
        return Optional.of(path)
                .filter(text -> text.contains("/"))
                .flatMap(text -> resolved(array, text))
                .filter(there -> there.equals(paths.get(NodePaths.leaf(there))))
                .map(there -> NodePaths.leaf(there) + end)
                .orElse(word);
    }

    private ArrayReader flat(String path, ArrayReader reader) {
        ArraySpec spec = flat(path, reader.spec());
        return spec.equals(reader.spec()) ? reader : new DescribedReader(reader, spec);
    }

    /** {@return the path of the array of a name in the group of another array or, failing that, in a group above} */
    private static Optional<String> nearest(ChunkStore store, String path, String name) throws IOException {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/")) {
            return Optional.empty();
        }
        String group = path;
        while (!group.isEmpty()) {
            group = NodePaths.parent(group);
            String candidate = NodePaths.below(group, name);
            if (array(store, candidate).isPresent()) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** {@return the group of an array, with the dimensions that some arrays use, of all groups above} */
    private static GroupNode group(StoreLocation variable, Iterable<ArraySpec> arrays) throws IOException {
        Set<@Nullable String> used = new LinkedHashSet<>();
        arrays.forEach(array -> used.addAll(array.dimensionNames()));
        Map<String, Dimension> dimensions = new LinkedHashMap<>();
        GroupSpec spec = GroupSpec.EMPTY;
        boolean consolidated = false;
        for (String path : NodePaths.ancestors(variable.path())) {
            if (variable.store().node(path).orElse(null) instanceof GroupNode group) {
                spec = group.spec();
                consolidated |= group.consolidated();
                for (Dimension dimension : spec.dimensions()) {
                    if (used.contains(dimension.name())) {
                        dimensions.put(dimension.name(), dimension);
                    }
                }
            }
        }
        return new GroupNode(spec.withDimensions(List.copyOf(dimensions.values())), consolidated);
    }

    private String path(String path) throws StoreException {
        String there = paths.get(path);
        if (there == null) {
            throw new StoreException("there is no array " + path + " in " + name());
        }
        return there;
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy()
                .withRemote(variable.store().capabilities().remote());
    }

    @Override
    public String name() {
        return NodePaths.inStore(variable.store().name(), NodePaths.parent(variable.path()));
    }

    @Override
    public String identity() {
        return variable.store().identity() + "[" + paths.values() + "]";
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        if (path.isEmpty()) {
            return Optional.of(group);
        }
        String there = paths.get(path);
        return there == null
                ? Optional.empty()
                : variable.store()
                        .node(there)
                        .map(node -> node instanceof ArrayNode array ? new ArrayNode(flat(there, array.spec())) : node);
    }

    @Override
    public List<String> children(String path) {
        return path.isEmpty() ? List.copyOf(paths.keySet()) : List.of();
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        return variable.store().omissions(path.isEmpty() ? NodePaths.parent(variable.path()) : path(path));
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        String there = path(path);
        return flat(there, variable.store().openReader(there));
    }

    @Override
    public Optional<VariableLength> variableLength() {
        return variable.store().variableLength().map(whole -> new VariableLength() {
            @Override
            public ArrayReader openLengths(String path, long most) throws IOException {
                String there = path(path);
                return flat(there, whole.openLengths(there, most));
            }

            @Override
            public ArrayReader openReader(String path, int longest, long most) throws IOException {
                String there = path(path);
                return flat(there, whole.openReader(there, longest, most));
            }
        });
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        List<DataPlace> places = new ArrayList<>();
        for (String there : path.isEmpty() ? paths.values() : List.of(path(path))) {
            places.addAll(variable.store().places(there));
        }
        return places;
    }

    /** Does nothing: the store stays open. */
    @Override
    public void close() {}
}
