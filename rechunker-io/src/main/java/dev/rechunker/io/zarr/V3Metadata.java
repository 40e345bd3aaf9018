package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
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

/** Converts between the document of version 3, {@code zarr.json}, and a spec. */
final class V3Metadata {
    static final String DOCUMENT = "zarr.json";
    static final String CONSOLIDATED = "consolidated_metadata";

    private static final Set<String> OF_ARRAYS = Set.of(
            "zarr_format",
            "node_type",
            "shape",
            "data_type",
            ChunkGrids.MEMBER,
            "chunk_key_encoding",
            "fill_value",
            "codecs",
            "attributes",
            "dimension_names",
            "storage_transformers",
            CONSOLIDATED);
    private static final Set<String> OF_GROUPS = Set.of("zarr_format", "node_type", "attributes", CONSOLIDATED);
    private static final String SHARDING = "sharding_indexed";

    private V3Metadata() {}

    /** {@return whether a document describes an array; otherwise it describes a group} */
    static boolean isArray(Document document) throws StoreException {
        if (!Long.valueOf(3).equals(document.require("zarr_format"))) {
            throw document.wrong("zarr_format", "3");
        }
        return switch (document.string("node_type")) {
            case "array" -> true;
            case "group" -> false;
            default -> throw document.wrong("node_type", "\"array\" or \"group\"");
        };
    }

    /** {@return the attributes of a group or array} */
    static Map<String, @Nullable Object> attributes(Document document) throws StoreException {
        return document.get("attributes") == null
                ? Map.of()
                : document.object("attributes").members();
    }

    /** {@return the attributes of a group, after its document was checked} */
    static Map<String, @Nullable Object> groupAttributes(Document document) throws StoreException {
        document.allowOnly(OF_GROUPS);
        return attributes(document);
    }

    /** {@return the names of members of a document that need not be understood, and are not} */
    static Set<String> ignored(Document document) throws StoreException {
        Set<String> names = new TreeSet<>(document.members().keySet());
        names.removeAll(isArray(document) ? OF_ARRAYS : OF_GROUPS);
        if (document.get("storage_transformers") instanceof List<?> transformers && !transformers.isEmpty()) {
            names.add("storage_transformers");
        }
        return names;
    }

    /** {@return the array that a document describes} */
    static Layout parse(Document document) throws StoreException {
        document.allowOnly(OF_ARRAYS);
        requireNoTransformers(document);
        Shape shape = document.shape("shape");
        ChunkGrid units = ChunkGrids.parse(document, shape);
        ChunkKeys keys = keys(document);
        List<ShardLevel> levels = new ArrayList<>();
        List<Document> codecs = V3Codecs.extensions(document, "codecs");
        ChunkGrid chunks = units;
        while (codecs.stream().anyMatch(V3Metadata::isSharding)) {
            Document settings = V3Codecs.settings(codecs.get(0));
            if (codecs.size() > 1) {
                throw document.refuse("has other codecs in addition to " + SHARDING + ", which is not supported");
            }
            settings.allowOnly(Set.of("chunk_shape", "codecs", "index_codecs", "index_location"));
            Shape inner = settings.shape("chunk_shape");
            levels.add(level(settings, chunks, inner));
            chunks = ChunkGrids.regular(document, shape, inner);
            codecs = V3Codecs.extensions(settings, "codecs");
        }
        DataType type = V3Types.parse(document, V3Codecs.statedOrder(codecs));
        V3Codecs.Parsed parsed = V3Codecs.parse(document, codecs, type, shape.rank());
        Map<String, String> hints = new LinkedHashMap<>();
        hints.put(Hints.FORMAT, "3");
        hints.put(Hints.SEPARATOR, keys.separator());
        if (!keys.prefixed()) {
            hints.put(Hints.KEYS, "v2");
        }
        if (!levels.isEmpty()) {
            hints.put(Hints.INDEX, levels.get(0).index().hint());
        }
        if (!units.isRegular()) {
            hints.put(
                    ArraySpec.IRREGULAR_HINT, document.object(ChunkGrids.MEMBER).string("name"));
        }
        if (shape.rank() == 0) { // has the names of all its axes, whether the document lists none or does not list them
            hints.put(ArraySpec.NO_AXES_HINT, "");
        }
        if (V3Types.isRegistered(document, type)) {
            hints.put(Hints.TYPE, Hints.REGISTERED);
        }
        if (!document.has("fill_value")) {
            throw document.refuse("has no \"fill_value\"");
        }
        ArraySpec spec = ArraySpec.builder(chunks, type)
                .shards(levels.isEmpty() ? null : units)
                .byteOrder(parsed.order())
                .fillValue(new FillValues(ZarrFormat.V3, type, parsed.order()).parse(document))
                .codecs(parsed.steps())
                .dimensionNames(names(document, shape.rank()))
                .attributes(attributes(document))
                .hints(hints)
                .build();
        return new Layout(FillAttribute.fromAttribute(GroupNotes.fromOwn(NcZarr.of(spec))), keys, levels);
    }

    private static boolean isSharding(Document codec) {
        return SHARDING.equals(codec.get("name"));
    }

    private static ShardLevel level(Document settings, ChunkGrid outer, Shape inner) throws StoreException {
        try {
            return new ShardLevel(outer, inner, ShardIndex.parse(settings));
        } catch (IllegalArgumentException e) {
            throw new StoreException(settings.where() + ": " + e.getMessage(), e);
        }
    }

    private static void requireNoTransformers(Document document) throws StoreException {
        List<?> transformers =
                document.get("storage_transformers") == null ? List.of() : document.list("storage_transformers");
        for (Object transformer : transformers) {
            boolean ignorable = transformer instanceof Map<?, ?> extension
                    && Boolean.FALSE.equals(extension.get("must_understand"));
            if (!ignorable) {
                throw document.refuse("has the unknown storage transformer " + Json.compact(transformer));
            }
        }
    }

    private static ChunkKeys keys(Document document) throws StoreException {
        Object stated = document.require("chunk_key_encoding");
        Document encoding = Document.object(
                document.where() + " chunk_key_encoding",
                stated instanceof String name ? Map.of("name", name) : stated);
        String name = encoding.string("name");
        if (!name.equals("default") && !name.equals("v2")) {
            throw document.refuse("has the unknown chunk_key_encoding \"" + name + "\"");
        }
        Document settings = V3Codecs.settings(encoding);
        String separator =
                settings.get("separator") == null ? (name.equals("v2") ? "." : "/") : settings.string("separator");
        if (!Set.of(".", "/").contains(separator)) {
            throw settings.wrong("separator", "\".\" or \"/\"");
        }
        return new ChunkKeys(name.equals("default"), separator);
    }

    private static List<@Nullable String> names(Document document, int rank) throws StoreException {
        List<@Nullable String> names = new ArrayList<>();
        if (document.get("dimension_names") != null) {
            for (Object name : document.list("dimension_names")) {
                if (name != null && !(name instanceof String)) {
                    throw document.wrong("dimension_names", "a list of strings and nulls");
                }
                names.add((String) name);
            }
            if (names.size() != rank) {
                throw document.wrong("dimension_names", "one name for each of " + rank + " axes");
            }
        }
        return names;
    }

    /**
     * {@return the document of a spec}
     *
     * @throws StoreException if version 3 cannot store such an array
     */
    static Map<String, @Nullable Object> array(ArraySpec wanted) throws StoreException {
        ArraySpec spec = FillAttribute.fromAttribute(wanted);
        // Before codecs: an unsupported type is the reason to leave an array out.
        boolean registered = Hints.isRegistered(spec);
        Object type = V3Types.toJson(spec.dataType(), registered);
        Map<String, Object> grid = ChunkGrids.toJson(spec);
        ChunkKeys keys = Hints.keys(spec, ZarrFormat.V3);
        List<Object> codecs = V3Codecs.toJson(spec);
        if (spec.shards().isPresent()) {
            Map<String, @Nullable Object> settings = new LinkedHashMap<>();
            settings.put("chunk_shape", list(spec.chunks().chunkShape()));
            settings.put("codecs", codecs);
            ShardIndex.of(spec).putInto(settings);
            codecs = List.of(V3Codecs.extension(SHARDING, settings));
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 3L);
        document.put("node_type", "array");
        document.put("shape", list(spec.shape()));
        document.put("data_type", type);
        document.put(ChunkGrids.MEMBER, grid);
        document.put(
                "chunk_key_encoding",
                V3Codecs.extension(keys.prefixed() ? "default" : "v2", Map.of("separator", keys.separator())));
        FillValues fillValues = new FillValues(ZarrFormat.V3, spec.dataType(), spec.byteOrder());
        document.put("fill_value", fillValues.toJson(spec.fillValue(), registered));
        document.put("codecs", codecs);
        document.put("attributes", attributes(spec));
        if (isNamed(spec)) {
            document.put("dimension_names", spec.dimensionNames());
        }
        return document;
    }

    private static Map<String, @Nullable Object> attributes(ArraySpec spec) throws StoreException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        if (spec.missingValue().isDefined()) {
            attributes.put(FillAttribute.ATTRIBUTE, FillAttribute.of(spec).toXarray());
        }
        return attributes;
    }

    /** {@return whether the names of axes are known; for an array without axes, whether a document lists no names} */
    static boolean isNamed(ArraySpec spec) {
        boolean withoutAxes = spec.shape().rank() == 0 && spec.hints().containsKey(ArraySpec.NO_AXES_HINT);
        return withoutAxes || !spec.dimensionNames().isEmpty();
    }

    static List<Long> list(Shape shape) {
        List<Long> extents = new ArrayList<>();
        for (long extent : shape.toArray()) {
            extents.add(extent);
        }
        return extents;
    }

    /** {@return the document of a group} */
    static Map<String, @Nullable Object> group(Map<String, ? extends @Nullable Object> attributes) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 3L);
        document.put("node_type", "group");
        document.put("attributes", attributes);
        return document;
    }
}
