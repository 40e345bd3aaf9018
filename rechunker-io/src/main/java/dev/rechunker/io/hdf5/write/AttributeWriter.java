package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.AttributeType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.StoredAttributes;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the attributes of an object.
 *
 * <p>Attributes for which HDF5 has no type are stored together, as a JSON object in the text attribute
 * {@code N5_JSON_ROOT}, which the HDF5 backend of N5 reads. Names of axes are stored in the attribute
 * {@code DIMENSION_LABELS}, unless the array has {@link DimensionScales}.
 */
final class AttributeWriter {
    private AttributeWriter() {}

    /**
     * Adds attributes to the header of an object.
     *
     * @param where names the object in messages
     * @param attributes the values, as {@link StoredAttributes} has them
     * @param types the types of those for which HDF5 has one
     * @throws StoreException if an attribute cannot be stored; the message names the attribute
     */
    static void put(
            HeaderBuilder header,
            String where,
            Map<String, ? extends @Nullable Object> attributes,
            Map<String, AttributeType> types,
            TextSink texts)
            throws IOException {
        Map<String, @Nullable Object> untyped = new LinkedHashMap<>();
        for (Map.Entry<String, ? extends @Nullable Object> attribute : attributes.entrySet()) {
            String name = attribute.getKey();
            AttributeType type = types.get(name);
            if (type == null) {
                untyped.put(name, attribute.getValue());
            } else {
                String what = "attribute \"" + name + "\" of " + where;
                header.addAttribute(where, name, AttributeValue.of(what, attribute.getValue(), type, texts));
            }
        }
        if (!untyped.isEmpty()) {
            if (attributes.containsKey(Conventions.N5_JSON)) {
                throw new StoreException(where + " has an attribute \"" + Conventions.N5_JSON
                        + "\", but that name is used to store attributes for which HDF5 has no type: "
                        + untyped.keySet()
                        + "; rename or remove it");
            }
            AttributeType text = AttributeType.of(AttributeType.STRING, Shape.of());
            header.addAttribute(
                    where, Conventions.N5_JSON, AttributeValue.of(where, json(where, untyped), text, texts));
        }
    }

    /** Adds the names of the axes of an array, if there are any. */
    static void putLabels(HeaderBuilder header, String where, List<? extends @Nullable String> labels, TextSink texts)
            throws IOException {
        if (labels.stream().allMatch(Objects::isNull)) {
            return;
        }
        for (String label : labels) {
            if (label != null && !StoredText.isStorable(label)) {
                throw new StoreException(where + " has an axis whose name cannot be stored as UTF-8: " + label);
            }
        }
        header.addAttribute(where, Conventions.LABELS, AttributeValue.ofTexts(labels, texts));
    }

    private static String json(String where, Map<String, ? extends @Nullable Object> attributes) throws StoreException {
        try {
            return Json.compact(attributes);
        } catch (StoreException e) {
            throw new StoreException(where + ", attributes " + attributes.keySet() + ": " + e.getMessage(), e);
        }
    }
}
