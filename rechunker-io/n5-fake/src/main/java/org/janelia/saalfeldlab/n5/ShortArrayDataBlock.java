package org.janelia.saalfeldlab.n5;

/** A block of {@code short}. */
public class ShortArrayDataBlock extends AbstractDataBlock<short[]> {
    public ShortArrayDataBlock(int[] size, long[] position, short[] data) {
        super(size, position, data);
    }
}
