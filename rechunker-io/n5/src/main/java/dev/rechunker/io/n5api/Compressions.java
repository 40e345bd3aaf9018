package dev.rechunker.io.n5api;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.CompressionAdapter;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3Compressor;

/** Reads the settings of n5's compressions from their JSON, because they have no getters. Needs n5-zarr. */
final class Compressions {
    private Compressions() {}

    /** {@return the name and settings of a compression} */
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
     * {@return the gzip compressor of Zarr 3, with the level of n5's}
     *
     * @throws IllegalArgumentException if it is set to zlib, which Zarr 3 does not have
     */
    static ZarrV3Compressor gzip(GzipCompression compression) {
        JsonObject settings = json(compression);
        if (settings.has("useZlib") && settings.get("useZlib").getAsBoolean()) {
            throw new IllegalArgumentException("n5-zarr does not have the compression " + settings + " in Zarr 3");
        }
        return new ZarrV3Compressor.Gzip(settings.get("level").getAsInt());
    }
}
