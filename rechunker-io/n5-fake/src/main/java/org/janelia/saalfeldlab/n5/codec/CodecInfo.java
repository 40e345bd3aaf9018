package org.janelia.saalfeldlab.n5.codec;

/** A codec by name. */
public interface CodecInfo {
    String getType();
}
