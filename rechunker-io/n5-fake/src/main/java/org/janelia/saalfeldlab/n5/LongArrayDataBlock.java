package org.janelia.saalfeldlab.n5;

/** A block of {@code long}. */
public class LongArrayDataBlock extends AbstractDataBlock<long[]> {
    public LongArrayDataBlock(int[] size, long[] position, long[] data) {
        super(size, position, data);
    }
}
