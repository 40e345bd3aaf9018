package org.janelia.saalfeldlab.n5.zarr.chunks;

/** Chunks of one size. */
public class RegularChunkGrid implements ChunkGrid {
    private final int[] shape;

    public RegularChunkGrid(int[] shape) {
        this.shape = shape;
    }

    @Override
    public int[] getShape() {
        return shape;
    }
}
