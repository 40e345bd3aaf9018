package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
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
 * <p>Attributes for which HDF5 has no type are stored together, as a JSON object in the text attribute
 * {@code N5_JSON_ROOT}, which the HDF5 backend of N5 reads. Names of axes are stored in the attribute
 * {@code DIMENSION_LABELS}, unless the array has {@link DimensionScales}.
 */
final class AttributeWriter {
    /** The fill value of a netCDF variable. NetCDF refuses a file in which its type is not that of the variable. */
    static final String FILL_VALUE = "_FillValue";

    private AttributeWriter() {}

    /**
     * {@return the attributes of an array as a reader returns them after they are stored}
     *
     * <p>Attributes that are internal to the file format are left out, and so is an attribute in whose place the
     * missing value is. A fill value for netCDF is rounded to the type of the elements, unless that only changes how
     * the same number is written.
     */
    static Map<String, @Nullable Object> storedAttributes(ArraySpec spec) {
        Map<String, @Nullable Object> storedAttributes = Conventions.user(spec.attributes());
        if (spec.missingValue().isDefined()) {
            storedAttributes.remove(FILL_VALUE);
        } else if (storedAttributes.get(FILL_VALUE) instanceof Number given) {
            storedAttributes.put(FILL_VALUE, AttributeValue.asElement(given, spec.dataType()));
        }
        return storedAttributes;
    }

    /**
     * Adds attributes to the header of an object.
     *
     * @param where names the object in messages
     * @param elements the type of the elements of an array, which netCDF requires for the fill value; null for a group
     * @throws StoreException if an attribute cannot be stored; the message names the attribute
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
                    throw new StoreException(where + " has an axis whose name cannot be stored as UTF-8: " + label);
                }
            }
            header.addAttribute(where, Conventions.LABELS, AttributeValue.ofTexts(labels, texts));
        }
        Map<String, @Nullable Object> untyped = new LinkedHashMap<>();
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
                header.addAttribute(where, name, value.get());
            } else {
                untyped.put(name, attribute.getValue());
            }
        }
        if (!untyped.isEmpty()) {
            if (attributes.containsKey(Conventions.N5_JSON)) {
                throw new StoreException(where + " has an attribute \"" + Conventions.N5_JSON
                        + "\", but that name is used to store attributes for which HDF5 has no type: "
                        + untyped.keySet()
                        + "; rename or remove it");
            }
            AttributeValue json = AttributeValue.of(json(where, untyped), texts).orElseThrow();
            header.addAttribute(where, Conventions.N5_JSON, json);
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
