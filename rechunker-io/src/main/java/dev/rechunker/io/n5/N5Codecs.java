package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.codec.CodecException;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.io.codec.N5Compression;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code compression} of an array, to and from at most one step. What is not stated has the value that n5
 * takes then. Blosc's type size is always that of the elements: n5-blosc states 1, with which its shuffle does nothing.
 */
final class N5Codecs {
    private static final String RAW = "raw";
    private static final String GZIP = "gzip";
    private static final String ZLIB = "zlib";
    private static final String USE_ZLIB = "useZlib";
    private static final String BLOSC = "blosc";

    private static final Set<String> BLOSC_SETTINGS =
            Set.of("type", "cname", "clevel", "shuffle", "blocksize", "typesize", "nthreads");

    /** What of that is taken as stated; the type size is that of the elements. */
    private static final Set<String> BLOSC_OPTIONS = Set.of("cname", "clevel", "shuffle", "blocksize");

    private N5Codecs() {}

    /** {@return the step that a compression states, for elements of {@code itemSize} bytes; none if it is raw} */
    static List<CodecSpec> parse(Document compression, int itemSize) throws StoreException {
        String type = compression.string("type");
        if (type.equals(RAW)) {
            requireKnown(compression, Set.of("type"));
            return List.of();
        }
        if (type.equals(BLOSC)) {
            requireKnown(compression, BLOSC_SETTINGS);
            return List.of(blosc(compression.members(), itemSize, compression));
        }
        boolean zlib = Boolean.TRUE.equals(compression.get(USE_ZLIB));
        for (CodecInfo codec : Codecs.all()) {
            N5Compression n5 = codec.n5().orElse(null);
            if (n5 != null && n5.type().equals(type) && codec.name().equals(ZLIB) == (zlib && type.equals(GZIP))) {
                Set<String> known = new HashSet<>(n5.ignored());
                known.addAll(Set.of("type", n5.setting()));
                requireKnown(compression, known);
                Object value = compression.get(n5.setting());
                return List.of(CodecSpec.of(codec.name()).with(n5.option(), value == null ? n5.absent() : value));
            }
        }
        throw compression.refuse("is \"" + type + "\", which is not understood");
    }

    private static void requireKnown(Document compression, Set<String> known) throws StoreException {
        for (String setting : compression.members().keySet()) {
            if (!known.contains(setting) && !setting.equals("id")) { // zarr-python repeats the type so
                throw compression.refuse("of type \"" + compression.string("type") + "\" has the setting \"" + setting
                        + "\", which is not understood");
            }
        }
    }

    /** {@return Blosc with every setting stated; {@code shuffle} may be a number or a name} */
    private static CodecSpec blosc(Map<String, @Nullable Object> given, int itemSize, Document where)
            throws StoreException {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>(given);
        settings.keySet().retainAll(BLOSC_OPTIONS);
        CodecSpec codec = BloscSettings.complete(settings, itemSize);
        if (codec.options().get("shuffle") instanceof Number number) {
            throw where.refuse("has shuffle " + number + ", where 0, 1 or 2 is expected");
        }
        return codec;
    }

    private static Object orElse(@Nullable Object value, Object otherwise) {
        return value == null ? otherwise : value;
    }

    /**
     * {@return the compression that stands for the steps of a spec}
     *
     * @throws StoreException if N5 has no such steps
     */
    static Map<String, @Nullable Object> print(List<CodecSpec> codecs, int itemSize) throws StoreException {
        Map<String, @Nullable Object> compression = new LinkedHashMap<>();
        if (codecs.isEmpty()) {
            compression.put("type", RAW);
            return compression;
        }
        CodecSpec step = codecs.get(0);
        if (codecs.size() > 1 || !isExact(step)) {
            throw new StoreException(
                    "N5 cannot hold the codecs " + codecs + "; it has one of " + names() + ", or none");
        }
        if (step.name().equals(BLOSC)) {
            return printBlosc(step, itemSize);
        }
        N5Compression n5 = compression(step).orElseThrow();
        compression.put("type", n5.type());
        if (n5.type().equals(GZIP)) {
            compression.put(USE_ZLIB, usesZlib(step));
        }
        compression.put(n5.setting(), orElse(step.options().get(n5.option()), n5.absent()));
        return compression;
    }

    private static Map<String, @Nullable Object> printBlosc(CodecSpec step, int itemSize) throws StoreException {
        Map<String, @Nullable Object> settings =
                new LinkedHashMap<>(blosc(step.options(), itemSize, new Document("codec " + step, Map.of()))
                        .options());
        BloscSettings.numberShuffle(settings);
        settings.put("nthreads", 1L); // n5-blosc requires it
        Map<String, @Nullable Object> compression = new LinkedHashMap<>();
        compression.put("type", BLOSC);
        compression.putAll(settings);
        return compression;
    }

    private static Optional<N5Compression> compression(CodecSpec step) {
        return Codecs.find(usesZlib(step) ? ZLIB : step.name()).flatMap(CodecInfo::n5);
    }

    /** {@return the names of the codecs that N5 has} */
    private static String names() {
        List<String> names = Codecs.all().stream()
                .filter(codec -> codec.n5().isPresent())
                .map(CodecInfo::name)
                .toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    private static boolean usesZlib(CodecSpec step) {
        return step.name().equals(ZLIB)
                || (step.name().equals(GZIP)
                        && Boolean.TRUE.equals(step.options().get(USE_ZLIB)));
    }

    /** {@return whether N5 has this very step, with all its settings that matter to who reads} */
    private static boolean isExact(CodecSpec step) {
        Map<String, @Nullable Object> options = new LinkedHashMap<>(step.options());
        options.remove("nthreads");
        if (step.name().equals(BLOSC)) {
            return BLOSC_SETTINGS.containsAll(options.keySet());
        }
        Optional<N5Compression> compression = compression(step);
        if (compression.isEmpty()) {
            return false;
        }
        N5Compression n5 = compression.get();
        options.keySet().removeAll(n5.ignored());
        options.remove(n5.option());
        return options.entrySet().stream().allMatch(option -> n5.implies(option.getKey(), option.getValue()));
    }

    /**
     * {@return the steps that N5 takes for those of another format: none for none, the same compressor at the same
     * level if it is the only step, else gzip, which every N5 library has}
     *
     * <p>The order of axes inside chunks, {@code transpose}, is not counted. numcodecs' {@code lz4} becomes N5's.
     */
    static List<CodecSpec> adopt(ArraySpec foreign) {
        List<CodecSpec> steps = adopt(foreign.codecs());
        DataType type = foreign.dataType().isVariable() ? DataType.UINT8 : foreign.dataType();
        ElementContext chunk =
                new ElementContext(type, ByteOrder.BIG_ENDIAN, foreign.chunks().chunkShape());
        try {
            Codecs.chainUpTo(steps, chunk).close();
            return steps;
        } catch (CodecException | ArithmeticException e) { // a setting that is not accepted, such as a level of 100
            return List.of(CodecSpec.of(GZIP));
        }
    }

    private static List<CodecSpec> adopt(List<CodecSpec> codecs) {
        List<CodecSpec> steps = new ArrayList<>(codecs);
        steps.removeIf(step -> step.name().equals("transpose") || step.name().equals("bytes"));
        if (steps.isEmpty()) {
            return List.of();
        }
        CodecSpec step = steps.get(0);
        if (steps.size() == 1 && isExact(step)) {
            return steps;
        }
        if (steps.size() == 1 && step.name().equals("lz4")) {
            return List.of(CodecSpec.of("lz4block"));
        }
        if (steps.size() == 1 && step.name().equals("lzma") && step.options().get("preset") instanceof Number preset) {
            return List.of(CodecSpec.of("lzma").with("preset", preset));
        }
        return List.of(CodecSpec.of(GZIP));
    }
}
