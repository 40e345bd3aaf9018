package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of Blosc in a spec: all options are present, and the shuffle is a name. */
public final class BloscSettings {
    /** The names of shuffles, in the order of their numbers. */
    static final List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    /** The names of compressors, in the order of their numbers in HDF5. */
    private static final List<String> COMPRESSORS = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");

    private static final String SHUFFLE = "shuffle";
    private static final int AUTOMATIC = -1;
    private static final int MAX_TYPE_SIZE = 255;

    private BloscSettings() {}

    /**
     * {@return Blosc with given options, and with defaults for those that are missing or null}
     *
     * <p>A shuffle that is neither a known name nor a known number is not changed.
     *
     * @param itemSize the size of encoded elements in bytes
     */
    public static CodecSpec complete(Map<String, @Nullable Object> given, int itemSize) {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        settings.put("cname", "lz4");
        settings.put("clevel", 5L);
        settings.put(SHUFFLE, SHUFFLES.get(1));
        settings.put("typesize", (long) typeSize(itemSize));
        settings.put("blocksize", 0L);
        given.forEach((name, value) -> {
            if (value != null) {
                settings.put(name, name.equals(SHUFFLE) ? shuffle(value, itemSize) : value);
            }
        });
        return new CodecSpec("blosc", settings);
    }

    /** {@return the type size in a frame for elements of a size: 1 if the size does not fit into a byte} */
    static int typeSize(int size) {
        return size > MAX_TYPE_SIZE ? 1 : size;
    }

    /**
     * {@return the name of a shuffle with a number; -1 is the default for the size of elements; other values are
     * returned unchanged}
     */
    static Object shuffle(Object given, int itemSize) {
        if (!(given instanceof Number number) || number.doubleValue() != number.intValue()) {
            return given;
        }
        int known = number.intValue() == AUTOMATIC ? (itemSize == 1 ? 2 : 1) : number.intValue();
        return known >= 0 && known < SHUFFLES.size() ? SHUFFLES.get(known) : given;
    }

    /** Replaces the name of the shuffle in options by its number, if it has one. */
    public static void numberShuffle(Map<String, @Nullable Object> settings) {
        settings.computeIfPresent(SHUFFLE, (key, name) -> {
            int number = SHUFFLES.indexOf(name);
            return number < 0 ? name : (Object) (long) number;
        });
    }

    /**
     * {@return the codec for the client data of the filter in HDF5: two versions, size of an element, size of a chunk,
     * level, shuffle, compressor}
     */
    static CodecSpec ofHdf5(int[] data, int itemSize) throws CodecException {
        int compressor = Hdf5Filter.get(data, 6, 0);
        int shuffle = Hdf5Filter.get(data, 5, 1);
        if (compressor < 0 || compressor >= COMPRESSORS.size() || shuffle < 0 || shuffle >= SHUFFLES.size()) {
            throw new CodecException("blosc with " + Arrays.toString(data) + " is not supported");
        }
        return CodecSpec.of("blosc")
                .with("cname", COMPRESSORS.get(compressor))
                .with("clevel", Hdf5Filter.get(data, 4, 5, 0, 9))
                .with(SHUFFLE, SHUFFLES.get(shuffle))
                .with("typesize", Hdf5Filter.get(data, 2, itemSize, 1, MAX_TYPE_SIZE));
    }
}
