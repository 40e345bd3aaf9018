package dev.rechunker.io.n5api;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GsonKeyValueN5Reader;
import org.janelia.saalfeldlab.n5.GsonN5Reader;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.jspecify.annotations.Nullable;

/** What a kind of container says of its datasets in its own way, which the N5 API does not make the same for all. */
abstract class Dialect {
    /** {@return the dialect of a container} */
    static Dialect of(N5Reader n5) {
        for (Class<?> type = n5.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals("org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3KeyValueReader")) {
                return new Zarr3Dialect();
            }
            if (type.getName().equals("org.janelia.saalfeldlab.n5.zarr.ZarrKeyValueReader")) {
                return new Zarr2Dialect();
            }
        }
        return new N5Dialect(n5 instanceof GsonKeyValueN5Reader);
    }

    abstract boolean isZarr();

    /**
     * {@return whether blocks are values under keys: then several are read and written at once, and before there is a
     * dataset}
     */
    abstract boolean atOnce();

    /** {@return whether it has shards} */
    abstract boolean hasShards();

    /** {@return the byte order in which elements are stored, if that is wanted} */
    abstract ByteOrder byteOrder(ByteOrder wanted);

    /** {@return the byte order of a dataset's elements} */
    abstract ByteOrder byteOrder(DatasetAttributes dataset);

    /** {@return the fill value that a dataset will have if this is wanted; empty if it cannot have it} */
    abstract Optional<FillValue> fill(FillValue wanted, DataType type, ByteOrder order);

    /** {@return the fill value of a dataset, which n5 itself does not say} */
    abstract FillValue fill(Place place, DatasetAttributes dataset, DataType type) throws IOException;

    /** {@return the attributes that are the format's own} */
    abstract Set<String> own();

    /** Refuses what n5 takes for something else. */
    abstract void requireUnderstood(Place place, DatasetAttributes dataset) throws IOException;

    /**
     * Takes the names of axes out of the attributes, where the format has them there.
     *
     * @return the array with them
     */
    abstract ArraySpec named(ArraySpec spec, DatasetAttributes dataset);

    /** {@return the attributes with the names of axes, where the format has them there} */
    abstract Map<String, @Nullable Object> attributesOf(ArraySpec spec);

    /** {@return whether names of axes can be said} */
    abstract boolean hasNames(ArraySpec spec);

    /** {@return what n5 is to make} */
    abstract DatasetAttributes dataset(Place place, ArraySpec spec, Compression compression);

    /** {@return the user's attributes of a dataset} */
    @Nullable
    JsonElement attributes(N5Reader n5, String path) {
        return n5 instanceof GsonN5Reader gson
                ? gson.getAttributes(path)
                : n5.getAttribute(path, "/", JsonElement.class);
    }

    /** {@return all attributes of a new dataset, of which n5 has said its own, if the user's are these} */
    JsonObject document(GsonN5Reader n5, String path, JsonObject user) {
        return user;
    }

    /** {@return what is left of a text when it is stored} */
    String written(String text) {
        return text;
    }

    /** {@return a dataset as an array} */
    final ArraySpec spec(Place place, DatasetAttributes dataset) throws IOException {
        if (dataset.getDataType() == null || dataset.getNumDimensions() == 0) {
            throw new StoreException(place + " has no axes, or elements of a type that n5 does not name");
        }
        requireUnderstood(place, dataset);
        DataType type = Types.ours(place, dataset.getDataType());
        Shape shape = Shape.of(Blocks.reversed(dataset.getDimensions()));
        Map<String, @Nullable Object> attributes = plain(place, attributes(place));
        attributes.keySet().removeAll(own());
        ArraySpec spec = ArraySpec.builder(grid(place, shape, dataset.getChunkSize()), type)
                .shards(dataset.isSharded() ? grid(place, shape, dataset.getBlockSize()) : null)
                .byteOrder(byteOrder(dataset))
                .fillValue(fill(place, dataset, type))
                .attributes(attributes)
                .build();
        return named(spec, dataset);
    }

    private @Nullable JsonElement attributes(Place place) throws IOException {
        return place.ask("read the attributes", () -> attributes(place.n5(), place.path()));
    }

    private static ChunkGrid grid(Place place, Shape shape, int[] size) throws StoreException {
        Shape chunk = Blocks.shape(size);
        if (chunk.rank() != shape.rank()) {
            throw new StoreException(place + " has " + shape.rank() + " axes, but blocks of " + chunk.rank());
        }
        return ChunkGrid.regular(shape, chunk.combine(shape, (block, extent) -> Math.max(1, block)));
    }

    /** {@return attributes as plain data} */
    static Map<String, @Nullable Object> plain(Object where, @Nullable JsonElement json) throws StoreException {
        if (json == null || !json.isJsonObject()) {
            return new LinkedHashMap<>();
        }
        return new LinkedHashMap<>(
                JsonParser.object(where.toString(), json.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** {@return an attribute of any kind of container} */
    static @Nullable JsonElement member(@Nullable JsonElement json, String key) {
        return json instanceof JsonObject object ? object.get(key) : null;
    }
}
