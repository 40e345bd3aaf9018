package org.janelia.saalfeldlab.n5;

/** A block of {@code double}. */
public class DoubleArrayDataBlock extends AbstractDataBlock<double[]> {
    public DoubleArrayDataBlock(int[] size, long[] position, double[] data) {
        super(size, position, data);
    }
}
