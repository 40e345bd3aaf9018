package org.janelia.saalfeldlab.n5.zarr;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import dev.rechunker.n5fake.FakeContainer;
import java.util.Arrays;
import java.util.List;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.FileSystemKeyValueAccess;
import org.janelia.saalfeldlab.n5.GsonKeyValueN5Reader;
import org.janelia.saalfeldlab.n5.KeyValueAccess;
import org.janelia.saalfeldlab.n5.RawCompression;

/** Reads Zarr 2. */
public class ZarrKeyValueReader extends FakeContainer implements GsonKeyValueN5Reader {
    protected ZarrKeyValueReader(String place) {
        super(place, new GsonBuilder().serializeNulls().create());
    }

    @Override
    public KeyValueAccess getKeyValueAccess() {
        return new FileSystemKeyValueAccess();
    }

    @Override
    protected boolean pads() {
        return true;
    }

    public JsonElement getZAttributes(String path) {
        return getAttributes(path);
    }

    @Override
    public ZarrDatasetAttributes getConvertedDatasetAttributes(DatasetAttributes attributes) {
        if (attributes instanceof ZarrDatasetAttributes zarr) {
            return zarr;
        }
        Compression compression = Arrays.stream(attributes.getDataCodecInfos())
                .map(Compression.class::cast)
                .findFirst()
                .orElse(new RawCompression());
        return new ZarrDatasetAttributes(new ZArrayAttributes(
                2,
                ZarrDatasetAttributes.reversed(attributes.getDimensions()),
                ZarrDatasetAttributes.reversed(attributes.getBlockSize()),
                DType.of(attributes.getDataType()),
                ZarrCompressor.fromCompression(compression),
                attributes.getDefaultValue(),
                'C',
                ".",
                List.of()));
    }
}
