package dev.rechunker.io.n5api;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.CompressionAdapter;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3Compressor;

/** Settings of n5's compressions, which only their JSON says. Loaded only where n5-zarr is. */
final class Compressions {
    private Compressions() {}

    /** {@return what it is called, with its settings} */
    static String describe(Compression compression) {
        return json(compression).toString();
    }

    private static JsonObject json(Compression compression) {
        Gson gson = new GsonBuilder()
                .registerTypeHierarchyAdapter(Compression.class, CompressionAdapter.getJsonAdapter())
                .create();
        return gson.toJsonTree(compression, Compression.class).getAsJsonObject();
    }

    /**
     * {@return gzip at its level}
     *
     * @throws IllegalArgumentException if it is zlib, which Zarr 3 has not
     */
    static ZarrV3Compressor gzip(GzipCompression compression) {
        JsonObject settings = json(compression);
        if (settings.has("useZlib") && settings.get("useZlib").getAsBoolean()) {
            throw new IllegalArgumentException("Zarr 3 has no compression " + settings);
        }
        return new ZarrV3Compressor.Gzip(settings.get("level").getAsInt());
    }
}
