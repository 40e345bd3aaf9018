package dev.rechunker.io.tiledb;

import dev.rechunker.store.StoreException;
import io.tiledb.java.api.Array;
import io.tiledb.java.api.QueryType;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.SWIGTYPE_p_tiledb_array_t;
import io.tiledb.libtiledb.tiledb;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Map;

/** An open array of TileDB, with metadata of all types. */
final class OpenArray extends Array {
    private final Native context;

    private OpenArray(Native context, String uri, QueryType type, long time) throws TileDBError {
        super(context, uri, type, BigInteger.ZERO, BigInteger.valueOf(time));
        this.context = context;
    }

    private OpenArray(Native context, String uri, QueryType type) throws TileDBError {
        super(context, uri, type);
        this.context = context;
    }

    /**
     * {@return an array that is read as it was at a time}
     *
     * @param name the array in messages
     */
    static OpenArray read(Native context, Path directory, String name, long time) throws StoreException {
        return Native.call(name, () -> new OpenArray(context, uri(directory), QueryType.TILEDB_READ, time));
    }

    /** {@return an array that is written} */
    static OpenArray write(Native context, Path directory, String name) throws StoreException {
        return Native.call(name, () -> new OpenArray(context, uri(directory), QueryType.TILEDB_WRITE));
    }

    /** {@return the directory as the library takes it: a path without a scheme} */
    static String uri(Path directory) {
        return directory.toAbsolutePath().normalize().toString();
    }

    SWIGTYPE_p_tiledb_array_t pointer() {
        return getArrayp();
    }

    /** {@return all metadata by key, in the order of the keys} */
    Map<String, MetadataValue> metadata() throws TileDBError {
        return MetadataValue.read(
                context,
                getMetadataNum().longValue(),
                (index, slots) -> tiledb.tiledb_array_get_metadata_from_index(
                        context.pointer(),
                        pointer(),
                        BigInteger.valueOf(index),
                        slots.key(),
                        slots.keyLength(),
                        slots.type(),
                        slots.count(),
                        slots.value()));
    }

    /** Adds metadata to an array that is written. */
    void put(String key, MetadataValue value) throws TileDBError {
        MetadataValue.write(
                context,
                value,
                bytes -> tiledb.tiledb_array_put_metadata(
                        context.pointer(), pointer(), key, value.type(), value.count(), bytes));
    }
}
