package org.janelia.saalfeldlab.n5.zarr.v3;

import com.google.gson.JsonParser;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DatasetCodecInfo;
import org.janelia.saalfeldlab.n5.zarr.chunks.ChunkAttributes;

/** A dataset of Zarr 3, x first. */
public class ZarrV3DatasetAttributes extends DatasetAttributes {
    private final String[] dimensionNames;

    public ZarrV3DatasetAttributes(
            long[] shape,
            ChunkAttributes chunks,
            ZarrV3DataType type,
            String fillValue,
            String[] dimensionNames,
            BlockCodecInfo blockCodec,
            DatasetCodecInfo[] datasetCodecs,
            DataCodecInfo... dataCodecs) {
        super(
                shape,
                chunks.getGrid().getShape(),
                type.getDataType(),
                JsonParser.parseString(fillValue),
                blockCodec,
                datasetCodecs,
                dataCodecs);
        this.dimensionNames = dimensionNames;
    }

    public String[] getDimensionNames() {
        return dimensionNames;
    }
}
