package org.janelia.saalfeldlab.n5;

/** Where keys and values are stored. */
public interface KeyValueAccess {
    boolean isDirectory(String path);
}
