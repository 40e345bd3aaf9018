package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.tree.FillAttribute;
import dev.rechunker.io.tree.GroupNotes;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the document {@code attributes.json} of an array and its spec, and between N5's order of axes and C
 * order.
 *
 * <p>Members that N5 does not define are the user's attributes. The missing value is the attribute {@code _FillValue},
 * a number, or the text {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}. Dimension names are in the attribute
 * {@code axes}, x first, as for Neuroglancer and TensorStore; an axis without a name is {@code ""}.
 */
final class N5Metadata {
    static final String DOCUMENT = "attributes.json";

    private static final String DOWNSAMPLING = "downsamplingFactors";
    static final String DIMENSIONS = "dimensions";
    private static final String BLOCK_SIZE = "blockSize";
    private static final String DATA_TYPE = "dataType";
    private static final String COMPRESSION = "compression";
    private static final String COMPRESSION_TYPE = "compressionType";
    private static final String CODECS = "codecs";
    private static final String AXES = "axes";

    /** The members that N5 defines for an array, which must not be the names of attributes. */
    private static final Set<String> OWN =
            Set.of(DIMENSIONS, BLOCK_SIZE, DATA_TYPE, COMPRESSION, COMPRESSION_TYPE, CODECS);

    private static final List<DataType> TYPES = List.of(
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.text());

    private N5Metadata() {}

    /**
     * {@return whether a document describes an array}
     *
     * @throws StoreException if it describes only a part of an array, and so neither an array nor a group
     */
    static boolean isArray(Document document) throws StoreException {
        boolean sized = document.has(DIMENSIONS);
        boolean typed = document.has(DATA_TYPE);
        if (sized != typed && describesArray(document)) {
            throw document.refuse("describes an array, but has no \"" + (sized ? DATA_TYPE : DIMENSIONS) + "\"");
        }
        return sized && typed;
    }

    /** {@return whether a document describes an array or a part of one, and so cannot be the document of a group} */
    static boolean describesArray(Document document) {
        boolean sized = document.has(DIMENSIONS);
        boolean typed = document.has(DATA_TYPE);
        boolean encoded = document.has(BLOCK_SIZE) || document.has(COMPRESSION) || document.has(COMPRESSION_TYPE);
        return (sized && typed) || ((sized || typed) && encoded);
    }

    /** {@return the array that a document describes} */
    static ArraySpec parse(Document document) throws StoreException {
        Shape shape = reversed(document.shape(DIMENSIONS));
        Shape block = reversed(document.shape(BLOCK_SIZE));
        if (shape.rank() == 0 || block.rank() != shape.rank()) {
            throw document.refuse("has dimensions " + Json.compact(document.get(DIMENSIONS)) + " and blockSize "
                    + Json.compact(document.get(BLOCK_SIZE))
                    + ", but two lists of the same length, at least 1, are expected");
        }
        if (Arrays.stream(block.toArray()).anyMatch(extent -> extent < 1 || extent > Integer.MAX_VALUE)) {
            throw document.wrong(BLOCK_SIZE, "a list of integers from 1 to 2^31 - 1");
        }
        DataType type = type(document);
        List<@Nullable String> names = names(document.get(AXES), shape.rank());
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(document.members());
        attributes.keySet().removeAll(OWN);
        if (!names.isEmpty()) {
            attributes.remove(AXES);
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, block), type)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .fillValue(zero(type))
                .codecs(codecs(document, encodedSize(type)))
                .dimensionNames(names)
                .attributes(attributes)
                .build();
        return FillAttribute.fromAttribute(GroupNotes.fromOwn(spec));
    }

    private static DataType type(Document document) throws StoreException {
        String name = document.string(DATA_TYPE);
        for (DataType type : TYPES) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        throw document.refuse("has dataType \"" + name + "\", "
                + (name.equals("object") ? "of serialised objects, which is not supported" : "which is unknown"));
    }

    /** {@return the value of elements in blocks that do not exist} */
    private static FillValue zero(DataType type) {
        return type.isVariable() ? FillValue.ofContents(new byte[0]) : FillValue.zero(type.itemSize());
    }

    /** {@return the size of what is encoded: elements, or the bytes of texts} */
    private static int encodedSize(DataType type) {
        return type.isVariable() ? 1 : type.itemSize();
    }

    private static boolean isSupported(DataType type) {
        return type.isVariable() ? type.kind() == DataType.Kind.TEXT : TYPES.contains(type);
    }

    private static List<CodecSpec> codecs(Document document, int itemSize) throws StoreException {
        if (document.has(CODECS)) {
            throw document.refuse("has the member \"" + CODECS + "\", which is not supported in N5");
        }
        if (document.get(COMPRESSION) == null && document.get(COMPRESSION_TYPE) != null) {
            Map<String, @Nullable Object> old = Map.of("type", document.string(COMPRESSION_TYPE));
            return N5Codecs.parse(new Document(document.where() + " " + COMPRESSION_TYPE, old), itemSize);
        }
        return N5Codecs.parse(document.object(COMPRESSION), itemSize);
    }

    /** {@return the names in a value, in C order; empty unless it is a list with one string for each axis} */
    private static List<@Nullable String> names(@Nullable Object value, int rank) {
        List<@Nullable String> names = new ArrayList<>();
        if (value instanceof List<?> list && list.size() == rank) {
            for (Object name : list) {
                if (!(name instanceof String text)) {
                    return List.of();
                }
                names.add(text.isEmpty() ? null : text);
            }
        }
        Collections.reverse(names);
        return names;
    }

    /**
     * {@return the spec that a reader returns after this one was stored, in a group or in none}
     *
     * @throws StoreException if N5 cannot store such an array
     */
    static ArraySpec stored(String where, ArraySpec spec) throws StoreException {
        byte[] document = Json.document(print(GroupNotes.withOwn(spec)));
        ArraySpec stored = parse(new Document(where, JsonParser.object(where, document)));
        return spec.dataType().isVariable()
                ? stored.toBuilder().dataType(spec.dataType()).build()
                : stored;
    }

    /**
     * {@return the document of a spec}
     *
     * @throws StoreException if N5 cannot store such an array
     */
    static Map<String, @Nullable Object> print(ArraySpec wanted) throws StoreException {
        ArraySpec spec = FillAttribute.fromAttribute(wanted);
        requireSupported(spec);
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put(DIMENSIONS, list(spec.shape()));
        document.put(BLOCK_SIZE, list(spec.chunks().chunkShape()));
        document.put(DATA_TYPE, spec.dataType().name());
        document.put(COMPRESSION, N5Codecs.print(spec.codecs(), encodedSize(spec.dataType())));
        document.putAll(spec.attributes());
        if (spec.missingValue().isDefined()) {
            document.put(FillAttribute.ATTRIBUTE, FillAttribute.of(spec).toPlain());
        }
        Object axes = spec.attributes().get(AXES);
        boolean free = axes == null || !names(axes, spec.shape().rank()).isEmpty();
        if (!spec.dimensionNames().isEmpty() && free) {
            List<String> names = new ArrayList<>();
            spec.dimensionNames().forEach(name -> names.add(0, name == null ? "" : name));
            document.put(AXES, names);
        }
        return document;
    }

    private static void requireSupported(ArraySpec spec) throws StoreException {
        if (spec.shards().isPresent()) {
            throw new StoreException("N5 has no shards, but shards of "
                    + spec.shards().get().chunkShape() + " were requested; request none");
        }
        if (!spec.chunks().isRegular()) {
            throw new StoreException("all blocks of N5 have the same size, but blocks of "
                    + spec.chunks().chunkText() + " were requested; choose one size for each axis, such as "
                    + spec.chunks().chunkShape());
        }
        if (spec.shape().rank() == 0) {
            throw new UnsupportedArrayException("N5 has no arrays without axes");
        }
        if (!isSupported(spec.dataType())) {
            throw new UnsupportedArrayException("N5 has no elements of type " + spec.dataType() + "; it has " + TYPES);
        }
        FillValue zero = zero(spec.dataType());
        if (spec.fillValue().isDefined() && !spec.fillValue().equals(zero)) {
            throw new StoreException("the fill value of N5 is zero, but " + spec.fillValue() + " was requested");
        }
        for (String name : spec.attributes().keySet()) {
            if (OWN.contains(name)) {
                throw new StoreException("N5 cannot store the attribute \"" + name
                        + "\", because it uses that name itself; rename or remove the attribute");
            }
        }
    }

    /**
     * {@return the spec of an array of any format, changed so that {@link #print} accepts it, as far as N5 can store
     * it; levels of pyramids get the factors that viewers of N5 expect}
     */
    static ArraySpec adopt(ArraySpec foreign) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(foreign.attributes());
        attributes.keySet().removeAll(OWN);
        String factors = foreign.hints().get(ArraySpec.LEVEL_FACTORS_HINT);
        if (factors != null) {
            List<Object> xFirst = new ArrayList<>();
            for (String factor : factors.split(",", -1)) {
                xFirst.add(0, Long.valueOf(factor));
            }
            attributes.put(DOWNSAMPLING, xFirst);
        }
        return foreign.toBuilder()
                .shards(null)
                .chunks(foreign.chunks().toRegular())
                .codecs(N5Codecs.adopt(foreign))
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .fillValue(zero(foreign.dataType()))
                .attributes(attributes)
                .build();
    }

    /** {@return the extents in N5's order} */
    static List<Long> list(Shape shape) {
        List<Long> extents = new ArrayList<>();
        for (long extent : shape.toArray()) {
            extents.add(0, extent);
        }
        return extents;
    }

    private static Shape reversed(Shape shape) {
        long[] extents = shape.toArray();
        for (int i = 0; i < extents.length; i++) {
            extents[i] = shape.extent(extents.length - 1 - i);
        }
        return Shape.of(extents);
    }
}
