package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecException;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of version 3, to and from a list of steps without {@code bytes}, whose byte order the spec states itself.
 * Codecs that only numcodecs has are stored as {@code numcodecs.zlib} and the like, as zarr-python 3 does.
 */
final class V3Codecs {
    private static final String NUMCODECS = "numcodecs.";
    private static final String TRANSPOSE = "transpose";

    /** A list of steps, and the byte order of the elements that go through it. */
    record Parsed(List<CodecSpec> steps, ByteOrder order) {}

    private V3Codecs() {}

    /** {@return the extensions in a list; a bare string is a name without settings} */
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

    static Document settings(Document extension) throws StoreException {
        return extension.get("configuration") == null
                ? new Document(extension.where(), Map.of())
                : extension.object("configuration");
    }

    static ByteOrder endian(Document step, boolean required) throws StoreException {
        Document settings = settings(step);
        if (settings.get("endian") == null) {
            if (required) {
                throw step.refuse("is the codec \"bytes\" without an endian, which elements of several bytes need");
            }
            return ByteOrder.LITTLE_ENDIAN;
        }
        return switch (settings.string("endian")) {
            case "little" -> ByteOrder.LITTLE_ENDIAN;
            case "big" -> ByteOrder.BIG_ENDIAN;
            default -> throw settings.wrong("endian", "\"little\" or \"big\"");
        };
    }

    /** {@return the steps that a list of codecs without sharding states, in the document of an array} */
    static Parsed parse(Document array, List<Document> codecs, int itemSize, int wordSize, int rank)
            throws StoreException {
        List<CodecSpec> steps = new ArrayList<>();
        ByteOrder order = null;
        int size = itemSize;
        boolean ordered = wordSize > 1;
        for (Document codec : codecs) {
            String name = codec.string("name");
            if (name.equals("bytes")) {
                if (order != null) {
                    throw codec.refuse("has the codec \"bytes\" twice");
                }
                ByteOrder stated = endian(codec, ordered);
                order = ordered ? stated : ByteOrder.LITTLE_ENDIAN;
                continue;
            }
            CodecSpec step = step(codec, name, size, rank);
            if (step == null) {
                continue;
            }
            boolean onArray = step.name().equals(TRANSPOSE) || isArrayFilter(step.name());
            if (onArray != (order == null)) {
                throw codec.refuse("has the codec \"" + name + "\" " + (onArray ? "after" : "before")
                        + " \"bytes\", where it cannot stand");
            }
            size = V2Codecs.sizeAfter(step, size);
            ordered = step.name().equals(TRANSPOSE) ? ordered : size > 1;
            steps.add(step);
        }
        if (order == null) {
            throw array.refuse("has no codec \"bytes\"");
        }
        return new Parsed(order == ByteOrder.BIG_ENDIAN ? ordered(steps, '<', '>') : steps, order);
    }

    private static boolean isArrayFilter(String name) {
        return Codecs.find(name)
                .filter(codec -> codec.kind() == CodecInfo.Kind.ELEMENTS)
                .isPresent();
    }

    private static boolean isStandard(String name) {
        return Codecs.find(name).filter(CodecInfo::isInZarr3).isPresent();
    }

    private static boolean isInNumcodecs(String name) {
        return Codecs.find(name).filter(CodecInfo::isInNumcodecs).isPresent();
    }

    private static @Nullable CodecSpec step(Document codec, String name, int size, int rank) throws StoreException {
        Document settings = settings(codec);
        Map<String, @Nullable Object> options = new LinkedHashMap<>(settings.members());
        if (name.equals(TRANSPOSE)) {
            try {
                return CodecSpec.of(name).with("order", permutation(new CodecSpec(name, options), rank));
            } catch (CodecException e) {
                throw new StoreException(codec.where() + ": " + e.getMessage(), e);
            }
        }
        if (isStandard(name)) {
            if (Boolean.TRUE.equals(options.remove("useZlib"))) {
                throw codec.refuse("is the codec \"" + name + "\" with useZlib, which is not gzip");
            }
            options.remove("nthreads"); // says how it was computed, not what was stored
            return name.equals("blosc") ? BloscSettings.complete(options, size) : new CodecSpec(name, options);
        }
        String filter = name.startsWith(NUMCODECS) ? plain(name) : "";
        if (isInNumcodecs(filter)) {
            return V2Codecs.neutral(filter, settings, size);
        }
        if (Boolean.FALSE.equals(codec.get("must_understand"))) {
            return null;
        }
        throw codec.refuse("has the unknown codec \"" + name + "\"");
    }

    /** {@return a codec by its own name, if it is called as version 3 calls those of numcodecs} */
    static CodecSpec plain(CodecSpec step) {
        return new CodecSpec(plain(step.name()), step.options());
    }

    private static String plain(String name) {
        return name.startsWith(NUMCODECS) ? name.substring(NUMCODECS.length()) : name;
    }

    /** {@return the axes that a transpose step takes in turn} */
    static List<Long> permutation(CodecSpec transpose, int rank) throws CodecException {
        return Arrays.stream(Codecs.transposeOrder(transpose, rank))
                .asLongStream()
                .boxed()
                .toList();
    }

    /** In version 3 filters see native elements and {@code bytes} orders them; a filter's own type follows suit. */
    private static List<CodecSpec> ordered(List<CodecSpec> steps, char from, char to) {
        List<CodecSpec> ordered = new ArrayList<>();
        for (CodecSpec step : steps) {
            Map<String, @Nullable Object> options = new LinkedHashMap<>(step.options());
            options.replaceAll((key, value) ->
                    key.endsWith("type") && value instanceof String type && type.length() > 1 && type.charAt(0) == from
                            ? to + type.substring(1)
                            : value);
            ordered.add(new CodecSpec(step.name(), options));
        }
        return ordered;
    }

    /**
     * {@return what stands in the document for the steps of a spec}
     *
     * @throws StoreException if version 3 cannot express a step where it stands
     */
    static List<Object> print(ArraySpec spec) throws StoreException {
        int size = spec.dataType().itemSize();
        boolean ordered = spec.dataType().wordSize() > 1;
        boolean big = spec.byteOrder() == ByteOrder.BIG_ENDIAN;
        List<Object> codecs = new ArrayList<>();
        boolean onArray = true;
        for (CodecSpec step : big ? ordered(spec.codecs(), '>', '<') : spec.codecs()) {
            boolean filter = isArrayFilter(step.name());
            if (step.name().equals(TRANSPOSE) || filter) {
                if (!onArray) {
                    throw new StoreException("Zarr 3 cannot hold the codec " + step + " where it stands in "
                            + spec.codecs() + ": codecs of elements come before codecs of bytes");
                }
            } else if (onArray) {
                codecs.add(bytes(ordered, big));
                onArray = false;
            }
            codecs.add(codec(step, size));
            int after = V2Codecs.sizeAfter(step, size);
            ordered = (filter && onArray) ? after > 1 : ordered;
            size = after;
        }
        if (onArray) {
            codecs.add(bytes(ordered, big));
        }
        return codecs;
    }

    private static Map<String, @Nullable Object> bytes(boolean ordered, boolean big) {
        return extension("bytes", ordered ? Map.of("endian", big ? "big" : "little") : Map.of());
    }

    private static Map<String, @Nullable Object> codec(CodecSpec step, int size) throws StoreException {
        Map<String, @Nullable Object> options = new LinkedHashMap<>(step.options());
        if (step.name().equals("blosc")) {
            return extension("blosc", BloscSettings.complete(options, size).options());
        }
        CodecInfo codec =
                Codecs.find(step.name()).orElseThrow(() -> new StoreException("Zarr 3 cannot hold the codec " + step));
        if (codec.isInZarr3()) {
            codec.zarr3Defaults().forEach(options::putIfAbsent);
            return extension(step.name(), options);
        }
        if (codec.isInNumcodecs()) {
            return extension(NUMCODECS + step.name(), options);
        }
        throw new StoreException("Zarr 3 cannot hold the codec " + step);
    }

    static Map<String, @Nullable Object> extension(String name, Map<String, ? extends @Nullable Object> settings) {
        Map<String, @Nullable Object> extension = new LinkedHashMap<>();
        extension.put("name", name);
        extension.put("configuration", settings);
        return extension;
    }
}
