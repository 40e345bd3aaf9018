package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.io.hdf5.format.StoredText;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the attributes of an object.
 *
 * <p>What HDF5 has no type for goes, together, as JSON into one text attribute, {@code N5_JSON_ROOT}, where the HDF5
 * backend of N5 looks for it. Names of axes are dimension labels: the attribute {@code DIMENSION_LABELS} of HDF5's
 * dimension scales; those that {@link DimensionScales} says need none.
 */
final class AttributeWriter {
    /** NetCDF refuses a file in which this is of another type than the variable. */
    private static final String FILL_VALUE = "_FillValue";

    private AttributeWriter() {}

    /**
     * {@return the attributes of an array as they are read back once they are stored}
     *
     * <p>What {@link Conventions} hides is left out. A fill value for netCDF is rounded to the type of the elements.
     * Where that is another way to write the same number, it stays as it was given.
     */
    static Map<String, @Nullable Object> kept(Map<String, ? extends @Nullable Object> attributes, DataType elements) {
        Map<String, @Nullable Object> kept = Conventions.user(attributes);
        if (kept.get(FILL_VALUE) instanceof Number given) {
            kept.put(FILL_VALUE, AttributeValue.asElement(given, elements));
        }
        return kept;
    }

    /**
     * Adds attributes to the header of an object.
     *
     * @param where names the object in messages
     * @param elements what the elements of an array are, of which netCDF wants its fill value to be; null for a group
     * @throws StoreException if there is one that cannot be stored, naming it
     */
    static void put(
            HeaderBuilder header,
            String where,
            Map<String, ? extends @Nullable Object> attributes,
            @Nullable DataType elements,
            List<? extends @Nullable String> labels,
            TextSink texts)
            throws IOException {
        boolean isLabelled = labels.stream().anyMatch(label -> label != null);
        if (isLabelled) {
            for (String label : labels) {
                if (label != null && !StoredText.isStorable(label)) {
                    throw new StoreException(where + " has an axis with a name that is no text in UTF-8: " + label);
                }
            }
            header.attribute(where, Conventions.LABELS, AttributeValue.ofTexts(labels, texts));
        }
        Map<String, @Nullable Object> rest = new LinkedHashMap<>();
        for (Map.Entry<String, ? extends @Nullable Object> attribute : attributes.entrySet()) {
            String name = attribute.getKey();
            Optional<AttributeValue> value = Optional.empty();
            if (name.equals(FILL_VALUE) && elements != null && attribute.getValue() instanceof Number number) {
                value = AttributeValue.ofElement(number, elements);
            }
            if (value.isEmpty() && !name.isEmpty() && StoredText.isStorable(name)) {
                value = AttributeValue.of(attribute.getValue(), texts);
            }
            if (value.isPresent()) {
                header.attribute(where, name, value.get());
            } else {
                rest.put(name, attribute.getValue());
            }
        }
        if (!rest.isEmpty()) {
            if (attributes.containsKey(Conventions.N5_JSON)) {
                throw new StoreException(where + " has an attribute \"" + Conventions.N5_JSON
                        + "\", which is needed for attributes that HDF5 has no type for: " + rest.keySet()
                        + "; rename or remove it");
            }
            AttributeValue json = AttributeValue.of(json(where, rest), texts).orElseThrow();
            header.attribute(where, Conventions.N5_JSON, json);
        }
    }

    private static String json(String where, Map<String, ? extends @Nullable Object> attributes) throws StoreException {
        try {
            return Json.compact(attributes);
        } catch (StoreException e) {
            throw new StoreException(where + ", attributes " + attributes.keySet() + ": " + e.getMessage(), e);
        }
    }
}
