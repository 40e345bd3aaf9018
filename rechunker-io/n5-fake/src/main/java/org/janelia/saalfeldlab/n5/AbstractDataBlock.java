package org.janelia.saalfeldlab.n5;

/** A block that holds what it was made of. */
public abstract class AbstractDataBlock<T> implements DataBlock<T> {
    private final int[] size;
    private final long[] position;
    private final T data;

    protected AbstractDataBlock(int[] size, long[] position, T data) {
        this.size = size;
        this.position = position;
        this.data = data;
    }

    @Override
    public int[] getSize() {
        return size;
    }

    @Override
    public long[] getGridPosition() {
        return position;
    }

    @Override
    public T getData() {
        return data;
    }
}
