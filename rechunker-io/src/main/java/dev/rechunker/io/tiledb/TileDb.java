package dev.rechunker.io.tiledb;

import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.bytes.Libraries;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens and creates directories with arrays of TileDB.
 *
 * <p>An array whose only attribute has no name is an array; another array is a group, in which each attribute is an
 * array. A group of TileDB is a group. Tiles are chunks. Sparse arrays are refused.
 *
 * <p>The library {@code io.tiledb:tiledb-java} must be on the class path.
 */
public final class TileDb {
    /** The kind of stores in descriptors. */
    public static final String KIND = "tiledb";

    /** The name of an attribute that says where the domain of an array begins, on each axis, unless that is 0. */
    public static final String DOMAIN_START = "tiledb_domain_start";

    /** The name of the setting of a time in URIs and descriptors. */
    static final String TIMESTAMP = "timestamp";

    private static final Libraries LIBRARIES =
            new Libraries("TileDB", List.of("io.tiledb.java.api.Context"), List.of("io.tiledb:tiledb-java"));

    private TileDb() {}

    /**
     * {@return a read-only store with the array or group in a directory}
     *
     * @throws StoreException if there is neither, or a library is not on the class path
     */
    public static ChunkStore open(Path directory) throws IOException {
        return open(directory, Long.MAX_VALUE);
    }

    /**
     * {@return a read-only store as {@link #open(Path)}, with what was written until a time}
     *
     * @param time in milliseconds since 1970; what was written at that time is included
     */
    public static ChunkStore open(Path directory, long time) throws IOException {
        if (!isIn(directory)) {
            throw new StoreException(directory
                    + (Files.exists(directory) ? " is neither an array nor a group of TileDB" : " does not exist"));
        }
        LIBRARIES.require();
        return TileDbStore.open(directory, time);
    }

    /**
     * {@return a read-only store as {@link #open(Path)}, with the settings of a URI}
     *
     * @param settings {@code timestamp=} and a time: milliseconds since 1970, or a time such as
     *     {@code 2026-11-29T12:00:00Z}
     * @throws StoreException if there are other settings
     */
    public static ChunkStore open(Path directory, String settings) throws IOException {
        String start = TIMESTAMP + "=";
        if (!settings.startsWith(start)) {
            throw new StoreException("the setting \"" + settings + "\" of " + directory
                    + " is not understood; TileDB has timestamp=TIME");
        }
        return open(directory, time(settings.substring(start.length())));
    }

    /**
     * {@return a store that writes a new directory}
     *
     * <p>Arrays are written below the directory {@code NAME.part}; the directory exists when everything is complete.
     * Nothing can be added to one that exists; it can be replaced as a whole. A run that was interrupted can be
     * resumed.
     *
     * @throws IllegalArgumentException if the path has no file name
     */
    public static ChunkStore create(Path directory) {
        AssembledKeys keys = AssembledKeys.create(directory, AssembledKeys.Kind.TILEDB);
        return new TileDbTarget(keys, new TileDbTree(keys));
    }

    /** Requires the library; it is not loaded before. */
    static void requireLibrary() throws StoreException {
        LIBRARIES.require();
    }

    /** {@return the store that its descriptor describes} */
    public static ChunkStore open(Path directory, StoreDescriptor descriptor) throws IOException {
        return descriptor.settings().containsKey(TIMESTAMP)
                ? open(directory, time(descriptor.text(TIMESTAMP)))
                : open(directory);
    }

    /**
     * {@return the time that a text states, in milliseconds since 1970} It is such a number, or a time with its zone,
     * such as {@code 2026-11-29T12:00:00Z}.
     *
     * @throws StoreException if it is neither
     */
    static long time(String text) throws StoreException {
        try {
            long time = text.matches("\\d{1,18}")
                    ? Long.parseLong(text)
                    : Instant.parse(text).toEpochMilli();
            if (time >= 0) {
                return time;
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw refusedTime(text, e);
        }
        throw refusedTime(text, null);
    }

    private static StoreException refusedTime(String text, @Nullable Exception cause) {
        return new StoreException(
                "the time \"" + text
                        + "\" is not understood; write milliseconds since 1970, or a time such as 2026-11-29T12:00:00Z",
                cause);
    }

    /** {@return whether a directory is an array or a group of TileDB, by the names in it} */
    public static boolean isIn(Path directory) {
        return isArray(directory) || isGroup(directory);
    }

    /** {@return whether a directory is an array} */
    static boolean isArray(Path directory) {
        return Files.isDirectory(directory.resolve("__schema"))
                || Files.isRegularFile(directory.resolve("__array_schema.tdb"));
    }

    /** {@return whether a directory is a group} */
    static boolean isGroup(Path directory) {
        return Files.isRegularFile(directory.resolve("__tiledb_group.tdb"))
                || Files.isDirectory(directory.resolve("__group"));
    }
}
