package org.janelia.saalfeldlab.n5.shard;

import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;
import org.janelia.saalfeldlab.n5.shard.ShardIndex.IndexLocation;

/** Shards as Zarr 3 has them. */
public class DefaultShardCodecInfo implements ShardCodecInfo {
    private final int[] innerBlockSize;
    private final BlockCodecInfo innerBlockCodec;
    private final DataCodecInfo[] innerDataCodecs;

    public DefaultShardCodecInfo(
            int[] innerBlockSize,
            BlockCodecInfo innerBlockCodec,
            DataCodecInfo[] innerDataCodecs,
            BlockCodecInfo indexBlockCodec,
            DataCodecInfo[] indexDataCodecs,
            IndexLocation indexLocation) {
        this.innerBlockSize = innerBlockSize;
        this.innerBlockCodec = innerBlockCodec;
        this.innerDataCodecs = innerDataCodecs;
    }

    @Override
    public String getType() {
        return "sharding_indexed";
    }

    @Override
    public int[] getInnerBlockSize() {
        return innerBlockSize;
    }

    @Override
    public BlockCodecInfo getInnerBlockCodecInfo() {
        return innerBlockCodec;
    }

    @Override
    public DataCodecInfo[] getInnerDataCodecInfos() {
        return innerDataCodecs;
    }
}
