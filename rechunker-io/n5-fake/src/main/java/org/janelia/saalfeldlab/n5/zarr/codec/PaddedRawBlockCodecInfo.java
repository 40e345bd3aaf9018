package org.janelia.saalfeldlab.n5.zarr.codec;

import java.nio.ByteOrder;
import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;

/** Elements one after the other, chunks padded. */
public class PaddedRawBlockCodecInfo implements BlockCodecInfo {
    private final ByteOrder order;

    public PaddedRawBlockCodecInfo(ByteOrder order, byte[] fill) {
        this.order = order;
    }

    @Override
    public String getType() {
        return "bytes";
    }

    public ByteOrder getByteOrder() {
        return order;
    }
}
