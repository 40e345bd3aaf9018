package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The dimensions of a netCDF-4 file.
 *
 * <p>The length of an unlimited dimension is that of its longest variable. If a variable has fewer elements in HDF5,
 * netCDF reads the others as its fill value. A variable of several axes that is the scale of its first axis has no
 * scales, but the numbers of its dimensions.
 */
final class NetcdfDimensions {
    private static final int ADDRESS = Long.BYTES;

    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final Map<Long, Long> lengths = new ConcurrentHashMap<>();

    /** For each group, its scales by the numbers of their dimensions. */
    private final Map<Long, Map<Object, Long>> numbered = new ConcurrentHashMap<>();

    NetcdfDimensions(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
    }

    /**
     * {@return the addresses of the scales of numbered dimensions; empty if a scale is missing}
     *
     * @param groups the addresses of the groups around the variable, in which its dimensions are
     */
    Optional<long[]> numbered(List<?> numbers, List<Long> groups) throws IOException {
        Map<Object, Long> scales = new HashMap<>();
        for (long group : groups) {
            scales.putAll(numbered(group));
        }
        return scales.keySet().containsAll(numbers)
                ? Optional.of(numbers.stream().mapToLong(scales::get).toArray())
                : Optional.empty();
    }

    private Map<Object, Long> numbered(long group) throws IOException {
        Map<Object, Long> known = numbered.get(group);
        if (known != null) {
            return known;
        }
        Map<Object, Long> scales = new HashMap<>();
        for (Links.Link link :
                hierarchy.links(ObjectHeader.read(file, group)).byName().values()) {
            if (link instanceof Links.Hard hard) {
                number(hard.address()).ifPresent(number -> scales.put(number, hard.address()));
            }
        }
        numbered.put(group, scales);
        return scales;
    }

    /** {@return the number of the dimension of a scale; empty if an object is not a scale, or not supported} */
    private Optional<Object> number(long object) throws IOException {
        try {
            return FileMetadata.parse("", () -> {
                ObjectAttributes attributes = ObjectAttributes.read(file, ObjectHeader.read(file, object));
                return ConventionReader.isScale(attributes)
                        ? Optional.ofNullable(attributes.values().get(Conventions.DIMENSION_NUMBER))
                        : Optional.empty();
            });
        } catch (StoreException e) {
            return Optional.empty(); // an error is reported when the object is opened
        }
    }

    /**
     * {@return sentences about the axes on which a variable has fewer elements than its dimension}
     *
     * @param scales the addresses of the scales of its axes; {@link FileMetadata#UNDEFINED} for an axis without a scale
     * @param names the names of the axes for messages
     */
    List<String> missingElements(ObjectHeader variable, long[] scales, List<String> names) throws IOException {
        List<String> sentences = new ArrayList<>();
        Shape shape = Dataset.shape(file, variable);
        for (int axis = 0; axis < scales.length; axis++) {
            if (scales[axis] != FileMetadata.UNDEFINED && Dataset.isUnlimited(file, variable, axis)) {
                long length = length(scales[axis]);
                if (shape.extent(axis) < length) {
                    sentences.add("it has " + shape.extent(axis) + " elements along " + names.get(axis)
                            + ", a dimension of length " + length
                            + "; the rest, which netCDF reads as the fill value, is left out");
                }
            }
        }
        return sentences;
    }

    /** {@return the length of the dimension of a scale} */
    private long length(long scale) throws IOException {
        Long known = lengths.get(scale);
        if (known != null) {
            return known;
        }
        ObjectHeader header = ObjectHeader.read(file, scale);
        long length = Dataset.shape(file, header).extent(0);
        ObjectAttributes.Raw uses = ObjectAttributes.read(file, header).raw().get(Conventions.REFERENCE_LIST);
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
