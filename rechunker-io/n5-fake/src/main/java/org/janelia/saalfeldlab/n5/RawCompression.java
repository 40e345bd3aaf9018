package org.janelia.saalfeldlab.n5;

/** The compression {@code raw}. */
public class RawCompression implements Compression {
    public RawCompression() {}

    @Override
    public String getType() {
        return "raw";
    }
}
