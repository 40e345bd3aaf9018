package org.janelia.saalfeldlab.n5;

/** The compression {@code xz}. */
public class XzCompression implements Compression {
    @SuppressWarnings("UnusedVariable") // read by CompressionAdapter
    private final int preset;

    public XzCompression(int preset) {
        this.preset = preset;
    }

    @Override
    public String getType() {
        return "xz";
    }
}
