package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.tiledb.StoredSchema.Cells;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreException;
import io.tiledb.java.api.TileDBError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An array of TileDB.
 *
 * @param metadata its metadata by key
 */
record TileDbArray(Path directory, StoredSchema schema, Map<String, MetadataValue> metadata) implements TileDbItem {
    /** The start of keys of metadata that belongs to one attribute, before its name, as TileDB-CF writes them. */
    private static final String OF_ATTRIBUTE = "__tiledb_attr.";

    /** The key of the value of elements without data, as in netCDF. */
    static final String MISSING = "_FillValue";

    static TileDbArray read(Native context, Path directory, String name, long time) throws IOException {
        try (OpenArray array = OpenArray.read(context, directory, name, time)) {
            return new TileDbArray(directory, StoredSchema.of(array, name), array.metadata());
        } catch (TileDBError e) {
            throw Native.failure(name, e);
        }
    }

    /** {@return the array that an attribute is} */
    ArraySpec spec(String attribute) {
        Cells cells = Objects.requireNonNull(schema.arrays().get(attribute));
        Map<String, MetadataValue> own = new LinkedHashMap<>(schema.isOne() ? metadata : of(attribute));
        MetadataValue missing = own.get(MISSING);
        FillValue missingValue = FillValue.UNDEFINED;
        if (missing != null
                && missing.type() == cells.type().type()
                && missing.bytes().length == cells.spec().dataType().itemSize()) {
            missingValue = FillValue.of(missing.bytes());
            own.remove(MISSING);
        }
        TileDbAttributes stored = TileDbAttributes.of(own);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(stored.values());
        Map<String, AttributeType> types = new LinkedHashMap<>(stored.types());
        List<Object> starts = new ArrayList<>();
        schema.axes().forEach(axis -> starts.add(axis.start()));
        if (starts.stream().anyMatch(start -> !start.equals(0L))) {
            attributes.put(TileDb.DOMAIN_START, starts);
            types.remove(TileDb.DOMAIN_START);
        }
        return cells.spec().toBuilder()
                .missingValue(missingValue)
                .attributes(attributes)
                .attributeTypes(types)
                .build();
    }

    private Map<String, MetadataValue> of(String attribute) {
        String prefix = OF_ATTRIBUTE + attribute + ".";
        Map<String, MetadataValue> own = new LinkedHashMap<>();
        metadata.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                own.put(key.substring(prefix.length()), value);
            }
        });
        return own;
    }

    @Override
    public GroupSpec group() {
        return ofArray().group();
    }

    /** {@return the metadata of the array as a whole} */
    private TileDbAttributes ofArray() {
        Map<String, MetadataValue> own = new LinkedHashMap<>(metadata);
        schema.arrays()
                .keySet()
                .forEach(name ->
                        own.keySet().removeIf(key -> !schema.isOne() && key.startsWith(OF_ATTRIBUTE + name + ".")));
        return TileDbAttributes.of(own);
    }

    @Override
    public Map<String, Path> members() {
        return Map.of();
    }

    @Override
    public List<String> omissions() {
        List<String> omissions = new ArrayList<>(schema.omissions());
        omissions.addAll(ofArray().omissions());
        return omissions;
    }

    /** {@return a reader of an attribute, with a context of its own that limits its memory} */
    ArrayReader openReader(String attribute, String name, long time) throws IOException {
        return openReader(attribute, name, time, Optional.empty());
    }

    /**
     * {@return a reader of an attribute}
     *
     * @param counted the fragments by which a plan has counted memory; empty to count those that there are
     */
    ArrayReader openReader(String attribute, String name, long time, Optional<Fragments> counted) throws IOException {
        ArraySpec spec = spec(attribute);
        Fragments fragments;
        try (Native first = Native.open(TileDbStore.BUDGET)) {
            fragments = Native.call(name, () -> Fragments.of(first, directory, schema.axes()));
        }
        Native own = Native.open(TileDbReader.budget(spec, fragments));
        try {
            OpenArray array = OpenArray.read(own, directory, name, time);
            return new TileDbReader(name, own, array, attribute, schema.axes(), spec, counted.orElse(fragments));
        } catch (StoreException | RuntimeException e) {
            own.close();
            throw e;
        }
    }
}
