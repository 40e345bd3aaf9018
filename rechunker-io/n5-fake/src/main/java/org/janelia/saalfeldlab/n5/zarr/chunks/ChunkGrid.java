package org.janelia.saalfeldlab.n5.zarr.chunks;

/** A grid of chunks. */
public interface ChunkGrid {
    int[] getShape();
}
