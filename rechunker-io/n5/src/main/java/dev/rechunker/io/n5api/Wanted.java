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

/** What a container makes of an array that is wanted in it. */
final class Wanted {
    private final Place place;
    private final Dialect dialect;
    private final Gson gson;
    private final boolean isSpoken;

    Wanted(Place place, N5Reader n5) {
        this.place = place;
        this.dialect = place.dialect();
        this.isSpoken = n5 instanceof GsonN5Reader;
        this.gson = n5 instanceof GsonN5Reader spoken ? spoken.getGson() : new GsonBuilder().create();
    }

    /** {@return an array of any format as this container says it; what it cannot say is left out or zero} */
    ArraySpec adopt(ArraySpec foreign) {
        DataType type = foreign.dataType();
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(foreign.attributes());
        attributes.keySet().removeAll(dialect.own());
        ArraySpec turned = turned(foreign);
        FillValue fill = Types.theirs(type)
                .flatMap(known -> dialect.fill(turned.fillValue(), type, turned.byteOrder()))
                .orElse(FillValue.zero(type.itemSize()));
        return turned.toBuilder()
                .shards(dialect.hasShards() ? foreign.shards().orElse(null) : null)
                .fillValue(fill)
                .codecs(List.of())
                .attributes(attributes)
                .hints(hints(foreign))
                .build();
    }

    /** {@return the spec in the byte order that the container takes, fill value and all} */
    private ArraySpec turned(ArraySpec spec) {
        ByteOrder order = dialect.byteOrder(spec.byteOrder());
        return order == spec.byteOrder()
                ? spec
                : spec.toBuilder()
                        .byteOrder(order)
                        .fillValue(spec.fillValue().swapped(spec.dataType().wordSize()))
                        .build();
    }

    /** {@return the format that is asked for, which is refused then, and no other hint} */
    private static Map<String, String> hints(ArraySpec spec) {
        String format = spec.hints().get(ArraySpec.FORMAT_HINT);
        return format == null ? Map.of() : Map.of(ArraySpec.FORMAT_HINT, format);
    }

    /** {@return what the dataset will be} */
    ArraySpec resolve(ArraySpec wanted) throws StoreException {
        DataType type = wanted.dataType();
        require(Types.theirs(type).isPresent(), "elements of type " + type);
        require(wanted.shape().rank() > 0 && !wanted.shape().isEmpty(), "an array without axes or elements");
        require(wanted.chunks().isRegular() && wanted.writeUnits().isRegular(), "irregular chunks");
        require(wanted.shards().isEmpty() || dialect.hasShards(), "shards");
        require(isWhole(wanted), "shards of other than whole chunks");
        require(
                wanted.codecs().isEmpty(),
                "codecs asked for by codec(...); give the compression to N5Arrays.create(writer, path, compression)");
        require(hints(wanted).isEmpty(), "a format asked for by name; it is that of the N5Writer");
        Blocks.requireSize(place, wanted, wanted.writeUnits());
        ArraySpec turned = turned(wanted);
        Optional<FillValue> fill = dialect.fill(turned.fillValue(), type, turned.byteOrder());
        require(fill.isPresent(), "the fill value " + turned.fillValue() + " of " + type);
        for (String name : wanted.attributes().keySet()) {
            require(!dialect.own().contains(name), "an attribute \"" + name + "\", which is the format's own");
        }
        require(
                wanted.attributes().isEmpty() || isSpoken,
                "attributes, as " + place.n5().getClass().getName() + " is no GsonN5Writer");
        return turned.toBuilder()
                .fillValue(fill.orElseThrow())
                .dimensionNames(dialect.hasNames(wanted) ? wanted.dimensionNames() : List.of())
                .attributes(said(wanted.attributes()))
                .hints(Map.of())
                .build();
    }

    private static boolean isWhole(ArraySpec wanted) {
        Shape chunk = wanted.chunks().chunkShape();
        Shape rest = wanted.writeUnits().chunkShape().combine(chunk, Math::floorMod);
        return rest.equals(rest.combine(rest, (extent, same) -> 0));
    }

    private void require(boolean holds, String what) throws StoreException {
        if (!holds) {
            throw new StoreException(place + " cannot hold " + what);
        }
    }

    /** {@return the attributes as the container will say them: many leave nulls out} */
    private Map<String, @Nullable Object> said(Map<String, @Nullable Object> attributes) throws StoreException {
        try {
            String said = gson.toJson(JsonParser.parseString(Json.compact(attributes)));
            return Dialect.plain(place, JsonParser.parseString(dialect.written(said)));
        } catch (RuntimeException e) {
            throw new StoreException(place + " cannot hold the attributes " + attributes + ": " + e.getMessage(), e);
        }
    }
}
