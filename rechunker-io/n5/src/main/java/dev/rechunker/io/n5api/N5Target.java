package dev.rechunker.io.n5api;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GsonN5Writer;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.jspecify.annotations.Nullable;

/** A store to write one array to, at its root: a dataset of an {@code N5Writer}, which stays open. */
final class N5Target implements ChunkStore, FormatRules {
    private final N5Location location;
    private final N5Writer n5;
    private final Compression compression;
    private final SpecResolver wanted;
    private volatile boolean pending;

    N5Target(N5Location location, N5Writer n5, Compression compression) throws StoreException {
        if (location.path().isEmpty()) {
            throw new StoreException(
                    location + " is the root of the container, which is a group; give a path for the dataset below it");
        }
        this.location = location;
        this.n5 = n5;
        this.compression = compression;
        this.wanted = new SpecResolver(location, n5);
    }

    @Override
    public String name() {
        return location.toString();
    }

    @Override
    public Capabilities capabilities() {
        boolean isConcurrent = location.dialect().isConcurrent();
        return Capabilities.ofOneArray()
                .withWritable(true)
                .withConcurrentWriters(isConcurrent)
                .withRemote(location.isRemote());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty() || pending) {
            return Optional.empty();
        }
        Optional<DatasetAttributes> found = location.findDataset();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new ArrayNode(location.dialect().spec(location, found.get())));
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        if (node(path).isEmpty()) {
            throw new StoreException("there is no array at " + at(path));
        }
        return BlockReader.open(location);
    }

    @Override
    public FormatRules rules() {
        return this;
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return wanted.adopt(foreign);
    }

    @Override
    public ArraySpec resolve(ArraySpec spec) throws StoreException {
        return wanted.resolve(spec);
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        return N5Memory.writeTraits(resolved, dataset(resolved), location.dialect());
    }

    /** {@return the attributes of the new dataset, converted by the writer, which accepts only its own} */
    private DatasetAttributes dataset(ArraySpec resolved) throws StoreException {
        try {
            return n5.getConvertedDatasetAttributes(location.dialect().dataset(location, resolved, compression));
        } catch (RuntimeException e) {
            throw new StoreException(
                    location + ": n5 cannot create a dataset for " + resolved + ": " + StoreException.reason(e), e);
        }
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        requireRoot(path);
        ArraySpec resolved = resolve(spec);
        DatasetAttributes dataset = dataset(resolved);
        requireFree(overwrite);
        location.remove();
        if (!location.dialect().isConcurrent()) {
            dataset = begin(dataset);
        }
        pending = true;
        return new BlockWriter(location, n5, resolved, dataset, new Publication(resolved, dataset));
    }

    /** Refuses a path with data that must not be removed, and a path below a dataset. */
    private void requireFree(boolean overwrite) throws IOException {
        if (pending) {
            throw new StoreException(location + " is being written by this store");
        }
        for (int slash = location.path().indexOf('/');
                slash > 0;
                slash = location.path().indexOf('/', slash + 1)) {
            String parent = location.path().substring(0, slash);
            if (Boolean.TRUE.equals(location.call("look at " + parent, () -> n5.datasetExists(parent)))) {
                throw new StoreException(location + " would be below " + parent + ", which is a dataset");
            }
        }
        if (location.findDataset().isPresent()) {
            if (!overwrite) {
                throw new StoreException(
                        location + " exists; write to another path, or allow it to be replaced with overwrite()");
            }
        } else if (location.exists()) {
            throw new StoreException(
                    location + " is a group, or files that are not a dataset, such as those of a copy that was killed;"
                            + " remove it, or write to another path");
        }
    }

    /** Creates a dataset before its blocks, and marks it as incomplete; {@return its attributes} */
    private DatasetAttributes begin(DatasetAttributes dataset) throws IOException {
        DatasetAttributes result = location.call("create the dataset", () -> {
            int slash = location.path().lastIndexOf('/');
            if (slash > 0) {
                n5.createGroup(location.path().substring(0, slash));
            }
            DatasetAttributes created = n5.createDataset(location.path(), dataset);
            n5.setAttribute(location.path(), N5Dialect.PENDING, true);
            return created;
        });
        return result == null ? dataset : result;
    }

    /** Completes the dataset, or removes it. */
    final class Publication {
        private final DatasetAttributes dataset;
        private final Map<String, @Nullable Object> attributes;
        private boolean created;

        Publication(ArraySpec spec, DatasetAttributes dataset) {
            this.dataset = dataset;
            this.attributes = location.dialect().attributesWithNames(spec);
        }

        void publish() throws IOException {
            JsonObject json = JsonParser.parseString(Json.compact(attributes)).getAsJsonObject();
            location.run("create the dataset", () -> {
                if (location.dialect().isConcurrent() && !created) {
                    n5.createDataset(location.path(), dataset);
                    created = true;
                }
                if (!attributes.isEmpty() && n5 instanceof GsonN5Writer gson) {
                    gson.setAttributes(location.path(), location.dialect().allAttributes(gson, location.path(), json));
                }
                if (!location.dialect().isConcurrent()) {
                    n5.removeAttribute(location.path(), N5Dialect.PENDING);
                }
            });
            pending = false;
        }

        void withdraw() throws IOException {
            try {
                location.remove();
            } finally {
                pending = false;
            }
        }
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        requireRoot(path);
        throw new StoreException(this + " can store one array, but no group; copy a single array to it");
    }

    private void requireRoot(String path) {
        if (!path.isEmpty()) {
            throw new UnsupportedOperationException(this + " can store one array, at its root, and nothing at " + path);
        }
    }

    @Override
    public String identity() {
        return location.identity();
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return location.dataPlaces();
    }

    /** Does nothing, because the caller closes the writer. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
