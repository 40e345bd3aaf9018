package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A read-only store with the arrays and groups in a directory. */
final class TileDbStore extends ReadOnlyStore {
    /** What the library may hold of tiles when only schemas and metadata are read. */
    static final long BUDGET = 16 << 20;

    private final Path directory;
    private final long time;
    private final Native context;
    private final Map<String, Optional<TileDbItem>> items = new ConcurrentHashMap<>();

    private boolean closed;

    private TileDbStore(Path directory, long time, Native context) {
        this.directory = directory;
        this.time = time;
        this.context = context;
    }

    static TileDbStore open(Path directory, long time) throws IOException {
        TileDbStore store = new TileDbStore(directory, time, Native.open(BUDGET));
        try {
            store.item("");
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
        return store;
    }

    @Override
    public String name() {
        return directory.toString();
    }

    @Override
    public String identity() {
        return TileDb.KIND + " " + DataPlace.ofFile(directory) + (isNow() ? "" : " at " + time);
    }

    private boolean isNow() {
        return time == Long.MAX_VALUE;
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        StoreDescriptor descriptor = StoreDescriptor.of(
                TileDb.KIND, directory.toAbsolutePath().normalize().toUri().toString());
        return Optional.of(isNow() ? descriptor : descriptor.with(TileDb.TIMESTAMP, Long.toString(time)));
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy();
    }

    @Override
    public List<DataPlace> places(String path) {
        return List.of(DataPlace.ofFile(directory).below(path));
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.ofNullable(directory.toAbsolutePath().getParent());
    }

    private String name(String path) {
        return NodePaths.inStore(name(), path);
    }

    /** {@return the array or group of TileDB at a path; empty if there is none} */
    private Optional<TileDbItem> item(String path) throws IOException {
        Optional<TileDbItem> known = items.get(path);
        if (known == null) {
            known = find(path);
            items.put(path, known);
        }
        return known;
    }

    private synchronized Optional<TileDbItem> find(String path) throws IOException {
        if (closed) {
            throw new IllegalStateException("the store " + name() + " is closed");
        }
        if (path.isEmpty()) {
            return Optional.of(TileDbItem.read(context, directory, name(path), time));
        }
        Optional<TileDbItem> above = item(NodePaths.parent(path));
        Path member = above.isEmpty() ? null : above.get().members().get(NodePaths.leaf(path));
        return member == null ? Optional.empty() : Optional.of(TileDbItem.read(context, member, name(path), time));
    }

    /** An attribute of an array. */
    private record Found(TileDbArray array, String attribute) {
        ArraySpec spec() {
            return array.spec(attribute);
        }
    }

    private Optional<Found> array(String path) throws IOException {
        TileDbItem item = item(path).orElse(null);
        if (item instanceof TileDbArray array) {
            return array.schema().isOne() ? Optional.of(new Found(array, "")) : Optional.empty();
        }
        if (item == null
                && !path.isEmpty()
                && item(NodePaths.parent(path)).orElse(null) instanceof TileDbArray array
                && !array.schema().isOne()
                && array.schema().arrays().containsKey(NodePaths.leaf(path))) {
            return Optional.of(new Found(array, NodePaths.leaf(path)));
        }
        return Optional.empty();
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Found> array = array(path);
        if (array.isPresent()) {
            return Optional.of(new ArrayNode(array.get().spec()));
        }
        return item(path).map(item -> new GroupNode(item.group(), false));
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        TileDbItem item = item(path).orElse(null);
        if (item instanceof TileDbArray array) {
            return array.schema().isOne()
                    ? List.of()
                    : List.copyOf(array.schema().arrays().keySet());
        }
        return item == null ? List.of() : List.copyOf(item.members().keySet());
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        ChunkStore.requirePath(path);
        return item(path).map(TileDbItem::omissions).orElse(List.of());
    }

    @Override
    public List<String> layoutOmissions(String path) throws IOException {
        ChunkStore.requirePath(path);
        return item(path).orElse(null) instanceof TileDbArray array
                ? array.schema().layoutOmissions()
                : List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Found> found = array(path);
        if (found.isEmpty()) {
            throw new StoreException(
                    name(path) + (node(path).isPresent() ? " is a group, not an array" : " does not exist"));
        }
        return found.get().array().openReader(found.get().attribute(), name(path), time);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            context.close();
        }
    }

    @Override
    public String toString() {
        return "TileDB " + name();
    }
}
