package dev.rechunker.io.concat;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store of joined arrays and their groups. It keeps no source open: each reader opens and closes members by itself.
 */
final class ConcatStore extends ReadOnlyStore implements ChunkStore.VariableLength {
    private final String name;
    private final String identity;
    private final List<Source> sources;
    private final List<DataPlace> places;
    private final Map<String, GroupNode> groups;
    private final Map<String, ConcatArray> arrays;
    /** The names of the nodes in each group, by its path. */
    private final Map<String, List<String>> children = new HashMap<>();

    private final Map<String, VariableMembers> variable;
    /** The arrays of variable length that were opened, by path and longest element. */
    private final Map<Measured, ConcatArray> measured = new ConcurrentHashMap<>();

    private final Map<String, List<String>> omissions;
    private final int limit;
    private final boolean remote;
    private final Optional<StoreDescriptor> descriptor;

    private record Measured(String path, int longest, long most) {}

    /**
     * Creates a store.
     *
     * @param identity the {@link ChunkStore#identity}
     * @param places the locations of the sources, as in {@link ChunkStore#places}
     * @param groups the groups by path, in the order of the store
     * @param arrays the arrays by path, in the order of the store
     * @param variable what is needed to open arrays of variable length, by path
     * @param omissions the {@link ChunkStore#omissions} of the nodes that have any, by path
     * @param limit the maximum number of members that a reader has open at the same time
     * @param remote whether a source is remote
     * @param descriptor describes the store to another process; empty if a source cannot be described
     */
    ConcatStore(
            List<Source> sources,
            String identity,
            List<DataPlace> places,
            Map<String, GroupNode> groups,
            Map<String, ConcatArray> arrays,
            Map<String, VariableMembers> variable,
            Map<String, List<String>> omissions,
            int limit,
            boolean remote,
            Optional<StoreDescriptor> descriptor) {
        this.name = sources.get(0) + (sources.size() == 1 ? "" : " and " + (sources.size() - 1) + " more");
        this.sources = sources;
        this.identity = identity;
        this.places = places;
        this.groups = groups;
        this.arrays = arrays;
        this.variable = variable;
        this.omissions = omissions;
        this.limit = limit;
        this.remote = remote;
        this.descriptor = descriptor;
        arrays.keySet().forEach(this::addChild);
        groups.keySet().forEach(this::addChild);
    }

    private void addChild(String path) {
        if (!path.isEmpty()) {
            children.computeIfAbsent(NodePaths.parent(path), none -> new ArrayList<>())
                    .add(NodePaths.leaf(path));
        }
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(remote);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Node> node(String path) {
        ChunkStore.requirePath(path);
        ConcatArray array = arrays.get(path);
        return array != null ? Optional.of(new ArrayNode(array.spec())) : Optional.ofNullable(groups.get(path));
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.copyOf(children.getOrDefault(path, List.of()));
    }

    @Override
    public List<String> omissions(String path) {
        ChunkStore.requirePath(path);
        return omissions.getOrDefault(path, List.of());
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        ChunkStore.requirePath(path);
        return reader(path, required(path, arrays), ChunkStore::openReader);
    }

    private ArrayReader reader(String path, ConcatArray array, OpenMembers.Opener opener) {
        return new ConcatReader(array, new OpenMembers(sources, path, array, limit, opener));
    }

    private <T> T required(String path, Map<String, T> nodes) throws StoreException {
        T found = nodes.get(path);
        if (found == null) {
            throw new StoreException("there is no array at " + at(path));
        }
        return found;
    }

    @Override
    public Optional<VariableLength> variableLength() {
        return variable.isEmpty() ? Optional.empty() : Optional.of(this);
    }

    @Override
    public ArrayReader openLengths(String path, long most) throws IOException {
        OpenMembers.Opener opener =
                (store, inside) -> store.variableLength().orElseThrow().openLengths(inside, most);
        return reader(path, required(path, variable).lengths(sources, path, opener), opener);
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
        OpenMembers.Opener opener =
                (store, inside) -> store.variableLength().orElseThrow().openReader(inside, longest, most);
        Measured key = new Measured(path, longest, most);
        ConcatArray array = measured.get(key);
        if (array == null) {
            array = required(path, variable).elements(sources, path, opener);
            measured.put(key, array);
        }
        return reader(path, array, opener);
    }

    @Override
    public List<DataPlace> places(String path) {
        return places.stream().map(place -> place.below(path)).toList();
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return descriptor;
    }

    @Override
    public String identity() {
        return identity;
    }

    /** Does nothing: readers are closed by their callers. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }
}
