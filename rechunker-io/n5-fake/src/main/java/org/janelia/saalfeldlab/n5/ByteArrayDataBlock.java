package org.janelia.saalfeldlab.n5;

/** A block of {@code byte}. */
public class ByteArrayDataBlock extends AbstractDataBlock<byte[]> {
    public ByteArrayDataBlock(int[] size, long[] position, byte[] data) {
        super(size, position, data);
    }
}
