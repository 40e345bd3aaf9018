package org.janelia.saalfeldlab.n5.zarr.v3;

import com.google.gson.GsonBuilder;
import org.janelia.saalfeldlab.n5.GsonN5Writer;
import org.janelia.saalfeldlab.n5.KeyValueAccess;

/** Writes Zarr 3. */
public class ZarrV3KeyValueWriter extends ZarrV3KeyValueReader implements GsonN5Writer {
    public ZarrV3KeyValueWriter(KeyValueAccess access, String place, GsonBuilder gson, boolean cached) {
        super(access, place, gson, cached);
    }
}
