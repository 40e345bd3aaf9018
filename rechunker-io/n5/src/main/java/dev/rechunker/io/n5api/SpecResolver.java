package dev.rechunker.io.n5api;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.StoreException;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.janelia.saalfeldlab.n5.GsonN5Reader;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.jspecify.annotations.Nullable;

/** Converts the specs of requested arrays to specs that a container can store, or refuses them. */
final class SpecResolver {
    private final N5Location location;
    private final Dialect dialect;
    private final Gson gson;
    private final boolean storesAttributes;

    SpecResolver(N5Location location, N5Reader n5) {
        this.location = location;
        this.dialect = location.dialect();
        this.storesAttributes = n5 instanceof GsonN5Reader;
        this.gson = n5 instanceof GsonN5Reader withGson ? withGson.getGson() : new GsonBuilder().create();
    }

    /** {@return a spec that the container can store; properties that it cannot store are left out, or zero} */
    ArraySpec adopt(ArraySpec foreign) {
        DataType type = foreign.dataType();
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(foreign.attributes());
        attributes.keySet().removeAll(dialect.reservedAttributes());
        ArraySpec ordered = inContainerOrder(foreign);
        FillValue fill = N5Types.toN5(type)
                .flatMap(known -> dialect.fill(ordered.fillValue(), type, ordered.byteOrder()))
                .orElse(FillValue.zero(type.itemSize()));
        return ordered.toBuilder()
                .chunks(foreign.chunks().toRegular())
                .shards(dialect.hasShards() ? foreign.shards().orElse(null) : null)
                .fillValue(fill)
                .codecs(List.of())
                .attributes(attributes)
                .hints(hints(foreign))
                .build();
    }

    /** {@return the spec, and its fill value, in the byte order of the container} */
    private ArraySpec inContainerOrder(ArraySpec spec) {
        ByteOrder order = dialect.byteOrder(spec.byteOrder());
        return order == spec.byteOrder()
                ? spec
                : spec.toBuilder()
                        .byteOrder(order)
                        .fillValue(spec.fillValue().swapped(spec.dataType().wordSize()))
                        .build();
    }

    /** {@return only the hint of a requested format, which {@link #resolve} refuses} */
    private static Map<String, String> hints(ArraySpec spec) {
        String format = spec.hints().get(ArraySpec.FORMAT_HINT);
        return format == null ? Map.of() : Map.of(ArraySpec.FORMAT_HINT, format);
    }

    /**
     * {@return the spec of the dataset that will be written}
     *
     * @throws StoreException if the container cannot store the array
     */
    ArraySpec resolve(ArraySpec wanted) throws StoreException {
        DataType type = wanted.dataType();
        require(N5Types.toN5(type).isPresent(), "elements of type " + type);
        require(wanted.shape().rank() > 0 && !wanted.shape().isEmpty(), "an array without axes or elements");
        require(wanted.chunks().isRegular() && wanted.writeUnits().isRegular(), "irregular chunks");
        require(wanted.shards().isEmpty() || dialect.hasShards(), "shards");
        require(isWhole(wanted), "shards that do not consist of whole chunks");
        require(
                wanted.codecs().isEmpty(),
                "codecs of codec(...); leave it out, and pass the compression to N5Arrays.create(writer, path, compression)");
        require(hints(wanted).isEmpty(), "another format than that of the N5Writer; leave out format(...)");
        Blocks.requireSize(location, wanted, wanted.writeUnits());
        ArraySpec ordered = inContainerOrder(wanted);
        Optional<FillValue> fill = dialect.fill(ordered.fillValue(), type, ordered.byteOrder());
        require(fill.isPresent(), "the fill value " + ordered.fillValue() + " of " + type);
        for (String name : wanted.attributes().keySet()) {
            require(
                    !dialect.reservedAttributes().contains(name),
                    "an attribute \"" + name + "\", which the format reserves");
        }
        require(
                wanted.attributes().isEmpty() || storesAttributes,
                "attributes, because " + location.n5().getClass().getName() + " is not a GsonN5Writer");
        return ordered.toBuilder()
                .fillValue(fill.orElseThrow())
                .dimensionNames(dialect.canStoreNames(wanted) ? wanted.dimensionNames() : List.of())
                .attributes(storedAttributes(wanted.attributes()))
                .hints(Map.of())
                .build();
    }

    private static boolean isWhole(ArraySpec wanted) {
        Shape chunk = wanted.chunks().chunkShape();
        Shape rest = wanted.writeUnits().chunkShape().combine(chunk, Math::floorMod);
        return rest.equals(rest.combine(rest, (extent, same) -> 0));
    }

    private void require(boolean condition, String what) throws StoreException {
        if (!condition) {
            throw new StoreException(location + " cannot store " + what);
        }
    }

    /** {@return the attributes as they will be read from the container; many containers drop nulls} */
    private Map<String, @Nullable Object> storedAttributes(Map<String, @Nullable Object> attributes)
            throws StoreException {
        try {
            String json = gson.toJson(JsonParser.parseString(Json.compact(attributes)));
            return Dialect.toPlainData(location, JsonParser.parseString(dialect.storedText(json)));
        } catch (RuntimeException e) {
            throw new StoreException(
                    location + " cannot store the attributes " + attributes + ": " + e.getMessage(), e);
        }
    }
}
