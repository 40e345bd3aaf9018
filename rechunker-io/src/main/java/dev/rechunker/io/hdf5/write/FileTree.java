package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The groups and datasets of a file that is being written, by path. Not thread-safe. */
final class FileTree {
    private static final int MAX_NAME = 4096;

    private final String store;
    private final FileKind kind;
    private final Group root = new Group();

    /** An object at a path. */
    sealed interface Node {}

    /** A committed array. */
    record Dataset(DatasetSpec array, ElementStorage storage) implements Node {}

    /** A group. */
    static final class Group implements Node {
        private final Map<String, Node> children = new LinkedHashMap<>();
        private GroupSpec spec = GroupSpec.EMPTY;

        GroupSpec spec() {
            return spec;
        }

        /** {@return the nodes in the group by their names, in the order in which they were added} */
        Map<String, Node> children() {
            return children;
        }

        List<String> names() {
            return new ArrayList<>(children.keySet());
        }

        /** {@return the group at a path below this one, which is created if necessary} */
        Group create(String path) {
            Group at = this;
            for (String part : parts(path)) {
                at = (Group) at.children.computeIfAbsent(part, name -> new Group());
            }
            return at;
        }
    }

    Group root() {
        return root;
    }

    /** Creates an empty tree. */
    FileTree(String store, FileKind kind) {
        this.store = store;
        this.kind = kind;
    }

    private static List<String> parts(String path) {
        return path.isEmpty() ? List.of() : List.of(path.split("/", -1));
    }

    Optional<Node> find(String path) {
        Node at = root;
        for (String part : parts(path)) {
            at = at instanceof Group group ? group.children.get(part) : null;
            if (at == null) {
                return Optional.empty();
            }
        }
        return Optional.of(at);
    }

    /** {@return whether there is no dataset in the tree} */
    boolean isEmpty() {
        Deque<Node> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            if (!(left.removeLast() instanceof Group group)) {
                return false;
            }
            left.addAll(group.children.values());
        }
        return true;
    }

    /** Refuses a path for a new array if it has an object that may not be replaced, or is below an array. */
    void requireFree(String path, boolean overwrite) throws StoreException {
        if (path.isEmpty()) {
            throw new StoreException("the root of an HDF5 file is a group, so the array needs a name: write to " + store
                    + " at(\"data\"), for example");
        }
        requireGroupsAbove(path);
        Node there = find(path).orElse(null);
        if (there instanceof Group) {
            throw new StoreException("there is a group at " + NodePaths.inStore(store, path) + " already");
        }
        if (there != null && !overwrite) {
            throw new StoreException("there is an array at " + NodePaths.inStore(store, path) + " already");
        }
    }

    /** Refuses a path with a name that the format does not allow. */
    void requireName(String path) throws StoreException {
        for (String part : parts(path)) {
            boolean isText = StoredText.isStorable(part);
            if (!isText || part.getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
                throw new StoreException(
                        "\"" + part + "\" in " + NodePaths.inStore(store, path) + " is not a valid name in HDF5: it "
                                + (isText ? "has more than " + MAX_NAME + " bytes" : "cannot be stored as UTF-8"));
            }
            if (kind.isNetcdf() && !NetcdfVariables.isName(part)) {
                throw new StoreException("\"" + part + "\" in " + NodePaths.inStore(store, path)
                        + " is not a valid name in netCDF: names start with a letter, a digit or _, have no control"
                        + " characters and no space at the end, and have at most 256 bytes");
            }
        }
    }

    private void requireGroupsAbove(String path) throws StoreException {
        requireName(path);
        Node at = root;
        int slash = path.indexOf('/');
        for (int from = 0; slash >= 0 && at instanceof Group group; slash = path.indexOf('/', from)) {
            at = group.children.get(path.substring(from, slash));
            if (at instanceof Dataset) {
                throw new StoreException("there is an array at " + NodePaths.inStore(store, path.substring(0, slash))
                        + ", so there can be no object below it: " + NodePaths.inStore(store, path));
            }
            from = slash + 1;
        }
    }

    /** Removes the object at a path, if there is one. */
    void remove(String path) {
        if (find(NodePaths.parent(path)).orElse(null) instanceof Group parent) {
            parent.children.remove(NodePaths.leaf(path));
        }
    }

    /** Puts an array at a path, and creates the groups above it. */
    void put(String path, Dataset dataset) throws StoreException {
        requireFree(path, false);
        root.create(NodePaths.parent(path)).children.put(NodePaths.leaf(path), dataset);
    }

    /** Creates a group at a path, and the groups above it. If the group exists, replaces its attributes. */
    void putGroup(String path, GroupSpec spec) throws IOException {
        requireGroupsAbove(path);
        if (find(path).orElse(null) instanceof Dataset) {
            throw new StoreException(
                    "there is an array at " + NodePaths.inStore(store, path) + ", so it cannot become a group");
        }
        AttributeWriter.put(
                HeaderBuilder.group(kind.isNetcdf()),
                NodePaths.inStore(store, path),
                spec.attributes(),
                spec.attributeTypes(),
                TextSink.NOWHERE);
        root.create(path).spec = spec;
    }
}
