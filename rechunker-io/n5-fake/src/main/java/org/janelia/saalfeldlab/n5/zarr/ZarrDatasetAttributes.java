package org.janelia.saalfeldlab.n5.zarr;

import org.janelia.saalfeldlab.n5.DatasetAttributes;

/** A dataset of Zarr 2, x first. */
public class ZarrDatasetAttributes extends DatasetAttributes {
    private final ZArrayAttributes zarray;

    public ZarrDatasetAttributes(ZArrayAttributes zarray) {
        super(
                reversed(zarray.getShape()),
                reversed(zarray.getChunks()),
                zarray.getDType().getDataType(),
                zarray.getFillValueJson(),
                null,
                null,
                zarray.getCompressor().getCompression());
        this.zarray = zarray;
    }

    static long[] reversed(long[] numbers) {
        long[] reversed = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            reversed[i] = numbers[numbers.length - 1 - i];
        }
        return reversed;
    }

    static int[] reversed(int[] numbers) {
        int[] reversed = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            reversed[i] = numbers[numbers.length - 1 - i];
        }
        return reversed;
    }

    public ZArrayAttributes getZArrayAttributes() {
        return zarray;
    }

    public boolean isRowMajor() {
        return zarray.getOrder() == 'C';
    }

    public String getDimensionSeparator() {
        return zarray.getDimensionSeparator();
    }
}
