package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How tiles are compressed.
 *
 * @param compression the number of the compression in TIFF
 * @param codec the codec that compresses so; null for none, and for LZW, which is no codec of other formats
 * @param predictor 1 for none, 2 for differences, 3 for differences of the bytes of floats
 */
record TileFormat(int compression, @Nullable CodecSpec codec, int predictor) {
    static final int NONE = 1;
    static final int LZW = 5;
    static final int DEFLATE = 8;
    static final int ZSTD = 50000;

    private static final String PREDICTOR = "predictor";
    private static final String NUMBER = "number";
    private static final int FLOATS = 3;

    /**
     * {@return the format that codecs ask for}
     *
     * @throws StoreException if they are not those of TIFF
     */
    static TileFormat of(String store, List<CodecSpec> codecs, DataType type, int bands) throws StoreException {
        List<CodecSpec> steps = new ArrayList<>(codecs);
        int predictor = 1;
        if (!steps.isEmpty() && steps.get(0).name().equals(PREDICTOR)) {
            predictor = predictor(store, steps.remove(0), type);
        }
        if (steps.size() > 1) {
            throw refused(store, String.valueOf(codecs));
        }
        if (steps.isEmpty()) {
            if (predictor != 1) {
                throw new StoreException(store + ": a predictor is followed by a compression: predictor+zlib");
            }
            return new TileFormat(NONE, null, 1);
        }
        CodecSpec step = steps.get(0);
        int compression = switch (step.name()) {
            case "zlib", "gzip", "deflate" -> DEFLATE;
            case "zstd" -> ZSTD;
            case "lzw" -> LZW;
            default -> throw refused(store, "\"" + step.name() + "\"");
        };
        if (compression == LZW && !step.options().isEmpty()) {
            throw new StoreException(store + ": the codec lzw has no options, but " + step.options() + " were given");
        }
        CodecSpec codec =
                compression == LZW ? null : compression == ZSTD ? step : new CodecSpec("zlib", step.options());
        return new TileFormat(compression, codec, predictor);
    }

    private static int predictor(String store, CodecSpec step, DataType type) throws StoreException {
        boolean isFloat = type.kind() == DataType.Kind.FLOAT;
        boolean isInteger = type.kind() == DataType.Kind.INT || type.kind() == DataType.Kind.UINT;
        Object number = step.options().getOrDefault(NUMBER, isFloat ? 3L : 2L);
        int predictor = number instanceof Number value ? value.intValue() : 0;
        boolean fits = predictor == 2 ? isInteger : predictor == FLOATS && isFloat;
        if (!fits || step.options().size() > 1) {
            throw new StoreException(store + ": " + step + " is not possible for " + type.name()
                    + "; predictor 2 is for integers, and predictor 3 for floats");
        }
        return predictor;
    }

    private static StoreException refused(String store, String what) {
        return new StoreException(store + " asks for codec " + what
                + ", which is not written to TIFF; it takes none, zlib (deflate), zstd or lzw, and before one of them"
                + " predictor");
    }

    /** {@return the codecs of an array in this format} */
    List<CodecSpec> codecs() {
        List<CodecSpec> codecs = new ArrayList<>();
        if (predictor != 1) {
            codecs.add(CodecSpec.of(PREDICTOR).with(NUMBER, (long) predictor));
        }
        if (compression == LZW) {
            codecs.add(CodecSpec.of("lzw"));
        } else if (codec != null) {
            codecs.add(codec);
        }
        return codecs;
    }

    /** {@return whether tiles are stored beside as they will be in the file} */
    boolean isDirect() {
        return predictor == 1 && compression != LZW;
    }

    /** {@return the codecs of tiles beside, without the order of axes; a fast one if they are encoded again} */
    List<CodecSpec> stored() {
        return isDirect()
                ? codec == null ? List.of() : List.of(codec)
                : List.of(CodecSpec.of("zstd").with("level", 1L));
    }

    /** {@return the format of an array of another format: its compression if TIFF has it, else deflate} */
    static List<CodecSpec> adopted(ArraySpec foreign) {
        if (foreign.codecs().isEmpty()) {
            return List.of();
        }
        CodecSpec last = foreign.codecs().get(foreign.codecs().size() - 1);
        return switch (last.name()) {
            case "zstd" -> List.of(new CodecSpec("zstd", only(last.options(), "level")));
            case "zlib", "gzip" -> List.of(new CodecSpec("zlib", only(last.options(), "level")));
            default -> List.of(CodecSpec.of("zlib"));
        };
    }

    private static Map<String, @Nullable Object> only(Map<String, @Nullable Object> options, String name) {
        return options.containsKey(name) ? Map.of(name, options.get(name)) : Map.of();
    }
}
