package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import java.util.regex.Pattern;

/**
 * The keys of chunks: {@code 0/1/2} or, with the default prefix of version 3, {@code c/0/1/2}. The only chunk of a
 * scalar is {@code 0} or, with the prefix, {@code c}.
 *
 * @param prefixed whether keys start with {@code c}
 * @param separator {@code "."} or {@code "/"}
 */
record ChunkKeys(boolean prefixed, String separator) {
    private static final Pattern INDICES = Pattern.compile("[0-9]+(\\.[0-9]+)*");

    /** {@return the key, relative to the array, of the chunk at the origin of a region} */
    String key(ChunkGrid grid, Region region) {
        StringBuilder key = new StringBuilder(prefixed ? "c" : "");
        for (int axis = 0; axis < grid.rank(); axis++) {
            if (prefixed || axis > 0) {
                key.append(separator);
            }
            key.append(grid.axis(axis).indexOf(region.start(axis)));
        }
        return key.length() == 0 ? "0" : key.toString();
    }

    /**
     * {@return whether a name directly below an array is that of a chunk, or of a directory of chunks, in any version}
     */
    static boolean isChunkName(String name) {
        return name.equals("c")
                || INDICES.matcher(name.startsWith("c.") ? name.substring(2) : name)
                        .matches();
    }
}
