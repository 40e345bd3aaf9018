package org.janelia.saalfeldlab.n5.zarr.chunks;

/** The usual names of Zarr 3. */
public class DefaultChunkKeyEncoding implements ChunkKeyEncoding {
    public DefaultChunkKeyEncoding(String separator) {}
}
