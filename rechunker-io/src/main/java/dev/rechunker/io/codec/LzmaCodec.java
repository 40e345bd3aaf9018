package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.DeltaOptions;
import org.tukaani.xz.FinishableOutputStream;
import org.tukaani.xz.FinishableWrapperOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAInputStream;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * The codec {@code lzma} of numcodecs, whose options are those of the module {@code lzma} of Python.
 *
 * <p>Format 1 is xz, and format 2 the older .lzma. Format 3 is a raw stream of LZMA2; the option {@code filters} can
 * add a delta of bytes before it.
 */
final class LzmaCodec implements Codec {
    private static final int XZ_FORMAT = 1;
    private static final int ALONE = 2;
    private static final int RAW = 3;
    private static final long DELTA_FILTER = 3;
    private static final long LZMA2_FILTER = 0x21;
    private static final long STREAMS = 256 << 10;

    private final int format;
    private final int check;
    private final int preset;
    private final int delta;
    private final @Nullable Integer dictionary;

    /**
     * @param delta the distance of the delta filter, 0 for none
     * @param dictionary the size of the dictionary in bytes, null for that of the preset
     */
    private LzmaCodec(int format, int check, int preset, int delta, @Nullable Integer dictionary) {
        this.format = format;
        this.check = check;
        this.preset = preset;
        this.delta = delta;
        this.dictionary = dictionary;
    }

    static LzmaCodec create(CodecOptions options) throws CodecException {
        int format = options.integer("format", XZ_FORMAT, XZ_FORMAT, RAW);
        int check = options.integer("check", -1, -1, XZ.CHECK_SHA256);
        int preset = options.integer("preset", LZMA2Options.PRESET_DEFAULT, 0, 9);
        List<?> filters = options.list("filters");
        options.requireNoOthers();
        if (filters == null || filters.isEmpty()) {
            if (format == RAW) {
                throw new CodecException("codec \"lzma\": format 3 needs the option filters");
            }
            if (check == 2 || check == 3 || (check > XZ.CHECK_CRC64 && check < XZ.CHECK_SHA256)) {
                throw new CodecException("codec \"lzma\": check " + check + " is not supported");
            }
            return new LzmaCodec(format, check < 0 ? XZ.CHECK_CRC64 : check, preset, 0, null);
        }
        if (format != RAW) {
            throw new CodecException("codec \"lzma\": filters are supported with format 3 only, not with " + format);
        }
        return raw(filters);
    }

    private static LzmaCodec raw(List<?> filters) throws CodecException {
        int delta = 0;
        for (Object filter : filters) {
            if (!(filter instanceof Map<?, ?> map) || !(map.get("id") instanceof Number id)) {
                throw new CodecException("codec \"lzma\": filter " + filter + " has no id");
            }
            boolean last = filter == filters.get(filters.size() - 1);
            if (id.longValue() == DELTA_FILTER && !last && delta == 0 && hasOnly(map, "dist")) {
                delta = integer(map, "dist", 1);
            } else if (id.longValue() == LZMA2_FILTER
                    && last
                    && (hasOnly(map, "preset") || hasOnly(map, "dict_size"))) {
                int preset = integer(map, "preset", LZMA2Options.PRESET_DEFAULT);
                Integer dictionary = map.containsKey("dict_size") ? (Integer) integer(map, "dict_size", 0) : null;
                return requireSupported(new LzmaCodec(RAW, XZ.CHECK_NONE, preset, delta, dictionary));
            } else {
                throw new CodecException("codec \"lzma\": filter " + filter + " is not supported");
            }
        }
        throw new CodecException("codec \"lzma\": filters " + filters + " do not end with LZMA2");
    }

    private static LzmaCodec requireSupported(LzmaCodec codec) throws CodecException {
        try {
            codec.options(Integer.MAX_VALUE);
            new DeltaOptions(Math.max(DeltaOptions.DISTANCE_MIN, codec.delta));
            return codec;
        } catch (IllegalStateException | UnsupportedOptionsException e) {
            throw new CodecException("codec \"lzma\": " + codec.identity() + " is not supported", e);
        }
    }

    private static boolean hasOnly(Map<?, ?> filter, String option) {
        return filter.size() == 1 || (filter.size() == 2 && filter.containsKey(option));
    }

    private static int integer(Map<?, ?> filter, String option, int otherwise) throws CodecException {
        Object value = filter.get(option);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Number number && number.doubleValue() == number.intValue()) {
            return number.intValue();
        }
        throw new CodecException("codec \"lzma\": filter " + filter + " is not supported");
    }

    @Override
    public String name() {
        return "lzma";
    }

    @Override
    public String identity() {
        return "lzma(" + format + "," + check + "," + preset + "," + delta + "," + dictionary + ")";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return decodedSize + (decodedSize >> 6) + 1024;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return new Needs(0, decodeKibibytes() * 1024L + STREAMS);
    }

    private int decodeKibibytes() {
        return options(Integer.MAX_VALUE).getDecoderMemoryUsage() + 64;
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return new Needs(0, options(decodedSize).getEncoderMemoryUsage() * 1024L + STREAMS);
    }

    /** {@return the options for a decoded size} A dictionary larger than that would only take memory. */
    private LZMA2Options options(long decodedSize) {
        try {
            LZMA2Options options = new LZMA2Options(preset);
            if (dictionary != null) {
                options.setDictSize(dictionary);
            }
            long enough = Math.max(LZMA2Options.DICT_SIZE_MIN, decodedSize);
            if (enough < options.getDictSize()) {
                options.setDictSize((int) enough);
            }
            return options;
        } catch (UnsupportedOptionsException e) {
            throw new IllegalStateException("preset " + preset + " and dictionary " + dictionary, e);
        }
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        try (InputStream in = open(BufferStreams.reading(encoded))) {
            BufferStreams.readAll(in, decoded);
        } catch (CodecException e) {
            throw new CodecException("lzma: " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            throw CodecException.ofStream("lzma", e);
        }
    }

    private InputStream open(InputStream encoded) throws IOException {
        ArrayCache cache = ArrayCache.getDummyCache();
        return switch (format) {
            case XZ_FORMAT -> new XZInputStream(encoded, decodeKibibytes(), cache);
            case ALONE -> new LZMAInputStream(encoded, decodeKibibytes(), cache);
            default -> {
                InputStream bytes = options(Integer.MAX_VALUE).getInputStream(encoded, cache);
                yield delta == 0 ? bytes : new DeltaOptions(delta).getInputStream(bytes, cache);
            }
        };
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        try (OutputStream out = open(BufferStreams.writing(encoded), decoded.remaining())) {
            BufferStreams.writeAll(decoded, out);
        } catch (IOException e) {
            throw new CodecException("lzma: the chunk cannot be compressed", e);
        }
    }

    private OutputStream open(OutputStream encoded, int size) throws IOException {
        LZMA2Options options = options(size);
        ArrayCache cache = ArrayCache.getDummyCache();
        return switch (format) {
            case XZ_FORMAT -> new XZOutputStream(encoded, options, check, cache);
            case ALONE -> new LZMAOutputStream(encoded, options, size, cache);
            default -> {
                FinishableOutputStream bytes =
                        options.getOutputStream(new FinishableWrapperOutputStream(encoded), cache);
                yield delta == 0 ? bytes : new DeltaOptions(delta).getOutputStream(bytes, cache);
            }
        };
    }
}
