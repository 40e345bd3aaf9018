package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.NetcdfFill;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The elements that a variable of netCDF has beyond those of its dataset, which is shorter than a dimension.
 *
 * <p>They are the fill value, or that of netCDF for the type if the dataset states none. A chunk can have other bytes
 * there.
 */
final class ShortDataset {
    private final Shape stored;
    private final byte[] fill;
    private final boolean isFillValue;

    ShortDataset(StoredDataset dataset) {
        this.stored = dataset.dataset().chunks().shape();
        Dataset.Fill own = dataset.dataset().fill();
        DataType type = dataset.spec().dataType();
        boolean isStated = own.value().isDefined() && !own.isDefault();
        byte[] unwritten = own.value().element(type.itemSize());
        this.fill = isStated ? unwritten : NetcdfFill.of(type, dataset.spec().byteOrder());
        this.isFillValue = Arrays.equals(fill, unwritten);
    }

    /** {@return whether the dataset has the chunk with an index} */
    static boolean has(ChunkGrid stored, long[] index) {
        for (int axis = 0; axis < index.length; axis++) {
            if (index[axis] >= stored.axis(axis).count()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Puts the fill value in place of elements beyond those of the dataset; {@return whether {@code target} has
     * elements; if not, all are the fill value of the dataset}
     *
     * @param region the region that was read
     * @param box the shape of the elements in {@code target}, which begin with the first one of the region
     * @param target the elements
     * @param start the position of the first element in {@code target}
     * @param wasWritten whether the elements of the dataset are in {@code target}
     */
    boolean complete(Region region, Shape box, ByteBuffer target, int start, boolean wasWritten) {
        if (!wasWritten && isFillValue) {
            return false;
        }
        if (!wasWritten) {
            target.position(start);
            while (target.hasRemaining()) {
                target.put((byte) 0);
            }
        }
        fill(region.origin(), box, 0, target, start);
        return true;
    }

    private void fill(long[] origin, Shape box, int axis, ByteBuffer target, int start) {
        if (axis == box.rank()) {
            return;
        }
        int inner = fill.length;
        for (int i = axis + 1; i < box.rank(); i++) {
            inner = Math.toIntExact(inner * box.extent(i));
        }
        long extent = box.extent(axis);
        long kept = Math.max(0, Math.min(extent, stored.extent(axis) - origin[axis]));
        for (int i = 0; i < kept; i++) {
            fill(origin, box, axis + 1, target, start + i * inner);
        }
        int end = Math.toIntExact(start + extent * inner);
        for (int at = Math.toIntExact(start + kept * inner); at < end; at += fill.length) {
            target.put(at, fill);
        }
    }
}
