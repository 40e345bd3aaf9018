package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The order, filters and compressor of version 2, to and from one list of steps. Order F is a first step
 * {@code transpose} with the axes reversed; Blosc's shuffle is a name, and its type size is stated.
 */
final class V2Codecs {
    /** A codec of version 3 that is none of this library's: it is a matter of the whole array there. */
    private static final String SHARDING = "sharding_indexed";

    private V2Codecs() {}

    /** {@return the steps that a document states, for elements of {@code itemSize} bytes and {@code rank} axes} */
    static List<CodecSpec> parse(Document document, int itemSize, int rank) throws StoreException {
        List<CodecSpec> steps = new ArrayList<>();
        String order = document.string("order");
        if (order.equals("F") && rank > 1) {
            steps.add(reversed(rank));
        } else if (!order.equals("C") && !order.equals("F")) {
            throw document.wrong("order", "\"C\" or \"F\"");
        }
        List<?> filters = document.get("filters") == null ? List.of() : document.list("filters");
        int size = itemSize;
        for (Object filter : filters) {
            CodecSpec step = step(Document.object(document.where() + " filter", filter), size);
            size = sizeAfter(step, size);
            steps.add(step);
        }
        if (document.get("compressor") != null) {
            steps.add(step(document.object("compressor"), size));
        }
        return steps;
    }

    private static CodecSpec step(Document config, int itemSize) throws StoreException {
        String id = config.string("id");
        if (isOfOthers(id)) {
            throw config.refuse("is the codec \"" + id + "\", which is not understood in Zarr 2");
        }
        return neutral(id, config, itemSize);
    }

    /** {@return whether a codec is one that is known, and that numcodecs does not have} */
    private static boolean isOfOthers(String name) {
        return name.equals(SHARDING)
                || Codecs.find(name).filter(codec -> !codec.isInNumcodecs()).isPresent();
    }

    private static boolean isCompressor(CodecSpec step) {
        return Codecs.find(step.name())
                .filter(codec -> codec.kind() == CodecInfo.Kind.COMPRESSOR)
                .isPresent();
    }

    /** {@return a step from its settings as numcodecs has them} */
    static CodecSpec neutral(String id, Document config, int itemSize) throws StoreException {
        Map<String, @Nullable Object> options = new LinkedHashMap<>(config.members());
        options.remove("id");
        if (id.equals("blosc")) {
            options.remove("nthreads");
            CodecSpec blosc = BloscSettings.complete(options, itemSize);
            if (blosc.options().get("shuffle") instanceof Number) {
                throw config.wrong("shuffle", "-1, 0, 1 or 2");
            }
            return blosc;
        }
        return new CodecSpec(id, options);
    }

    static CodecSpec reversed(int rank) {
        List<Long> axes = new ArrayList<>();
        for (long axis = rank - 1L; axis >= 0; axis--) {
            axes.add(axis);
        }
        return CodecSpec.of("transpose").with("order", axes);
    }

    /** {@return the size of an element behind a step that elements of {@code size} bytes go through} */
    static int sizeAfter(CodecSpec step, int size) {
        Optional<CodecInfo> codec = Codecs.find(step.name());
        if (codec.isPresent() && codec.get().keepsType()) {
            return size;
        }
        List<String> typeOptions = codec.map(CodecInfo::typeOptions).orElse(List.of());
        if (typeOptions.isEmpty()) {
            return 1;
        }
        Object becomes = typeOptions.stream()
                .filter(step.options()::containsKey)
                .findFirst()
                .map(step.options()::get)
                .orElse(null);
        if (becomes == null) {
            return size;
        }
        try {
            Document named = new Document(step.name(), Map.of("dtype", becomes));
            return V2Types.parse(named).type().itemSize();
        } catch (StoreException e) {
            return size; // the codec refuses its own settings
        }
    }

    /**
     * Adds order, filters and compressor to a document.
     *
     * @throws StoreException if version 2 cannot express a step
     */
    static void print(ArraySpec spec, Map<String, @Nullable Object> document) throws StoreException {
        List<CodecSpec> steps = new ArrayList<>(spec.codecs());
        String order = "C";
        if (!steps.isEmpty() && steps.get(0).name().equals("transpose")) {
            int rank = spec.shape().rank();
            List<Long> axes = V3Codecs.permutation(steps.get(0), rank);
            List<Long> identity = axes.stream().sorted().toList();
            if (!axes.equals(identity) && !axes.equals(V3Codecs.permutation(reversed(rank), rank))) {
                throw new StoreException("Zarr 2 cannot hold the codec " + steps.get(0)
                        + ": it knows the axes in order and reversed; write Zarr 3 or drop the codec");
            }
            order = axes.equals(identity) ? "C" : "F";
            steps.remove(0);
        }
        for (CodecSpec step : steps) {
            if (isOfOthers(step.name())) {
                throw new StoreException("Zarr 2 cannot hold the codec " + step + " among " + spec.codecs()
                        + "; write another codec, or Zarr 3 if it has this one");
            }
        }
        int last = steps.size() - 1;
        Object compressor = null;
        if (last >= 0 && isCompressor(steps.get(last))) {
            compressor = config(steps.remove(last));
        }
        List<Object> filters = new ArrayList<>();
        for (CodecSpec step : steps) {
            filters.add(config(step));
        }
        document.put("order", order);
        document.put("compressor", compressor);
        document.put("filters", filters.isEmpty() ? null : filters);
    }

    /** {@return a step's settings as numcodecs has them, its name being the {@code id}} */
    static Map<String, @Nullable Object> config(CodecSpec step) {
        Map<String, @Nullable Object> config = new LinkedHashMap<>();
        config.put("id", step.name());
        config.putAll(step.options());
        if (step.name().equals("blosc")) {
            config.remove("typesize"); // numcodecs takes that of the buffer
            BloscSettings.numberShuffle(config);
        }
        Codecs.find(step.name()).ifPresent(codec -> codec.zarr2Omissions().forEach(config::remove));
        return config;
    }
}
