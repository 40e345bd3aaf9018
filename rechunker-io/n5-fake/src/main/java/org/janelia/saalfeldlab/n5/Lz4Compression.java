package org.janelia.saalfeldlab.n5;

/** The compression {@code lz4}. */
public class Lz4Compression implements Compression {
    public Lz4Compression() {}

    @Override
    public String getType() {
        return "lz4";
    }
}
