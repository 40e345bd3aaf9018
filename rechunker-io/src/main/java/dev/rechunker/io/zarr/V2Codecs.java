package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.NamedType;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the order, filters and compressor of version 2 and one list of codecs. Order F becomes a first codec
 * {@code transpose} that reverses the axes. In the list, Blosc's shuffle is a name and its type size is always present.
 */
final class V2Codecs {
    /** The sharding codec of version 3, which {@link Codecs} does not contain because it is not a codec of chunks. */
    private static final String SHARDING = "sharding_indexed";

    /** The codecs of the package imagecodecs, in references to TIFF files, whose bytes are those of others. */
    private static final Map<String, String> IMAGE_CODECS =
            Map.of("imagecodecs_zlib", "zlib", "imagecodecs_deflate", "zlib", "imagecodecs_zstd", "zstd");

    private V2Codecs() {}

    /**
     * {@return the codecs in a document, for elements of a type and {@code rank} axes, without the filter that states
     * the type of objects}
     */
    static List<CodecSpec> parse(Document document, DataType elements, int rank) throws StoreException {
        List<CodecSpec> steps = new ArrayList<>();
        String order = document.string("order");
        if (order.equals("F") && rank > 1) {
            steps.add(reversed(rank));
        } else if (!order.equals("C") && !order.equals("F")) {
            throw document.wrong("order", "\"C\" or \"F\"");
        }
        List<?> filters = document.get("filters") == null ? List.of() : document.list("filters");
        DataType type = V3Codecs.codedType(elements);
        for (Object filter : filters) {
            if (elements.isVariable() && filter instanceof Map<?, ?> config && isOfObjects(config.get("id"))) {
                continue;
            }
            CodecSpec step = step(Document.object(document.where() + " filter", filter), type);
            type = typeAfter(step, type);
            steps.add(step);
        }
        if (document.get("compressor") != null) {
            steps.add(step(document.object("compressor"), type));
        }
        return steps;
    }

    private static boolean isOfObjects(@Nullable Object id) {
        return id instanceof String name && name.startsWith("vlen-");
    }

    private static CodecSpec step(Document config, DataType type) throws StoreException {
        CodecSpec step = fromNumcodecs(config.string("id"), config, type);
        boolean isOfReferences =
                Codecs.find(step.name()).filter(CodecInfo::isOnlyInReferences).isPresent();
        if (!isOfReferences && isMissingInZarr2(step, type)) {
            throw config.refuse("is the codec \"" + step.name() + "\" of " + type + ", which Zarr 2 does not have");
        }
        return step;
    }

    /** {@return whether this library knows a codec that numcodecs does not have, so that Zarr 2 cannot have it} */
    private static boolean isMissingInZarr2(CodecSpec step, DataType type) {
        return step.name().equals(SHARDING) || (Codecs.find(step.name()).isPresent() && !isInNumcodecs(step, type));
    }

    /** {@return whether numcodecs has a codec for elements of a type; it rounds only floats to bits} */
    static boolean isInNumcodecs(CodecSpec step, DataType type) {
        return Codecs.find(step.name()).filter(CodecInfo::isInNumcodecs).isPresent()
                && (!step.name().equals("bitround") || type.kind() == DataType.Kind.FLOAT);
    }

    private static boolean isCompressor(CodecSpec step) {
        return Codecs.find(step.name())
                .filter(codec -> codec.kind() == CodecInfo.Kind.COMPRESSOR)
                .isPresent();
    }

    /** {@return the codec of elements of a type with a numcodecs configuration} */
    static CodecSpec fromNumcodecs(String id, Document config, DataType type) throws StoreException {
        Map<String, @Nullable Object> options = new LinkedHashMap<>(config.members());
        options.remove("id");
        if (id.equals("blosc")) {
            options.remove("nthreads");
            CodecSpec blosc = BloscSettings.complete(options, type.itemSize());
            if (blosc.options().get("shuffle") instanceof Number) {
                throw config.wrong("shuffle", "-1, 0, 1 or 2");
            }
            return blosc;
        }
        if (IMAGE_CODECS.containsKey(id)) {
            options.keySet().retainAll(Set.of("level"));
            return new CodecSpec(IMAGE_CODECS.get(id), options);
        }
        if (id.equals("crc32c") && "end".equals(options.get("location"))) {
            options.remove("location"); // the only place in Zarr 3, which has no such setting
        }
        return new CodecSpec(id, options);
    }

    /** {@return the codec {@code transpose} that reverses all axes} */
    static CodecSpec reversed(int rank) {
        List<Long> axes = new ArrayList<>();
        for (long axis = rank - 1L; axis >= 0; axis--) {
            axes.add(axis);
        }
        return CodecSpec.of("transpose").with("order", axes);
    }

    /** {@return the type of the elements that a codec makes from elements of a type} */
    static DataType typeAfter(CodecSpec step, DataType type) {
        Optional<CodecInfo> codec = Codecs.find(step.name());
        if (codec.isPresent() && codec.get().keepsType()) {
            return type;
        }
        List<String> typeOptions = codec.map(CodecInfo::typeOptions).orElse(List.of());
        if (typeOptions.isEmpty()) {
            return DataType.UINT8;
        }
        Object encodedType = typeOptions.stream()
                .filter(step.options()::containsKey)
                .findFirst()
                .map(step.options()::get)
                .orElse(null);
        if (!(encodedType instanceof String name)) {
            return type;
        }
        Optional<DataType> plain =
                V3Types.plain(name).or(() -> NamedType.of(name).map(NamedType::dataType));
        if (plain.isPresent()) {
            return plain.get();
        }
        try {
            return V2Types.parse(new Document(step.name(), Map.of("dtype", name)))
                    .type();
        } catch (StoreException e) {
            return type; // the codec itself refuses its settings
        }
    }

    /**
     * Adds order, filters and compressor to a document.
     *
     * @throws StoreException if version 2 does not have a codec
     */
    static void putCodecs(ArraySpec spec, Map<String, @Nullable Object> document) throws StoreException {
        List<CodecSpec> steps = new ArrayList<>(spec.codecs());
        String order = "C";
        if (!steps.isEmpty() && steps.get(0).name().equals("transpose")) {
            int rank = spec.shape().rank();
            List<Long> axes = V3Codecs.permutation(steps.get(0), rank);
            List<Long> identity = axes.stream().sorted().toList();
            if (!axes.equals(identity) && !axes.equals(V3Codecs.permutation(reversed(rank), rank))) {
                throw new StoreException("Zarr 2 cannot store the codec " + steps.get(0)
                        + ": it has the orders C and F only; write Zarr 3, or leave the codec out");
            }
            order = axes.equals(identity) ? "C" : "F";
            steps.remove(0);
        }
        List<Object> filters = new ArrayList<>();
        if (spec.dataType().isVariable()) {
            filters.add(V2Types.filter(spec.dataType()));
        }
        DataType type = spec.dataType();
        for (CodecSpec step : steps) {
            if (isMissingInZarr2(step, type)) {
                throw new StoreException("Zarr 2 cannot store the codec " + step + " of " + spec.codecs()
                        + "; choose another codec, or write Zarr 3 if it has this one");
            }
            filters.add(toNumcodecs(step, type));
            type = typeAfter(step, type);
        }
        Object compressor = null;
        if (!steps.isEmpty() && isCompressor(steps.get(steps.size() - 1))) {
            compressor = filters.remove(filters.size() - 1);
        }
        document.put("order", order);
        document.put("compressor", compressor);
        document.put("filters", filters.isEmpty() ? null : filters);
    }

    /** {@return the numcodecs configuration of a codec, with its name as {@code id}} */
    private static Map<String, @Nullable Object> toNumcodecs(CodecSpec step, DataType type) {
        Map<String, @Nullable Object> config = new LinkedHashMap<>();
        config.put("id", step.name());
        if (step.name().equals("blosc")) {
            config.putAll(
                    BloscSettings.complete(step.options(), type.itemSize()).options());
            config.remove("typesize"); // numcodecs takes it from the buffer
            BloscSettings.numberShuffle(config);
            return config;
        }
        config.putAll(step.options());
        Codecs.find(step.name()).ifPresent(codec -> {
            codec.completeForNumcodecs(config);
            codec.zarr2Omissions().forEach(config::remove);
        });
        return config;
    }
}
