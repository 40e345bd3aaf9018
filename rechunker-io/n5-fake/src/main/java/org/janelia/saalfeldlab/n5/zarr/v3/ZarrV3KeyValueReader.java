package org.janelia.saalfeldlab.n5.zarr.v3;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.rechunker.n5fake.FakeContainer;
import java.nio.ByteOrder;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GsonKeyValueN5Reader;
import org.janelia.saalfeldlab.n5.KeyValueAccess;
import org.janelia.saalfeldlab.n5.zarr.chunks.ChunkAttributes;
import org.janelia.saalfeldlab.n5.zarr.chunks.DefaultChunkKeyEncoding;
import org.janelia.saalfeldlab.n5.zarr.chunks.RegularChunkGrid;
import org.janelia.saalfeldlab.n5.zarr.codec.PaddedRawBlockCodecInfo;

/** Reads Zarr 3. */
public class ZarrV3KeyValueReader extends FakeContainer implements GsonKeyValueN5Reader {
    private final KeyValueAccess access;

    public ZarrV3KeyValueReader(KeyValueAccess access, String place, GsonBuilder gson, boolean cached) {
        super(place, gson.create());
        this.access = access;
    }

    @Override
    public KeyValueAccess getKeyValueAccess() {
        return access;
    }

    @Override
    protected boolean pads() {
        return true;
    }

    /** {@return what {@code zarr.json} says, or null if it is not there} */
    public JsonElement getRawAttributes(String path) {
        DatasetAttributes dataset = getDatasetAttributes(path);
        if (dataset == null) {
            return null;
        }
        JsonObject document = new JsonObject();
        document.add("fill_value", dataset.getDefaultValue());
        document.add("attributes", getAttributes(path));
        return document;
    }

    @Override
    public ZarrV3DatasetAttributes getConvertedDatasetAttributes(DatasetAttributes attributes) {
        if (attributes instanceof ZarrV3DatasetAttributes zarr) {
            return zarr;
        }
        return new ZarrV3DatasetAttributes(
                attributes.getDimensions(),
                new ChunkAttributes(new RegularChunkGrid(attributes.getBlockSize()), new DefaultChunkKeyEncoding("/")),
                ZarrV3DataType.fromDataType(attributes.getDataType()),
                attributes.getDefaultValue().isJsonNull()
                        ? "0"
                        : attributes.getDefaultValue().getAsString(),
                null,
                new PaddedRawBlockCodecInfo(ByteOrder.nativeOrder(), null),
                null,
                attributes.getDataCodecInfos());
    }
}
