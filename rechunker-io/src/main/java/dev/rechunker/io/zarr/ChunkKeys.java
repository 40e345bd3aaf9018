package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import java.util.regex.Pattern;

/**
 * How chunks are named: {@code 0/1/2}, and with the prefix, which is version 3's default, {@code c/0/1/2}. The only
 * chunk of a scalar is {@code 0}, and with the prefix {@code c}.
 *
 * @param prefixed whether keys start with {@code c}
 * @param separator {@code "."} or {@code "/"}
 */
record ChunkKeys(boolean prefixed, String separator) {
    private static final Pattern INDICES = Pattern.compile("[0-9]+(\\.[0-9]+)*");

    /** {@return the key of the chunk of a grid that starts where a region does, relative to the array} */
    String key(ChunkGrid grid, Region region) {
        StringBuilder key = new StringBuilder(prefixed ? "c" : "");
        for (int axis = 0; axis < grid.rank(); axis++) {
            if (prefixed || axis > 0) {
                key.append(separator);
            }
            key.append(region.start(axis) / grid.axis(axis).step());
        }
        return key.length() == 0 ? "0" : key.toString();
    }

    /** {@return whether an array's chunks, of any version, are kept under this name directly below it} */
    static boolean isChunkName(String name) {
        return name.equals("c")
                || INDICES.matcher(name.startsWith("c.") ? name.substring(2) : name)
                        .matches();
    }
}
