package org.janelia.saalfeldlab.n5.shard;

import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;

/** A codec of shards, with those of the chunks in them. */
public interface ShardCodecInfo extends BlockCodecInfo {
    int[] getInnerBlockSize();

    BlockCodecInfo getInnerBlockCodecInfo();

    DataCodecInfo[] getInnerDataCodecInfos();
}
