package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.CodecException;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.io.json.Document;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the codecs in documents of version 3 and a list of codecs without {@code bytes}, whose byte order is
 * part of the spec. Codecs that only numcodecs has get the prefix {@code numcodecs.} in documents, as in zarr-python 3.
 */
final class V3Codecs {
    private static final String NUMCODECS = "numcodecs.";

    /** The names of codecs in early releases of zarrs begin with this, and the kind of the codec. */
    private static final String ZARRS = "https://codec.zarrs.dev/";

    private static final String TRANSPOSE = "transpose";

    /** The codec {@code packbits} of Zarr 3, which is not that of numcodecs, and stands in place of {@code bytes}. */
    private static final String PACKBITS = "zarr3.packbits";

    /** The level that zlib, numcodecs and N5 call -1. */
    private static final long ZLIB_DEFAULT = 6;

    /** A list of codecs, and the byte order of the elements that they encode. */
    record Parsed(List<CodecSpec> steps, ByteOrder order) {}

    private V3Codecs() {}

    /** {@return the extensions in a list; a string is an extension of that name without settings} */
    static List<Document> extensions(Document document, String key) throws StoreException {
        List<Document> extensions = new ArrayList<>();
        for (Object item : document.list(key)) {
            Object object = item instanceof String name ? Map.of("name", name) : item;
            Document extension = Document.object(document.where() + " " + key, object);
            extension.allowOnly(Set.of("name", "configuration", "must_understand"));
            extensions.add(extension);
        }
        return extensions;
    }

    /** {@return the settings of an extension; empty if it has none} */
    static Document settings(Document extension) throws StoreException {
        return extension.get("configuration") == null
                ? new Document(extension.where(), Map.of())
                : extension.object("configuration");
    }

    /** {@return the byte order of a codec {@code bytes}; little-endian if it has none and {@code required} is false} */
    static ByteOrder endian(Document step, boolean required) throws StoreException {
        Document settings = settings(step);
        if (settings.get("endian") == null) {
            if (required) {
                throw step.refuse(
                        "is the codec \"bytes\" without \"endian\", which is required for elements of more than"
                                + " one byte");
            }
            return ByteOrder.LITTLE_ENDIAN;
        }
        return switch (settings.string("endian")) {
            case "little" -> ByteOrder.LITTLE_ENDIAN;
            case "big" -> ByteOrder.BIG_ENDIAN;
            default -> throw settings.wrong("endian", "\"little\" or \"big\"");
        };
    }

    /** {@return the byte order that the codec {@code bytes} of a list states; little-endian if it states none} */
    static ByteOrder statedOrder(List<Document> codecs) throws StoreException {
        for (Document codec : codecs) {
            if (codec.string("name").equals("bytes")) {
                return endian(codec, false);
            }
        }
        return ByteOrder.LITTLE_ENDIAN;
    }

    /** {@return the codecs, without {@code bytes}, and the byte order in a list without sharding} */
    static Parsed parse(Document array, List<Document> codecs, DataType elements, int rank) throws StoreException {
        List<CodecSpec> steps = new ArrayList<>();
        ByteOrder order = null;
        DataType type = codedType(elements);
        DataType stored = type;
        String serializer = serializer(elements);
        for (Document codec : codecs) {
            String name = codec.string("name");
            if (name.equals(serializer)) {
                if (order != null) {
                    throw codec.refuse("has the codec \"" + serializer + "\" twice");
                }
                boolean ordered = type.wordSize() > 1;
                ByteOrder stated = endian(codec, ordered);
                order = ordered ? stated : ByteOrder.LITTLE_ENDIAN;
                stored = type;
                continue;
            }
            if (name.equals("bytes") && order == null) {
                throw codec.refuse(
                        "has the codec \"bytes\", but elements of variable length need \"" + serializer + "\"");
            }
            CodecSpec step = step(codec, name, type, rank);
            if (step == null) {
                continue;
            }
            step = V3Filters.complete(step, type, stored);
            boolean onArray = step.name().equals(TRANSPOSE) || isArrayFilter(step.name());
            if (onArray != (order == null)) {
                throw codec.refuse("has the codec \"" + name + "\" " + (onArray ? "after" : "before") + " \""
                        + serializer + "\", but it must be " + (onArray ? "before" : "after") + " it");
            }
            if (step.name().equals(PACKBITS)) {
                order = ByteOrder.LITTLE_ENDIAN;
                stored = DataType.UINT8;
            }
            type = V2Codecs.typeAfter(step, type);
            steps.add(step);
        }
        if (order == null) {
            throw array.refuse("has no codec \"" + serializer + "\"");
        }
        // zarr-python stores the numbers of a filter with big-endian types big-endian, whatever "bytes" says.
        boolean big = order == ByteOrder.BIG_ENDIAN || steps.stream().anyMatch(V3Filters::hasBigEndianType);
        return big
                ? new Parsed(V3Filters.withTypeOrder(steps, '<', '>'), ByteOrder.BIG_ENDIAN)
                : new Parsed(steps, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Refuses an array whose fill value cannot be encoded, because chunks at its edge are padded with it, and because
     * other readers encode it when they open the array.
     */
    static void requireFill(String where, ArraySpec spec) throws StoreException {
        List<CodecSpec> steps = spec.codecs().stream()
                .filter(step -> isArrayFilter(step.name()))
                .toList();
        if (steps.isEmpty() || spec.dataType().isVariable()) {
            return;
        }
        int size = spec.dataType().itemSize();
        ElementContext one = new ElementContext(spec.dataType(), spec.byteOrder(), Shape.of(1));
        try (CodecChain chain = Codecs.chain(steps, one)) {
            ByteBuffer fill =
                    ByteBuffer.allocateDirect(size).put(0, spec.fillValue().element(size));
            chain.encode(
                    fill,
                    ByteBuffer.allocateDirect(Math.toIntExact(chain.maxEncodedSize())),
                    Scratch.allocate(Math.toIntExact(chain.encodeNeeds().scratchBytes())));
        } catch (CodecException e) {
            throw new StoreException(
                    where + " cannot be written with its fill value: " + e.getMessage()
                            + "; choose another fill value, or other codecs",
                    e);
        }
    }

    /** {@return the codec that turns elements into bytes} */
    private static String serializer(DataType type) {
        return type.isVariable() ? Codecs.variableLength(type) : "bytes";
    }

    /** {@return the type of the elements that codecs see: those of variable length are bytes} */
    static DataType codedType(DataType type) {
        return type.isVariable() ? DataType.UINT8 : type;
    }

    static boolean isArrayFilter(String name) {
        return Codecs.find(name)
                .filter(codec -> codec.kind() == CodecInfo.Kind.ELEMENTS)
                .isPresent();
    }

    private static boolean isInNumcodecs(String name) {
        return Codecs.find(name).filter(CodecInfo::isInNumcodecs).isPresent();
    }

    private static @Nullable CodecSpec step(Document codec, String name, DataType type, int rank)
            throws StoreException {
        Document settings = settings(codec);
        Map<String, @Nullable Object> options = new LinkedHashMap<>(settings.members());
        if (name.equals(TRANSPOSE)) {
            try {
                return CodecSpec.of(name).with("order", permutation(new CodecSpec(name, options), rank));
            } catch (CodecException e) {
                throw new StoreException(codec.where() + ": " + e.getMessage(), e);
            }
        }
        String unprefixed = name.startsWith(ZARRS) ? name.substring(name.lastIndexOf('/') + 1) : name;
        Optional<CodecInfo> standard = Codecs.findInZarr3(unprefixed);
        if (standard.isPresent()) {
            if (Boolean.TRUE.equals(options.remove("useZlib"))) {
                throw codec.refuse("is the codec \"" + name
                        + "\" with useZlib, which is not supported: its data is zlib, not gzip");
            }
            options.remove("nthreads"); // does not affect the stored bytes
            return name.equals("blosc")
                    ? BloscSettings.complete(options, type.itemSize())
                    : new CodecSpec(standard.get().name(), withTypeName(options));
        }
        String filter = withoutPrefix(unprefixed);
        if (isInNumcodecs(filter)) {
            return V2Codecs.fromNumcodecs(filter, settings, type);
        }
        if (Boolean.FALSE.equals(codec.get("must_understand"))) {
            return null;
        }
        throw codec.refuse(
                "has the codec \"" + name
                        + "\", which is not supported; first write the array with another codec, with the library that wrote it");
    }

    /** {@return options in which a type that is an object is its name, if that is all the object says} */
    private static Map<String, @Nullable Object> withTypeName(Map<String, @Nullable Object> options) {
        if (options.get("data_type") instanceof Map<?, ?> type
                && type.get("name") instanceof String typeName
                && (type.size() == 1 || Map.of().equals(type.get("configuration")))) {
            options.put("data_type", typeName);
        }
        return options;
    }

    /** {@return a codec without the prefix {@code numcodecs.} in its name} */
    static CodecSpec withoutPrefix(CodecSpec step) {
        return new CodecSpec(withoutPrefix(step.name()), step.options());
    }

    private static String withoutPrefix(String name) {
        return name.startsWith(NUMCODECS) ? name.substring(NUMCODECS.length()) : name;
    }

    /** {@return the order of the axes in a codec {@code transpose}} */
    static List<Long> permutation(CodecSpec transpose, int rank) throws CodecException {
        return Arrays.stream(Codecs.transposeOrder(transpose, rank))
                .asLongStream()
                .boxed()
                .toList();
    }

    /**
     * {@return the list of codecs in the document of a spec}
     *
     * <p>Elements of a filter with types are little-endian: of the ways to write others, no two releases of zarr-python
     * read the same.
     *
     * @throws StoreException if version 3 does not have a codec, or not at its position
     */
    static List<Object> toJson(ArraySpec spec) throws StoreException {
        DataType type = codedType(spec.dataType());
        String serializer = serializer(spec.dataType());
        boolean big = spec.byteOrder() == ByteOrder.BIG_ENDIAN
                && spec.codecs().stream().noneMatch(V3Filters::hasTypes);
        List<Object> codecs = new ArrayList<>();
        boolean onArray = true;
        for (CodecSpec step : V3Filters.withTypeOrder(spec.codecs(), '>', '<')) {
            if (step.name().equals(TRANSPOSE) || isArrayFilter(step.name())) {
                if (!onArray) {
                    throw new StoreException("Zarr 3 cannot store the codec " + step + " at its position in "
                            + spec.codecs() + ": codecs of elements come before codecs of bytes");
                }
            } else if (onArray) {
                codecs.add(serializer(serializer, type, big));
                onArray = false;
            }
            codecs.add(codec(step, type));
            onArray &= !step.name().equals(PACKBITS);
            type = V2Codecs.typeAfter(step, type);
        }
        if (onArray) {
            codecs.add(serializer(serializer, type, big));
        }
        return codecs;
    }

    private static Map<String, @Nullable Object> serializer(String name, DataType type, boolean big)
            throws StoreException {
        Optional<ByteOrder> order = V3Records.order(type);
        boolean isBig = order.isPresent() ? order.get() == ByteOrder.BIG_ENDIAN : big;
        return extension(
                name, order.isPresent() || type.wordSize() > 1 ? Map.of("endian", isBig ? "big" : "little") : Map.of());
    }

    private static Map<String, @Nullable Object> codec(CodecSpec step, DataType type) throws StoreException {
        Map<String, @Nullable Object> options = new LinkedHashMap<>(step.options());
        if (step.name().equals("blosc")) {
            return extension(
                    "blosc", BloscSettings.complete(options, type.itemSize()).options());
        }
        CodecInfo codec = Codecs.find(step.name())
                .orElseThrow(
                        () -> new StoreException("Zarr 3 cannot store the codec " + step + "; choose another codec"));
        if (codec.isInZarr3()) {
            codec.zarr3Defaults().forEach(options::putIfAbsent);
            if (step.name().equals("gzip") && Long.valueOf(-1).equals(options.get("level"))) {
                options.put("level", ZLIB_DEFAULT); // the specification has levels from 0 to 9
            }
            return extension(codec.zarr3Name(), options);
        }
        if (codec.isInNumcodecs()) {
            codec.completeForNumcodecs(options);
            return extension(V2Codecs.isInNumcodecs(step, type) ? NUMCODECS + step.name() : step.name(), options);
        }
        throw new StoreException("Zarr 3 cannot store the codec " + step + "; choose another codec");
    }

    /** {@return an extension as it is written to a document} */
    static Map<String, @Nullable Object> extension(String name, Map<String, ? extends @Nullable Object> settings) {
        Map<String, @Nullable Object> extension = new LinkedHashMap<>();
        extension.put("name", name);
        extension.put("configuration", settings);
        return extension;
    }
}
