package org.janelia.saalfeldlab.n5;

import com.google.gson.Gson;
import com.google.gson.JsonElement;

/** A reader whose attributes are JSON. */
public interface GsonN5Reader extends N5Reader {
    Gson getGson();

    JsonElement getAttributes(String path);
}
