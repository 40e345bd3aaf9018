package org.janelia.saalfeldlab.n5;

/** A reader of a container whose blocks are values under keys. */
public interface GsonKeyValueN5Reader extends GsonN5Reader {
    KeyValueAccess getKeyValueAccess();

    String absoluteGroupPath(String path);
}
