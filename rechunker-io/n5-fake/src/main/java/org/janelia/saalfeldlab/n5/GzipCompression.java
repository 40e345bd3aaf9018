package org.janelia.saalfeldlab.n5;

/** The compression {@code gzip}, or zlib. */
@SuppressWarnings("UnusedVariable") // its fields are read by CompressionAdapter
public class GzipCompression implements Compression {
    private final int level;
    private final boolean useZlib;

    public GzipCompression() {
        this(-1);
    }

    public GzipCompression(int level) {
        this(level, false);
    }

    public GzipCompression(int level, boolean useZlib) {
        this.level = level;
        this.useZlib = useZlib;
    }

    @Override
    public String getType() {
        return "gzip";
    }
}
