package dev.rechunker.io.concat;

import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Joined arrays, and the groups that they are in. Holds nothing open: readers open members, each for itself, and close
 * them.
 */
final class ConcatStore extends ReadOnlyStore {
    private final String name;
    private final String identity;
    private final List<Source> sources;
    private final List<String> places;
    private final NavigableMap<String, GroupNode> groups;
    private final NavigableMap<String, ConcatArray> arrays;
    private final Map<String, List<String>> omissions;
    private final int limit;
    private final boolean remote;
    private final Optional<StoreDescriptor> descriptor;

    /**
     * Puts it together.
     *
     * @param identity what is joined, as {@link ChunkStore#identity} has it
     * @param places where the sources are, as {@link ChunkStore#places} has it
     * @param groups by path
     * @param arrays by path
     * @param omissions by path, of the nodes that have any, as {@link ChunkStore#omissions} has them
     * @param limit how many members a reader has open at once
     * @param remote whether a source is remote
     * @param descriptor by which another process makes it again, if it can
     */
    ConcatStore(
            List<Source> sources,
            String identity,
            List<String> places,
            NavigableMap<String, GroupNode> groups,
            NavigableMap<String, ConcatArray> arrays,
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
        this.omissions = omissions;
        this.limit = limit;
        this.remote = remote;
        this.descriptor = descriptor;
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
        String prefix = path.isEmpty() ? "" : path + "/";
        List<String> names = new ArrayList<>();
        for (NavigableMap<String, ?> nodes : List.<NavigableMap<String, ?>>of(groups, arrays)) {
            for (String below : nodes.tailMap(prefix, false).keySet()) {
                if (!below.startsWith(prefix)) {
                    break;
                }
                if (below.indexOf('/', prefix.length()) < 0) {
                    names.add(below.substring(prefix.length()));
                }
            }
        }
        names.sort(null);
        return names;
    }

    @Override
    public List<String> omissions(String path) {
        ChunkStore.requirePath(path);
        return omissions.getOrDefault(path, List.of());
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        ChunkStore.requirePath(path);
        ConcatArray array = arrays.get(path);
        if (array == null) {
            throw new StoreException("there is no array at " + at(path));
        }
        return new ConcatReader(array, new OpenMembers(sources, path, array, limit));
    }

    @Override
    public List<String> places(String path) {
        return places.stream()
                .map(place -> path.isEmpty() ? place : place + path + "/")
                .toList();
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return descriptor;
    }

    @Override
    public String identity() {
        return identity;
    }

    /** Does nothing: whoever opened readers closes them. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }
}
