package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the dimension scales in groups, which declare the dimensions of netCDF. */
final class Scales {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final RecentCache<List<Scale>> groups;

    /**
     * A dimension scale.
     *
     * @param name the name of its link
     * @param address the address of its header
     * @param number the number of its dimension in netCDF, or {@link Long#MAX_VALUE} if it has none
     * @param created the place of its link among those of the group in the order in which they were created
     * @param isPure whether it only declares a dimension, and is not a variable
     * @param length its extent along the first axis
     * @param isUnlimited whether the first axis is unlimited
     */
    record Scale(
            String name, long address, long number, long created, boolean isPure, long length, boolean isUnlimited) {
        boolean isNumbered() {
            return number != Long.MAX_VALUE;
        }
    }

    Scales(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.groups = new RecentCache<>(this::read);
    }

    /** {@return the scales in the group at an address, in the order of the dimensions in netCDF} */
    List<Scale> of(long group) throws IOException {
        return groups.get(group);
    }

    private List<Scale> read(long group) throws IOException {
        List<Scale> scales = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (Map.Entry<String, Link> link : hierarchy.links(group).byName().entrySet()) {
            if (link.getValue() instanceof Hard hard && seen.add(hard.address())) {
                find(link.getKey(), hard).ifPresent(scales::add);
            }
        }
        scales.sort(Comparator.comparingLong(Scale::number)
                .thenComparingLong(Scale::created)
                .thenComparing(Scale::name));
        return List.copyOf(scales);
    }

    /** {@return the scale that a link leads to; empty if an object is not a scale, or not supported} */
    private Optional<Scale> find(String name, Hard link) throws IOException {
        try {
            return FileMetadata.parse("", () -> {
                ObjectHeader header = ObjectHeader.read(file, link.address());
                return Dataset.is(header) ? scale(name, link, header) : Optional.empty();
            });
        } catch (StoreException e) {
            return Optional.empty(); // an error is reported when the object is opened
        }
    }

    private Optional<Scale> scale(String name, Hard link, ObjectHeader header) throws IOException {
        ObjectAttributes attributes = ObjectAttributes.read(file, header);
        if (!Conventions.isScale(attributes.values())) {
            return Optional.empty();
        }
        Shape shape = Dataset.shape(file, header);
        if (shape.rank() == 0) {
            return Optional.empty();
        }
        Object number = attributes.values().get(Conventions.DIMENSION_NUMBER);
        return Optional.of(new Scale(
                name,
                link.address(),
                number instanceof Long given ? given : Long.MAX_VALUE,
                link.created(),
                Conventions.isPureDimension(attributes.values()),
                shape.extent(0),
                Dataset.isUnlimited(file, header, 0)));
    }
}
