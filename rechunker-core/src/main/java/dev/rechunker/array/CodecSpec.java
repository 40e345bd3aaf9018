package dev.rechunker.array;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The name and settings of a codec, one step of the encoding of a chunk: {@code transpose}, {@code delta},
 * {@code shuffle}, {@code blosc}, {@code zstd}, {@code gzip} ...
 *
 * @param name the name of the codec in the Zarr v3 registry, or in numcodecs if it is not there
 * @param options the settings, as plain data: strings, numbers, booleans, lists and maps
 */
public record CodecSpec(String name, Map<String, @Nullable Object> options) {
    /** Creates a spec with a copy of the options. */
    public CodecSpec {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** {@return the codec without settings} */
    public static CodecSpec of(String name) {
        return new CodecSpec(name, Map.of());
    }

    /**
     * {@return the codecs named in a text, in the order of encoding}
     *
     * @param text names of codecs joined by {@code +}, each with or without settings, as in {@code "shuffle+zstd"} or
     *     {@code "blosc:cname=zstd,clevel=5"}; or {@code "none"} for no codec
     * @throws IllegalArgumentException if the text does not have this form
     */
    public static List<CodecSpec> parse(String text) {
        List<CodecSpec> steps = new ArrayList<>();
        if (text.trim().equals("none")) {
            return steps;
        }
        for (String step : text.split("\\+", -1)) {
            int colon = step.indexOf(':');
            CodecSpec codec = of((colon < 0 ? step : step.substring(0, colon)).trim());
            for (String setting :
                    colon < 0 ? new String[0] : step.substring(colon + 1).split(",", -1)) {
                int equals = setting.indexOf('=');
                if (equals <= 0) {
                    throw new IllegalArgumentException(
                            "\"" + setting + "\" in codec \"" + text + "\" does not have the form name=value");
                }
                codec = codec.with(
                        setting.substring(0, equals).trim(),
                        value(setting.substring(equals + 1).trim()));
            }
            if (codec.name.isEmpty()) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is not a codec; write \"none\", \"zstd\", or \"blosc:cname=zstd,clevel=5\"");
            }
            steps.add(codec);
        }
        return steps;
    }

    private static Object value(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        if (text.matches("-?(\\d+\\.\\d*|\\.?\\d+)([eE][-+]?\\d+)?")) {
            return Double.valueOf(text);
        }
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        return text;
    }

    /** {@return this codec with a setting added or replaced} */
    public CodecSpec with(String option, Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(options);
        more.put(option, value);
        return new CodecSpec(name, more);
    }

    /** Compares name and options. Written out, as the method that a record generates takes long to link at start-up. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CodecSpec that && name.equals(that.name) && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + options.hashCode();
    }

    /** {@return the codec in the form {@code blosc{cname=lz4, clevel=5}}} */
    @Override
    public String toString() {
        return options.isEmpty() ? name : name + options;
    }
}
