package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of Blosc as specs have them: every one of them stated, and the shuffle by its name. */
public final class BloscSettings {
    /** The shuffles, at their numbers. */
    static final List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    /** The compressors, at the numbers that they have in HDF5. */
    private static final List<String> COMPRESSORS = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");

    private static final String SHUFFLE = "shuffle";
    private static final int AUTOMATIC = -1;
    private static final int MAX_TYPE_SIZE = 255;

    private BloscSettings() {}

    /**
     * {@return Blosc with the settings given, and the usual ones where none is; those that are null are not given}
     *
     * <p>A shuffle that is neither a name nor a number that is known stays as it is.
     *
     * @param itemSize of the elements that are encoded
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

    /** {@return what frames have as the size of an element: they have a byte for it, and 1 where it is larger} */
    static int typeSize(int size) {
        return size > MAX_TYPE_SIZE ? 1 : size;
    }

    /** {@return the name of a shuffle that is given by its number, -1 being the one for the size; or what is given} */
    static Object shuffle(Object given, int itemSize) {
        if (!(given instanceof Number number) || number.doubleValue() != number.intValue()) {
            return given;
        }
        int known = number.intValue() == AUTOMATIC ? (itemSize == 1 ? 2 : 1) : number.intValue();
        return known >= 0 && known < SHUFFLES.size() ? SHUFFLES.get(known) : given;
    }

    /** Says the shuffle of some settings by its number, if it has one. */
    public static void numberShuffle(Map<String, @Nullable Object> settings) {
        settings.computeIfPresent(SHUFFLE, (key, name) -> {
            int number = SHUFFLES.indexOf(name);
            return number < 0 ? name : (Object) (long) number;
        });
    }

    /**
     * {@return the codec for the client data of HDF5's filter: two versions, size of an element, bytes of a chunk,
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
