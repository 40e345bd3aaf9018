package dev.rechunker.n5fake;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GsonKeyValueN5Reader;
import org.janelia.saalfeldlab.n5.GsonN5Reader;
import org.janelia.saalfeldlab.n5.N5Exception;

/**
 * A container in memory, with all that n5's readers and writers do.
 *
 * <p>Containers of keys ({@link GsonKeyValueN5Reader}) have a directory for each group and dataset, with no files in
 * it, as n5 is asked for those. Others, as HDF5, refuse two calls at once, and return zeros where no chunk is.
 *
 * <p>It is stricter than n5: attributes of a dataset have to be converted by {@link #getConvertedDatasetAttributes}
 * before chunks are written with them, and a shard is written whole.
 */
public abstract class FakeContainer implements GsonN5Reader {
    private final Path place;
    private final Tree tree;
    private final Gson gson;
    private final boolean keyed;
    private final AtomicInteger callers = new AtomicInteger();
    private volatile boolean closed;

    protected FakeContainer(String place, Gson gson) {
        this.place = Path.of(place).toAbsolutePath();
        this.tree = Tree.at(this.place);
        this.gson = gson;
        this.keyed = this instanceof GsonKeyValueN5Reader;
        createGroup("");
    }

    /** {@return whether chunks are stored in their whole size, even where the dataset ends} */
    protected abstract boolean pads();

    /** {@return the format's own attributes of a dataset, which are among the user's} */
    protected JsonObject own(DatasetAttributes dataset) {
        return new JsonObject();
    }

    /** {@return whether own attributes, if the format has them, are among these} */
    protected boolean hasOwn(JsonObject attributes) {
        return true;
    }

    /** {@return what is left of a text when it is stored} */
    protected String stored(String text) {
        return text;
    }

    @Override
    public Gson getGson() {
        return gson;
    }

    @Override
    public URI getURI() {
        return place.toUri();
    }

    public String absoluteGroupPath(String path) {
        return place.resolve(path).toString();
    }

    @Override
    public boolean exists(String path) {
        return node(path) != null;
    }

    @Override
    public boolean datasetExists(String path) {
        return getDatasetAttributes(path) != null;
    }

    /** {@return the dataset's attributes, or null if there is none} */
    @Override
    public DatasetAttributes getDatasetAttributes(String path) {
        Tree.Node node = node(path);
        return node == null || !hasOwn(node.attributes) ? null : node.dataset;
    }

    /** {@return the attributes, or null if nothing is there} */
    @Override
    public JsonElement getAttributes(String path) {
        Tree.Node node = node(path);
        return node == null ? null : node.attributes.deepCopy();
    }

    @Override
    public <T> T getAttribute(String path, String key, Class<T> type) {
        Tree.Node node = node(path);
        return node == null ? null : gson.fromJson(node.attributes.get(key), type);
    }

    private Tree.Node node(String path) {
        requireOpen();
        synchronized (tree) {
            return tree.nodes.get(path);
        }
    }

    private Tree.Node requireNode(String path) {
        Tree.Node node = node(path);
        if (node == null) {
            throw new N5Exception("there is nothing at " + path);
        }
        return node;
    }

    public <T> void setAttribute(String path, String key, T value) {
        requireNode(path).attributes.add(key, gson.toJsonTree(value));
    }

    public boolean removeAttribute(String path, String key) {
        return requireNode(path).attributes.remove(key) != null;
    }

    /** Replaces all attributes. */
    public void setAttributes(String path, JsonElement attributes) {
        String text = stored(gson.toJson(attributes));
        requireNode(path).attributes = JsonParser.parseString(text).getAsJsonObject();
    }

    /** Makes a group and those above it. */
    public final void createGroup(String path) {
        requireOpen();
        synchronized (tree) {
            tree.nodes.computeIfAbsent("", absent -> new Tree.Node());
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                tree.nodes.computeIfAbsent(path.substring(0, slash), absent -> new Tree.Node());
            }
            tree.nodes.computeIfAbsent(path, absent -> new Tree.Node());
        }
        makeDirectory(path);
    }

    public DatasetAttributes createDataset(String path, DatasetAttributes attributes) {
        DatasetAttributes dataset = getConvertedDatasetAttributes(attributes);
        createGroup(path);
        Tree.Node node = requireNode(path);
        node.dataset = dataset;
        node.attributes = own(dataset);
        return dataset;
    }

    public boolean remove(String path) {
        requireOpen();
        String below = path + "/";
        synchronized (tree) {
            tree.nodes.keySet().removeIf(node -> node.equals(path) || node.startsWith(below));
        }
        tree.chunks.keySet().removeIf(chunk -> chunk.startsWith(below));
        if (keyed) {
            try (Stream<Path> all = Files.walk(place.resolve(path))) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return true;
    }

    /** {@return a copy of the chunk; null if none was written, or zeros if that is not known} */
    @Override
    @SuppressWarnings("unchecked") // the caller's claim
    public <T> DataBlock<T> readChunk(String path, DatasetAttributes dataset, long... position) {
        enter();
        try {
            DataBlock<?> chunk = tree.chunks.get(key(path, position));
            if (chunk != null) {
                return (DataBlock<T>) Blocks.copy(chunk, dataset.getDataType(), chunk.getSize());
            }
            return keyed
                    ? null
                    : (DataBlock<T>)
                            dataset.getDataType().createDataBlock(Blocks.cropped(dataset, position), position.clone());
        } finally {
            callers.decrementAndGet();
        }
    }

    public <T> void writeChunk(String path, DatasetAttributes dataset, DataBlock<T> chunk) {
        if (dataset.isSharded()) {
            throw new N5Exception("a chunk of a shard is written alone");
        }
        write(path, dataset, chunk);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the chunks are only read
    public final <T> void writeChunks(String path, DatasetAttributes dataset, DataBlock<T>... chunks) {
        if (dataset.isSharded()) {
            Blocks.requireWholeShard(dataset, chunks);
        }
        for (DataBlock<T> chunk : chunks) {
            write(path, dataset, chunk);
        }
    }

    private void write(String path, DatasetAttributes dataset, DataBlock<?> chunk) {
        if (getConvertedDatasetAttributes(dataset) != dataset) {
            throw new N5Exception("the attributes of " + path + " are not this container's");
        }
        enter();
        try {
            makeDirectory(path);
            int[] size = pads() ? dataset.getChunkSize() : chunk.getSize();
            tree.chunks.put(key(path, chunk.getGridPosition()), Blocks.copy(chunk, dataset.getDataType(), size));
        } finally {
            callers.decrementAndGet();
        }
    }

    private void enter() {
        requireOpen();
        if (callers.incrementAndGet() > 1 && !keyed) {
            callers.decrementAndGet();
            throw new N5Exception("two threads use a container at once that takes one at a time");
        }
    }

    private static String key(String path, long... position) {
        return path + "/" + Arrays.toString(position);
    }

    private void makeDirectory(String path) {
        if (keyed) {
            try {
                Files.createDirectories(place.resolve(path));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new N5Exception(place + " was closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
