package org.janelia.saalfeldlab.n5.zarr.chunks;

/** The chunks of a dataset of Zarr 3. */
public class ChunkAttributes {
    private final ChunkGrid grid;

    public ChunkAttributes(ChunkGrid grid, ChunkKeyEncoding keys) {
        this.grid = grid;
    }

    public ChunkGrid getGrid() {
        return grid;
    }
}
