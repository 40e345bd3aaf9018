package org.janelia.saalfeldlab.n5;

/** A block of a dataset, its elements in an array of Java. */
public interface DataBlock<T> {
    int[] getSize();

    long[] getGridPosition();

    T getData();
}
