package dev.rechunker.io.hdf5;

import dev.rechunker.geometry.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The unlimited dimensions of netCDF-4. Each is as long as the longest variable has become on it; a variable that has
 * fewer elements in HDF5 reads as its fill value from there on.
 */
final class Dimensions {
    private static final int ADDRESS = Long.BYTES;

    private final Metadata file;
    private final Map<Long, Long> lengths = new ConcurrentHashMap<>();

    Dimensions(Metadata file) {
        this.file = file;
    }

    /**
     * {@return sentences about the axes on which a variable has fewer elements than its dimension}
     *
     * @param scales the addresses of the scales of its axes, {@link Metadata#UNDEFINED} where there is none
     * @param names what messages call the axes
     */
    List<String> cutOff(ObjectHeader variable, long[] scales, List<String> names) throws IOException {
        List<String> sentences = new ArrayList<>();
        Shape shape = Dataset.shape(file, variable);
        for (int axis = 0; axis < scales.length; axis++) {
            if (scales[axis] != Metadata.UNDEFINED && Dataset.isUnlimited(file, variable, axis)) {
                long length = length(scales[axis]);
                if (shape.extent(axis) < length) {
                    sentences.add("it has " + shape.extent(axis) + " elements along " + names.get(axis)
                            + ", a dimension of " + length + "; the rest, which is the fill value, is left out");
                }
            }
        }
        return sentences;
    }

    /** {@return the length of the dimension that a scale stands for} */
    private long length(long scale) throws IOException {
        Long known = lengths.get(scale);
        if (known != null) {
            return known;
        }
        ObjectHeader header = ObjectHeader.read(file, scale);
        long length = Dataset.shape(file, header).extent(0);
        Attributes.Raw uses = Attributes.read(file, header).raw().get(Conventions.USES);
        if (uses != null) {
            int size = Math.toIntExact(ElementType.sizeOf(uses.type()));
            ByteBuffer data = uses.data().duplicate().order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < uses.extents().elements(); i++) {
                Shape user = Dataset.shape(file, ObjectHeader.read(file, data.getLong(i * size)));
                length = Math.max(length, user.extent(data.getInt(i * size + ADDRESS)));
            }
        }
        lengths.put(scale, length);
        return length;
    }
}
