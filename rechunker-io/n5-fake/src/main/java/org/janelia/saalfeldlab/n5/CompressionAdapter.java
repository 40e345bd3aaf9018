package org.janelia.saalfeldlab.n5;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import java.lang.reflect.Type;

/** Compressions as JSON: their type, and their fields as settings. */
public class CompressionAdapter implements JsonSerializer<Compression> {
    public static CompressionAdapter getJsonAdapter() {
        return new CompressionAdapter();
    }

    @Override
    public JsonElement serialize(Compression compression, Type type, JsonSerializationContext context) {
        JsonObject json = new JsonObject();
        json.addProperty("type", compression.getType());
        new Gson()
                .toJsonTree(compression)
                .getAsJsonObject()
                .entrySet()
                .forEach(setting -> json.add(setting.getKey(), setting.getValue()));
        return json;
    }
}
