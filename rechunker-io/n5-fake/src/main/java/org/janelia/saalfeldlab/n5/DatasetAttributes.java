package org.janelia.saalfeldlab.n5;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.util.Arrays;
import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DatasetCodecInfo;
import org.janelia.saalfeldlab.n5.shard.ShardCodecInfo;

/** What a dataset is: its size, blocks, type and codecs. */
public class DatasetAttributes {
    private final long[] dimensions;
    private final int[] blockSize;
    private final DataType type;
    private final JsonElement defaultValue;
    private final BlockCodecInfo blockCodec;
    private final DataCodecInfo[] dataCodecs;

    public DatasetAttributes(
            long[] dimensions,
            int[] blockSize,
            DataType type,
            JsonElement defaultValue,
            BlockCodecInfo blockCodec,
            DatasetCodecInfo[] datasetCodecs,
            DataCodecInfo... dataCodecs) {
        if (datasetCodecs != null) {
            throw new N5Exception("the fake has no codecs of datasets");
        }
        this.dimensions = dimensions;
        this.blockSize = blockSize;
        this.type = type;
        this.defaultValue = defaultValue == null ? JsonNull.INSTANCE : defaultValue;
        this.blockCodec = blockCodec;
        this.dataCodecs = Arrays.stream(dataCodecs)
                .filter(codec -> !(codec instanceof RawCompression))
                .toArray(DataCodecInfo[]::new);
    }

    public DatasetAttributes(long[] dimensions, int[] blockSize, DataType type, DataCodecInfo... dataCodecs) {
        this(dimensions, blockSize, type, null, null, null, dataCodecs);
    }

    public long[] getDimensions() {
        return dimensions;
    }

    public int getNumDimensions() {
        return dimensions.length;
    }

    /** {@return the size of the shards if there are any, else that of the chunks} */
    public int[] getBlockSize() {
        return blockSize;
    }

    public int[] getChunkSize() {
        return blockCodec instanceof ShardCodecInfo shards ? shards.getInnerBlockSize() : blockSize;
    }

    public boolean isSharded() {
        return blockCodec instanceof ShardCodecInfo;
    }

    public DataType getDataType() {
        return type;
    }

    public JsonElement getDefaultValue() {
        return defaultValue;
    }

    public BlockCodecInfo getBlockCodecInfo() {
        return blockCodec;
    }

    public DataCodecInfo[] getDataCodecInfos() {
        return dataCodecs;
    }
}
