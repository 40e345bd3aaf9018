package org.janelia.saalfeldlab.n5;

/** The compression {@code bzip2}. */
public class Bzip2Compression implements Compression {
    @SuppressWarnings("UnusedVariable") // read by CompressionAdapter
    private final int blockSize;

    public Bzip2Compression(int blockSize) {
        this.blockSize = blockSize;
    }

    @Override
    public String getType() {
        return "bzip2";
    }
}
