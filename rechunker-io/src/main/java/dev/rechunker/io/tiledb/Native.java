package dev.rechunker.io.tiledb;

import dev.rechunker.store.StoreException;
import io.tiledb.java.api.Config;
import io.tiledb.java.api.Context;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.SWIGTYPE_p_tiledb_ctx_t;
import io.tiledb.libtiledb.capi_return_t;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A context of the library, whose pointer can be had. Closed last, after all that was made with it. */
final class Native extends Context {
    private static final Pattern NEWER =
            Pattern.compile("[Ff]ormat version \\((\\d+)\\) is newer than.*version \\((\\d+)\\)");

    private Native(Config config) throws TileDBError {
        super(config);
    }

    /** Something that the library does. */
    interface Call<T> {
        T run() throws TileDBError;
    }

    /**
     * {@return a context}
     *
     * @param budget the most memory that a query takes for tiles, in bytes
     * @throws StoreException if the library does not run on this machine
     */
    static Native open(long budget) throws StoreException {
        Map<String, String> settings = new TreeMap<>();
        settings.put("sm.mem.total_budget", Long.toString(budget));
        // Threads are those of the caller, so that what they take is counted.
        settings.put("sm.compute_concurrency_level", "1");
        settings.put("sm.io_concurrency_level", "1");
        settings.put("vfs.file.max_parallel_ops", "1");
        try (Config config = new Config(settings)) {
            return new Native(config);
        } catch (TileDBError e) {
            throw new StoreException("TileDB: " + reason(e), e);
        } catch (LinkageError e) {
            throw new StoreException(
                    "TileDB does not run here: its native library is for Linux on x86-64 (glibc), macOS and Windows, and"
                            + " needs 50 MB of space in the directory for temporary files (java.io.tmpdir)",
                    e);
        }
    }

    SWIGTYPE_p_tiledb_ctx_t pointer() {
        return getCtxp();
    }

    /** Throws the error of a call of the library, whose result may be a number or an object, if it failed. */
    void check(Object result) throws TileDBError {
        if (result instanceof capi_return_t status) {
            handleError(status);
        } else {
            handleError((Integer) result);
        }
    }

    /** {@return what a call returns; an error of the library becomes a refusal that names the array or group} */
    static <T> T call(String name, Call<T> call) throws StoreException {
        try {
            return call.run();
        } catch (TileDBError e) {
            throw failure(name, e);
        }
    }

    /** {@return the refusal of an array or group because of an error of the library} */
    static StoreException failure(String name, TileDBError error) {
        String reason = reason(error);
        Matcher newer = NEWER.matcher(reason);
        if (newer.find()) {
            return new StoreException(
                    name + " was written by a newer TileDB, in version " + newer.group(1)
                            + " of the format; tiledb-java reads versions up to " + newer.group(2)
                            + ", so write it again with tiledb-py 0.26.4 or another program with TileDB 2.20, or as Zarr",
                    error);
        }
        return new StoreException(name + ": TileDB: " + reason, error);
    }

    /** {@return the failure of a write, which may succeed when it is repeated: the disk may be full} */
    static IOException writeFailure(String name, TileDBError error) {
        return new IOException(name + ": TileDB: " + reason(error), error);
    }

    private static String reason(TileDBError error) {
        return String.valueOf(error.getMessage()).strip().replaceFirst("[.]$", "");
    }
}
