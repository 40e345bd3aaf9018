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

/**
 * A dataset that an {@code N5Writer} makes, as a store of one array, at its root. Closing it leaves the writer open.
 */
final class N5Target implements ChunkStore, FormatRules {
    private final Place place;
    private final N5Writer n5;
    private final Compression compression;
    private final Wanted wanted;
    private volatile boolean pending;

    N5Target(Place place, N5Writer n5, Compression compression) throws StoreException {
        if (place.path().isEmpty()) {
            throw new StoreException(
                    place + " is the root of the container, which is a group; give a path for the dataset below it");
        }
        this.place = place;
        this.n5 = n5;
        this.compression = compression;
        this.wanted = new Wanted(place, n5);
    }

    @Override
    public String name() {
        return place.toString();
    }

    @Override
    public Capabilities capabilities() {
        boolean atOnce = place.dialect().atOnce();
        return Capabilities.ofOneArray()
                .withWritable(true)
                .withConcurrentWriters(atOnce)
                .withRemote(place.isRemote());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty() || pending) {
            return Optional.empty();
        }
        Optional<DatasetAttributes> found = place.dataset();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new ArrayNode(place.dialect().spec(place, found.get())));
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
        return BlockReader.open(place);
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
        return Needs.toWrite(resolved, dataset(resolved), place.dialect());
    }

    /** {@return the attributes that n5 is to write blocks with: this very writer's, and of no other} */
    private DatasetAttributes dataset(ArraySpec resolved) throws StoreException {
        try {
            return n5.getConvertedDatasetAttributes(place.dialect().dataset(place, resolved, compression));
        } catch (RuntimeException e) {
            throw new StoreException(place + ": n5 cannot make " + resolved + " of it: " + e, e);
        }
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        requireRoot(path);
        ArraySpec resolved = resolve(spec);
        DatasetAttributes dataset = dataset(resolved);
        requireFree(overwrite);
        place.remove();
        if (!place.dialect().atOnce()) {
            dataset = begin(dataset);
        }
        pending = true;
        return new BlockWriter(place, n5, resolved, dataset, new Publication(resolved, dataset));
    }

    /** Refuses a place where something is that may not be removed, and one below a dataset. */
    private void requireFree(boolean overwrite) throws IOException {
        if (pending) {
            throw new StoreException(place + " is being written");
        }
        for (int slash = place.path().indexOf('/');
                slash > 0;
                slash = place.path().indexOf('/', slash + 1)) {
            String parent = place.path().substring(0, slash);
            if (Boolean.TRUE.equals(place.ask("look at " + parent, () -> n5.datasetExists(parent)))) {
                throw new StoreException(place + " would be below " + parent + ", which is a dataset");
            }
        }
        if (place.dataset().isPresent()) {
            if (!overwrite) {
                throw new StoreException("there is a dataset at " + place + " already");
            }
        } else if (place.isTaken()) {
            throw new StoreException(
                    "there is a group at " + place
                            + ", or files that are none, such as a copy leaves that is killed; remove it, or give another path");
        }
    }

    /** {@return the attributes of a dataset that is there before its blocks, and marked as not complete} */
    private DatasetAttributes begin(DatasetAttributes dataset) throws IOException {
        DatasetAttributes made = place.ask("make the dataset", () -> {
            int slash = place.path().lastIndexOf('/');
            if (slash > 0) {
                n5.createGroup(place.path().substring(0, slash));
            }
            DatasetAttributes created = n5.createDataset(place.path(), dataset);
            n5.setAttribute(place.path(), N5Dialect.PENDING, true);
            return created;
        });
        return made == null ? dataset : made;
    }

    /** Makes the dataset exist, or everything of it be gone. */
    final class Publication {
        private final DatasetAttributes dataset;
        private final Map<String, @Nullable Object> attributes;
        private boolean made;

        Publication(ArraySpec spec, DatasetAttributes dataset) {
            this.dataset = dataset;
            this.attributes = place.dialect().attributesOf(spec);
        }

        void publish() throws IOException {
            JsonObject said = JsonParser.parseString(Json.compact(attributes)).getAsJsonObject();
            place.tell("make the dataset", () -> {
                if (place.dialect().atOnce() && !made) {
                    n5.createDataset(place.path(), dataset);
                    made = true;
                }
                if (!attributes.isEmpty() && n5 instanceof GsonN5Writer gson) {
                    gson.setAttributes(place.path(), place.dialect().document(gson, place.path(), said));
                }
                if (!place.dialect().atOnce()) {
                    n5.removeAttribute(place.path(), N5Dialect.PENDING);
                }
            });
            pending = false;
        }

        void withdraw() throws IOException {
            try {
                place.remove();
            } finally {
                pending = false;
            }
        }
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        requireRoot(path);
        throw new StoreException(this + " holds one array, and no group; copy one array to it");
    }

    private void requireRoot(String path) {
        if (!path.isEmpty()) {
            throw new UnsupportedOperationException(this + " holds one array, at its root, and nothing at " + path);
        }
    }

    @Override
    public String identity() {
        return place.identity();
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return place.places();
    }

    /** Does nothing: the writer is the caller's. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
