package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.read.Scales.Scale;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The dimensions of a file: its scales, with the lengths that netCDF gives them.
 *
 * <p>In netCDF, the length of an unlimited dimension is that of its longest variable. If a variable has fewer elements
 * in HDF5, netCDF reads the others as its fill value. Variables to which no scales are attached have the numbers of
 * their dimensions.
 */
final class NetcdfDimensions {
    private static final int ADDRESS = Long.BYTES;
    private static final Set<String> MARKS = Set.of(Conventions.NETCDF, Conventions.STRICT);

    private final FileMetadata file;
    private final Scales scales;
    private final Map<Long, Long> lengths = new ConcurrentHashMap<>();
    private volatile @Nullable Boolean netcdf;

    NetcdfDimensions(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.scales = new Scales(file, hierarchy);
    }

    /** {@return whether netCDF wrote the file: the root group has its attributes, or a scale as only netCDF has it} */
    boolean isNetcdf() throws IOException {
        Boolean known = netcdf;
        if (known == null) {
            Set<String> attributes = ObjectAttributes.read(file, ObjectHeader.read(file, file.root()))
                    .values()
                    .keySet();
            known = MARKS.stream().anyMatch(attributes::contains)
                    || scales.of(file.root()).stream().anyMatch(scale -> scale.isNumbered() || scale.isPure());
            netcdf = known;
        }
        return known;
    }

    /** {@return the dimensions that the group at an address declares} */
    List<Dimension> of(long group) throws IOException {
        List<Dimension> dimensions = new ArrayList<>();
        for (Scale scale : scales.of(group)) {
            dimensions.add(new Dimension(scale.name(), length(scale.address()), scale.isUnlimited()));
        }
        return dimensions;
    }

    /**
     * {@return the addresses of the scales of a dataset's axes; {@link FileMetadata#UNDEFINED} for an axis without a
     * scale}
     */
    long[] scales(Located dataset, ObjectAttributes attributes, int rank) throws IOException {
        Optional<long[]> attached = attached(attributes, rank);
        if (attached.isPresent()) {
            return attached.get();
        }
        long[] none = new long[rank];
        Arrays.fill(none, FileMetadata.UNDEFINED);
        if (rank == 1 && Conventions.isScale(attributes.values())) {
            none[0] = dataset.header().address();
        } else if (attributes.values().get(Conventions.AXIS_NUMBERS) instanceof List<?> numbers
                && numbers.size() == rank) {
            return numbered(numbers, dataset.groups()).orElse(none);
        }
        return none;
    }

    /** {@return the addresses of the scales in a dataset's list of scales; empty if it has none} */
    private Optional<long[]> attached(ObjectAttributes attributes, int rank) {
        return list(attributes, rank).map(list -> PlainValues.firstReferences(file, list, rank));
    }

    /** {@return the number of scales of each axis of a dataset; nothing if it has no list of scales} */
    int[] countScales(ObjectAttributes attributes, int rank) {
        return list(attributes, rank)
                .map(list -> PlainValues.countReferences(list, rank))
                .orElse(new int[0]);
    }

    private static Optional<ByteBuffer> list(ObjectAttributes attributes, int rank) {
        ObjectAttributes.Raw list = attributes.raw().get(Conventions.DIMENSION_LIST);
        return list != null
                        && ElementType.classOf(list.type()) == ElementType.VARIABLE
                        && list.extents().rank() == 1
                        && list.extents().extent(0) == rank
                ? Optional.of(list.data().duplicate().order(ByteOrder.LITTLE_ENDIAN))
                : Optional.empty();
    }

    /**
     * {@return the addresses of the scales of numbered dimensions; empty if a scale is missing}
     *
     * @param groups the addresses of the groups around the variable, in which its dimensions are
     */
    private Optional<long[]> numbered(List<?> numbers, List<Long> groups) throws IOException {
        Map<Object, Long> found = new HashMap<>();
        for (long group : groups) {
            for (Scale scale : scales.of(group)) {
                if (scale.isNumbered()) {
                    found.put(scale.number(), scale.address());
                }
            }
        }
        return found.keySet().containsAll(numbers)
                ? Optional.of(numbers.stream().mapToLong(found::get).toArray())
                : Optional.empty();
    }

    /** {@return the length of the dimension of the scale at an address} */
    private long length(long scale) throws IOException {
        Long known = lengths.get(scale);
        if (known != null) {
            return known;
        }
        ObjectHeader header = ObjectHeader.read(file, scale);
        long length = Dataset.shape(file, header).extent(0);
        ObjectAttributes.Raw uses = ObjectAttributes.read(file, header).raw().get(Conventions.REFERENCE_LIST);
        if (uses != null && isNetcdf() && Dataset.isUnlimited(file, header, 0)) {
            int size = Math.toIntExact(ElementType.sizeOf(uses.type()));
            ByteBuffer data = uses.data().duplicate().order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < uses.extents().elements(); i++) {
                int axis = data.getInt(i * size + ADDRESS);
                length = Math.max(length, extent(data.getLong(i * size), axis, scale, length));
            }
        }
        lengths.put(scale, length);
        return length;
    }

    /**
     * {@return the extent of a dataset along an axis if it is larger than {@code length} and the axis has the scale;
     * else 0}
     */
    private long extent(long dataset, int axis, long scale, long length) throws IOException {
        try {
            return FileMetadata.parse("", () -> {
                ObjectHeader header = ObjectHeader.read(file, dataset);
                Shape shape = Dataset.shape(file, header);
                boolean counts = axis >= 0
                        && axis < shape.rank()
                        && shape.extent(axis) > length
                        && attached(ObjectAttributes.read(file, header), shape.rank())
                                .filter(of -> of[axis] == scale)
                                .isPresent();
                return counts ? shape.extent(axis) : 0;
            });
        } catch (StoreException e) {
            return 0L; // the dataset was removed, or cannot be read, which is reported when it is opened
        }
    }

    /**
     * {@return the shape of a variable: along an unlimited axis, it is as long as its dimension}
     *
     * @param stored the shape of its dataset
     */
    Shape shape(Located variable, ObjectAttributes attributes, Shape stored) throws IOException {
        if (!isNetcdf()) {
            return stored;
        }
        long[] extents = stored.toArray();
        long[] own = scales(variable, attributes, extents.length);
        for (int axis = 0; axis < extents.length; axis++) {
            if (own[axis] != FileMetadata.UNDEFINED && Dataset.isUnlimited(file, variable.header(), axis)) {
                extents[axis] = Math.max(extents[axis], length(own[axis]));
            }
        }
        return Shape.of(extents);
    }
}
