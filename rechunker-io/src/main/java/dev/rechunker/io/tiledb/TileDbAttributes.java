package dev.rechunker.io.tiledb;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Metadata as attributes, and the other way round.
 *
 * @param values the attributes
 * @param types their types
 * @param omissions sentences for metadata that cannot be attributes
 */
record TileDbAttributes(
        Map<String, @Nullable Object> values, Map<String, AttributeType> types, List<String> omissions) {
    /** The key of the names of attributes whose values are JSON, as they are no numbers or texts. */
    private static final String JSON = "__rechunker.json";

    /** The start of the keys of arrays of numbers, and of the keys of their shapes, as tiledb-py writes them. */
    private static final String NUMPY = "__np_flat_";

    private static final String NUMPY_SHAPE = "__np_shape_";

    /** {@return the attributes that metadata is} */
    static TileDbAttributes of(Map<String, MetadataValue> metadata) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Map<String, AttributeType> types = new LinkedHashMap<>();
        List<String> omissions = new ArrayList<>();
        Set<String> json = json(metadata.get(JSON));
        metadata.forEach((stored, value) -> {
            boolean isShape = stored.startsWith(NUMPY_SHAPE)
                    && metadata.containsKey(NUMPY + stored.substring(NUMPY_SHAPE.length()));
            if (stored.equals(JSON) || isShape) {
                return;
            }
            String key = stored.startsWith(NUMPY) ? stored.substring(NUMPY.length()) : stored;
            Optional<Object> attribute = value.attribute();
            if (attribute.isEmpty()) {
                omissions.add("the metadata \"" + key + "\" has the type "
                        + value.type().name().replaceFirst("^TILEDB_", "")
                        + ", which attributes do not have, and is left out");
            } else if (json.contains(key) && attribute.get() instanceof String text) {
                values.put(key, parsed(text));
            } else {
                values.put(key, attribute.get());
                AttributeType type = value.attributeType();
                if (isNoted(type, attribute.get())) {
                    types.put(key, type);
                }
            }
        });
        return new TileDbAttributes(values, types, omissions);
    }

    /** {@return whether a type says more than the value does} */
    private static boolean isNoted(AttributeType type, Object value) {
        boolean isTextOfNumber = value instanceof String && !type.element().equals(AttributeType.STRING);
        return isTextOfNumber || !type.isUsualFor(value);
    }

    /** Finds what attributes are when they are read again. */
    static void resolve(
            Map<String, @Nullable Object> wanted,
            Map<String, AttributeType> wantedTypes,
            Map<String, @Nullable Object> values,
            Map<String, AttributeType> types) {
        wanted.forEach((key, value) -> {
            Optional<MetadataValue> stored = MetadataValue.of(value, wantedTypes.get(key));
            Object read = stored.flatMap(MetadataValue::attribute).orElse(null);
            values.put(key, read == null ? value : read);
            if (stored.isPresent() && read != null && isNoted(stored.get().attributeType(), read)) {
                types.put(key, stored.get().attributeType());
            }
        });
    }

    /** {@return what a group is when it is read again} Groups have no dimensions. */
    static GroupSpec resolve(GroupSpec group) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Map<String, AttributeType> types = new LinkedHashMap<>();
        resolve(group.attributes(), group.attributeTypes(), values, types);
        return GroupSpec.of(values).withAttributeTypes(types);
    }

    /** {@return the metadata that attributes are} */
    static Map<String, MetadataValue> metadata(
            Map<String, @Nullable Object> attributes, Map<String, AttributeType> types) throws StoreException {
        Map<String, MetadataValue> metadata = new LinkedHashMap<>();
        List<Object> json = new ArrayList<>();
        for (Map.Entry<String, @Nullable Object> attribute : attributes.entrySet()) {
            String key = attribute.getKey();
            Object value = attribute.getValue();
            Optional<MetadataValue> stored = MetadataValue.of(value, types.get(key));
            if (stored.isEmpty()) {
                json.add(key);
            }
            metadata.put(key, stored.isPresent() ? stored.get() : MetadataValue.of(Json.compact(value)));
        }
        if (!json.isEmpty()) {
            metadata.put(JSON, MetadataValue.of(Json.compact(json)));
        }
        return metadata;
    }

    private static Set<String> json(@Nullable MetadataValue names) {
        Set<String> found = new HashSet<>();
        if (names != null
                && names.attribute().orElse("") instanceof String text
                && parsed(text) instanceof List<?> list) {
            list.forEach(name -> found.add(String.valueOf(name)));
        }
        return found;
    }

    private static @Nullable Object parsed(String text) {
        try {
            return JsonParser.value("metadata", text);
        } catch (StoreException e) {
            return text;
        }
    }

    /** {@return a group with the attributes} */
    GroupSpec group() {
        return GroupSpec.of(values).withAttributeTypes(types);
    }
}
