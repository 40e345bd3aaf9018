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

/** The properties of a kind of container that the N5 API does not unify. */
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
     * {@return whether blocks are values under keys; then several can be read and written at the same time, and can be
     * written before the dataset exists}
     */
    abstract boolean isConcurrent();

    /** {@return whether datasets can have shards} */
    abstract boolean hasShards();

    /** {@return the byte order in which elements are stored if {@code wanted} is requested} */
    abstract ByteOrder byteOrder(ByteOrder wanted);

    /** {@return the byte order of a dataset's elements} */
    abstract ByteOrder byteOrder(DatasetAttributes dataset);

    /** {@return the fill value that is stored if {@code wanted} is requested; empty if it cannot be stored} */
    abstract Optional<FillValue> fill(FillValue wanted, DataType type, ByteOrder order);

    /** {@return the fill value of a dataset, which the N5 API does not provide} */
    abstract FillValue fill(N5Location location, DatasetAttributes dataset, DataType type) throws IOException;

    /** {@return the names of attributes that the format reserves} */
    abstract Set<String> reservedAttributes();

    /** Refuses a dataset that n5 would misinterpret. */
    abstract void requireSupported(N5Location location, DatasetAttributes dataset) throws IOException;

    /** {@return the spec with the names of axes; if they are attributes in the format, those are removed} */
    abstract ArraySpec withAxisNames(ArraySpec spec, DatasetAttributes dataset);

    /** {@return the attributes; with the names of axes if they are attributes in the format} */
    abstract Map<String, @Nullable Object> attributesWithNames(ArraySpec spec);

    /** {@return whether the names of axes of a spec can be stored} */
    abstract boolean canStoreNames(ArraySpec spec);

    /** {@return the attributes with which n5 creates a dataset} */
    abstract DatasetAttributes dataset(N5Location location, ArraySpec spec, Compression compression);

    /** {@return the user's attributes of a dataset} */
    @Nullable
    JsonElement attributes(N5Reader n5, String path) {
        return n5 instanceof GsonN5Reader gson
                ? gson.getAttributes(path)
                : n5.getAttribute(path, "/", JsonElement.class);
    }

    /** {@return the attributes to set in a new dataset: the user's and, if necessary, those that n5 has written} */
    JsonObject allAttributes(GsonN5Reader n5, String path, JsonObject user) {
        return user;
    }

    /** {@return a text as it will be read after it was stored} */
    String storedText(String text) {
        return text;
    }

    /** {@return the spec of a dataset} */
    final ArraySpec spec(N5Location location, DatasetAttributes dataset) throws IOException {
        if (dataset.getDataType() == null || dataset.getNumDimensions() == 0) {
            throw new StoreException(location + " has no axes, or elements of a type that n5 does not know");
        }
        requireSupported(location, dataset);
        DataType type = N5Types.fromN5(location, dataset.getDataType());
        Shape shape = Shape.of(Blocks.reversed(dataset.getDimensions()));
        Map<String, @Nullable Object> attributes = toPlainData(location, attributes(location));
        attributes.keySet().removeAll(reservedAttributes());
        ArraySpec spec = ArraySpec.builder(grid(location, shape, dataset.getChunkSize()), type)
                .shards(dataset.isSharded() ? grid(location, shape, dataset.getBlockSize()) : null)
                .byteOrder(byteOrder(dataset))
                .fillValue(fill(location, dataset, type))
                .attributes(attributes)
                .build();
        return withAxisNames(spec, dataset);
    }

    private @Nullable JsonElement attributes(N5Location location) throws IOException {
        return location.call("read the attributes", () -> attributes(location.n5(), location.path()));
    }

    private static ChunkGrid grid(N5Location location, Shape shape, int[] size) throws StoreException {
        Shape chunk = Blocks.shape(size);
        if (chunk.rank() != shape.rank()) {
            throw new StoreException(location + " has " + shape.rank() + " axes, but blocks of " + chunk.rank());
        }
        return ChunkGrid.regular(shape, chunk.combine(shape, (block, extent) -> Math.max(1, block)));
    }

    /** {@return attributes as plain data} */
    static Map<String, @Nullable Object> toPlainData(Object where, @Nullable JsonElement json) throws StoreException {
        if (json == null || !json.isJsonObject()) {
            return new LinkedHashMap<>();
        }
        return new LinkedHashMap<>(
                JsonParser.object(where.toString(), json.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** {@return a member of a JSON object; null if there is none} */
    static @Nullable JsonElement member(@Nullable JsonElement json, String key) {
        return json instanceof JsonObject object ? object.get(key) : null;
    }
}
