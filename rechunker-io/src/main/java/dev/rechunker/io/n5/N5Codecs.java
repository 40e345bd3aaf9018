package dev.rechunker.io.n5;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.codec.BloscSettings;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
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

    /**
     * A compression with one setting.
     *
     * @param type its name in N5
     * @param setting its setting in N5
     * @param codec the codec's name
     * @param option the codec's option
     * @param otherwise the setting if none is stated
     * @param harmless other settings in N5, which do not matter to who reads
     */
    private record Simple(
            String type, String setting, String codec, String option, long otherwise, Set<String> harmless) {}

    private static final List<Simple> SIMPLE = List.of(
            new Simple(GZIP, "level", GZIP, "level", 6, Set.of(USE_ZLIB)),
            new Simple(GZIP, "level", ZLIB, "level", 6, Set.of(USE_ZLIB)),
            new Simple("bzip2", "blockSize", "bz2", "level", 9, Set.of()),
            new Simple("xz", "preset", "lzma", "preset", 6, Set.of()),
            new Simple("lz4", "blockSize", "lz4block", "blocksize", 1 << 16, Set.of()),
            new Simple("zstd", "level", "zstd", "level", 3, Set.of("nbWorkers", "checksum")));

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
        for (Simple simple : SIMPLE) {
            boolean zlib = Boolean.TRUE.equals(compression.get(USE_ZLIB));
            if (simple.type.equals(type) && simple.codec.equals(ZLIB) == (zlib && type.equals(GZIP))) {
                Set<String> known = new HashSet<>(simple.harmless);
                known.addAll(Set.of("type", simple.setting));
                requireKnown(compression, known);
                Object value = compression.get(simple.setting);
                return List.of(
                        CodecSpec.of(simple.codec).with(simple.option, value == null ? simple.otherwise : value));
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
            throw new StoreException("N5 cannot hold the codecs " + codecs
                    + "; it has one of gzip, zlib, zstd, blosc, bz2, lzma and lz4block, or none");
        }
        if (step.name().equals(BLOSC)) {
            return printBlosc(step, itemSize);
        }
        Simple simple = simple(step).orElseThrow();
        compression.put("type", simple.type);
        if (simple.type.equals(GZIP)) {
            compression.put(USE_ZLIB, usesZlib(step));
        }
        compression.put(simple.setting, orElse(step.options().get(simple.option), simple.otherwise));
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

    private static Optional<Simple> simple(CodecSpec step) {
        String name = usesZlib(step) ? ZLIB : step.name();
        return SIMPLE.stream().filter(simple -> simple.codec.equals(name)).findFirst();
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
        Optional<Simple> simple = simple(step);
        if (simple.isEmpty()) {
            return false;
        }
        if (step.name().equals("lzma")) {
            boolean xz = options.get("format") == null || isNumber(options.get("format"), 1);
            boolean crc64 = options.get("check") == null
                    || isNumber(options.get("check"), -1)
                    || isNumber(options.get("check"), 4);
            boolean filtered = options.get("filters") instanceof List<?> filters && !filters.isEmpty();
            if (!xz || !crc64 || filtered) {
                return false;
            }
            options.keySet().removeAll(Set.of("format", "check", "filters"));
        }
        options.keySet().removeAll(simple.get().harmless);
        options.remove(simple.get().option);
        return options.isEmpty();
    }

    private static boolean isNumber(@Nullable Object value, long wanted) {
        return value instanceof Number number && number.doubleValue() == wanted;
    }

    /**
     * {@return the steps that N5 takes for those of another format: none for none, the same compressor at the same
     * level if it is the only step, else gzip, which every N5 library has}
     *
     * <p>The order of axes inside chunks, {@code transpose}, is not counted. numcodecs' {@code lz4} becomes N5's.
     */
    static List<CodecSpec> adopt(List<CodecSpec> codecs) {
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
