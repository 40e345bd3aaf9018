package org.janelia.saalfeldlab.n5;

/** A block of {@code int}. */
public class IntArrayDataBlock extends AbstractDataBlock<int[]> {
    public IntArrayDataBlock(int[] size, long[] position, int[] data) {
        super(size, position, data);
    }
}
