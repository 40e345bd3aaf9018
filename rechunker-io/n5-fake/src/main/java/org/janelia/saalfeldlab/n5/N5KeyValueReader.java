package org.janelia.saalfeldlab.n5;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.rechunker.n5fake.FakeContainer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads N5, whose datasets have their own attributes among the user's. */
public class N5KeyValueReader extends FakeContainer implements GsonKeyValueN5Reader {
    protected N5KeyValueReader(String place, GsonBuilder gson) {
        super(place, gson.create());
    }

    @Override
    public KeyValueAccess getKeyValueAccess() {
        return new FileSystemKeyValueAccess();
    }

    @Override
    protected boolean pads() {
        return false;
    }

    @Override
    protected JsonObject own(DatasetAttributes dataset) {
        JsonObject own = new JsonObject();
        own.add("dimensions", getGson().toJsonTree(dataset.getDimensions()));
        own.add("blockSize", getGson().toJsonTree(dataset.getBlockSize()));
        own.addProperty("dataType", dataset.getDataType().toString());
        own.add("compression", new JsonObject());
        return own;
    }

    @Override
    protected boolean hasOwn(JsonObject attributes) {
        return attributes.has("dimensions") && attributes.has("dataType");
    }

    /** {@return whether there is a directory: each is a group} */
    @Override
    public boolean exists(String path) {
        return Files.isDirectory(Path.of(absoluteGroupPath(path)));
    }
}
