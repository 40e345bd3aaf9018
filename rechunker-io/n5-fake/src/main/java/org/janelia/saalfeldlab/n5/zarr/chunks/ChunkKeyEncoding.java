package org.janelia.saalfeldlab.n5.zarr.chunks;

/** How chunks are called. */
public interface ChunkKeyEncoding {}
