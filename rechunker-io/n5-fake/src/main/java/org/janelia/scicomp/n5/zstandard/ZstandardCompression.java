package org.janelia.scicomp.n5.zstandard;

import org.janelia.saalfeldlab.n5.Compression;

/** The compression {@code zstd}. */
public class ZstandardCompression implements Compression {
    @SuppressWarnings("UnusedVariable") // read by CompressionAdapter
    private final int level;

    public ZstandardCompression(int level) {
        this.level = level;
    }

    @Override
    public String getType() {
        return "zstd";
    }
}
