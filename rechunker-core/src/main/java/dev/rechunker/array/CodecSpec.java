package dev.rechunker.array;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step of an encoding, by name: {@code transpose}, {@code delta}, {@code shuffle}, {@code blosc}, {@code zstd},
 * {@code gzip} ...
 *
 * @param name the codec, by the name that the Zarr v3 registry or else numcodecs gives it
 * @param options its settings, as plain data: strings, numbers, booleans, lists and maps
 */
public record CodecSpec(String name, Map<String, @Nullable Object> options) {
    /** Takes a copy of the options. */
    public CodecSpec {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** {@return the codec without settings} */
    public static CodecSpec of(String name) {
        return new CodecSpec(name, Map.of());
    }

    /** {@return this codec with one more setting} */
    public CodecSpec with(String option, Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(options);
        more.put(option, value);
        return new CodecSpec(name, more);
    }

    /** {@return {@code blosc{cname=lz4, clevel=5}}} */
    @Override
    public String toString() {
        return options.isEmpty() ? name : name + options;
    }
}
