package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.tree.FillAttribute;
import dev.rechunker.io.tree.GroupNotes;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the documents of version 2, {@code .zarray} and {@code .zattrs}, and a spec.
 *
 * <p>Dimension names are in the attribute {@code _ARRAY_DIMENSIONS}, as for xarray. xarray takes the {@code fill_value}
 * of an array with names for its missing value, and shows elements that have it as missing. So the fill value of such
 * an array is written only if it is the missing value, too. An array without names has its fill value in
 * {@code fill_value}, and its missing value in the attribute {@code _FillValue}.
 *
 * <p>Unknown members of {@code .zarray} are ignored, as the specification requires.
 */
final class V2Metadata {
    static final String ARRAY = ".zarray";
    static final String GROUP = ".zgroup";
    static final String ATTRIBUTES = ".zattrs";
    static final String CONSOLIDATED = ".zmetadata";

    private static final String NAMES = "_ARRAY_DIMENSIONS";
    private static final Set<String> MEMBERS = Set.of(
            "zarr_format",
            "shape",
            "chunks",
            "dtype",
            "fill_value",
            "order",
            "compressor",
            "filters",
            "dimension_separator");

    private V2Metadata() {}

    /** {@return the array that the two documents describe} */
    static Layout parse(Document document, Map<String, @Nullable Object> attributes) throws StoreException {
        if (!Long.valueOf(2).equals(document.require("zarr_format"))) {
            throw document.wrong("zarr_format", "2");
        }
        Shape shape = document.shape("shape");
        Shape chunks = document.shape("chunks");
        V2Types.Ordered type = V2Types.parse(document);
        String separator = document.get("dimension_separator") == null ? "." : document.string("dimension_separator");
        if (!Set.of(".", "/").contains(separator)) {
            throw document.wrong("dimension_separator", "\".\" or \"/\"");
        }
        List<CodecSpec> codecs = V2Codecs.parse(document, type.type(), shape.rank());
        FillValue fill = new FillValues(ZarrFormat.V2, type.type(), type.order()).parse(document);
        Map<String, @Nullable Object> rest = NcZarr.withMembers(attributes, document.members());
        List<@Nullable String> names = names(attributes.get(NAMES), shape.rank());
        Map<String, String> hints = new LinkedHashMap<>(Map.of(Hints.FORMAT, "2", Hints.SEPARATOR, separator));
        if (List.of().equals(attributes.get(NAMES)) && shape.rank() == 0) {
            hints.put(ArraySpec.NO_AXES_HINT, "");
        }
        if (!names.isEmpty() || hints.containsKey(ArraySpec.NO_AXES_HINT)) {
            rest.remove(NAMES);
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrids.regular(document, shape, chunks), type.type())
                .byteOrder(type.order())
                .fillValue(fill)
                .codecs(codecs)
                .dimensionNames(names)
                .attributes(rest)
                .hints(hints)
                .build();
        return new Layout(
                withMissingValue(GroupNotes.fromOwn(NcZarr.of(spec))), new ChunkKeys(false, separator), List.of());
    }

    /**
     * {@return the spec of an array with the missing value that its attribute or, with names, its fill value states}
     */
    private static ArraySpec withMissingValue(ArraySpec spec) {
        ArraySpec stated = FillAttribute.fromAttribute(spec);
        return stated.missingValue().isDefined() || !V3Metadata.isNamed(spec)
                ? stated
                : stated.toBuilder().missingValue(stated.fillValue()).build();
    }

    /** {@return the names in a value; empty unless it is a list with one name, or null, for each axis} */
    private static List<@Nullable String> names(@Nullable Object value, int rank) {
        List<@Nullable String> names = new ArrayList<>();
        if (value instanceof List<?> list && list.size() == rank) {
            for (Object name : list) {
                if (name != null && !(name instanceof String)) {
                    return List.of();
                }
                names.add((String) name);
            }
        }
        return names;
    }

    /**
     * {@return the document {@code .zarray} of a spec}
     *
     * @throws StoreException if version 2 cannot store such an array
     */
    static Map<String, @Nullable Object> array(ArraySpec spec) throws StoreException {
        if (spec.shards().isPresent()) {
            throw new StoreException("Zarr 2 has no shards, but shards of "
                    + spec.shards().get().chunkText() + " were requested; write Zarr 3");
        }
        if (!spec.chunks().isRegular()) {
            throw new StoreException("chunks of Zarr 2 all have the same shape, but chunks of "
                    + spec.chunks().chunkText()
                    + " were requested; write Zarr 3, or choose one size for each axis, such"
                    + " as " + spec.chunks().chunkShape());
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 2L);
        document.put("shape", V3Metadata.list(spec.shape()));
        document.put("chunks", V3Metadata.list(spec.chunks().chunkShape()));
        document.put("dtype", V2Types.toJson(spec.dataType(), spec.byteOrder()));
        document.put("fill_value", fillValue(FillAttribute.fromAttribute(spec)));
        V2Codecs.putCodecs(spec, document);
        document.put("dimension_separator", Hints.keys(spec, ZarrFormat.V2).separator());
        return document;
    }

    private static @Nullable Object fillValue(ArraySpec spec) throws StoreException {
        if (!V3Metadata.isNamed(spec)) {
            return new FillValues(ZarrFormat.V2, spec.dataType(), spec.byteOrder()).toJson(spec.fillValue(), false);
        }
        return spec.missingValue().isDefined() ? FillAttribute.of(spec).toPlain() : null;
    }

    /** {@return the document {@code .zattrs} of a spec; empty if there are no attributes} */
    static Map<String, @Nullable Object> attributes(ArraySpec wanted) throws StoreException {
        ArraySpec spec = FillAttribute.fromAttribute(wanted);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        if (V3Metadata.isNamed(spec)) {
            attributes.put(NAMES, spec.dimensionNames());
        } else if (spec.missingValue().isDefined()) {
            attributes.put(FillAttribute.ATTRIBUTE, FillAttribute.of(spec).toPlain());
        }
        return attributes;
    }

    /** {@return the names of members of a document that are not understood} The specification says to ignore them. */
    static Set<String> ignored(Document document) {
        Set<String> names = new TreeSet<>(document.members().keySet());
        names.removeAll(MEMBERS);
        names.removeIf(NcZarr::isMember);
        names.removeIf(name -> name.equals("attributes") && Map.of().equals(document.get(name))); // of VirtualiZarr
        return names;
    }

    /** {@return the document {@code .zgroup}} */
    static Map<String, @Nullable Object> group() {
        return Map.of("zarr_format", 2L);
    }
}
