package org.janelia.saalfeldlab.n5;

/** A block of {@code float}. */
public class FloatArrayDataBlock extends AbstractDataBlock<float[]> {
    public FloatArrayDataBlock(int[] size, long[] position, float[] data) {
        super(size, position, data);
    }
}
