package org.janelia.saalfeldlab.n5;

import com.google.gson.JsonElement;

/** A writer whose attributes are JSON. */
public interface GsonN5Writer extends GsonN5Reader, N5Writer {
    void setAttributes(String path, JsonElement attributes);
}
