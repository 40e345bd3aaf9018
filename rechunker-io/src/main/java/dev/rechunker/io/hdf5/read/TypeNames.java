package dev.rechunker.io.hdf5.read;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names of named types, as paths relative to a group: {@code surface_t}, {@code ../surface_t},
 * {@code ../types/surface_t}.
 *
 * <p>In HDF5, an object refers to its named type. The library of netCDF writes the type into the object again, and
 * finds its name by comparing it with those of the groups around the object.
 */
final class TypeNames {
    /** The classes of types that have a name in netCDF. */
    private static final Set<Integer> NETCDF = Set.of(ElementType.ENUM, ElementType.COMPOUND, ElementType.OPAQUE);

    /** The most objects that are looked at to find types outside of the groups around their users, or to find users. */
    private static final int MOST_OBJECTS = 1 << 16;

    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final NetcdfDimensions netcdf;
    private final RecentCache<List<Named>> byGroup;
    private @Nullable Found found;

    /** A named type. */
    private record Named(String name, ByteBuffer type) {}

    /**
     * What is in a file.
     *
     * @param paths the paths of named types by address
     * @param used the types of datasets and attributes
     */
    private record Found(Map<Long, String> paths, Set<ByteBuffer> used) {}

    TypeNames(FileMetadata file, ObjectFinder hierarchy, NetcdfDimensions netcdf) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.netcdf = netcdf;
        this.byGroup = new RecentCache<>(this::readTypes);
    }

    /**
     * {@return the name of a type; empty if it has none}
     *
     * @param type the message of the type
     * @param address the address of the named type that the object refers to; {@link FileMetadata#UNDEFINED} if none
     * @param groups the addresses of the groups around the object that has the type, the root group first; the name is
     *     relative to the last one
     */
    Optional<String> of(ByteBuffer type, long address, List<Long> groups) throws IOException {
        boolean isCompared = address == FileMetadata.UNDEFINED;
        if (isCompared && !(netcdf.isNetcdf() && NETCDF.contains(ElementType.classOf(type)))) {
            return Optional.empty();
        }
        for (int i = groups.size() - 1; i >= 0; i--) {
            Optional<String> name =
                    isCompared ? equal(type, groups.get(i)) : hierarchy.nameOf(address, groups.subList(i, i + 1));
            if (name.isPresent()) {
                return Optional.of("../".repeat(groups.size() - 1 - i) + name.get());
            }
        }
        return isCompared
                ? Optional.empty()
                : Optional.ofNullable(found().paths.get(address)).map(path -> "../".repeat(groups.size() - 1) + path);
    }

    /** {@return whether a dataset or an attribute of the file has a named type} */
    boolean isUsed(ObjectHeader type) throws IOException {
        return ObjectHeader.references(file, type) > 1
                || (netcdf.isNetcdf() && found().used.contains(message(type)));
    }

    private Optional<String> equal(ByteBuffer type, long group) throws IOException {
        return byGroup.get(group).stream()
                .filter(named -> named.type.equals(type))
                .map(Named::name)
                .findFirst();
    }

    /** {@return the named types in a group} */
    private List<Named> readTypes(long group) throws IOException {
        List<Named> types = new ArrayList<>();
        for (Map.Entry<String, Link> link : hierarchy.links(group).byName().entrySet()) {
            Optional<ObjectHeader> header = header(link.getValue());
            if (header.isPresent() && NodeReader.isType(header.get())) {
                types.add(new Named(link.getKey(), message(header.get())));
            }
        }
        return types;
    }

    private static ByteBuffer message(ObjectHeader type) throws StoreException {
        return type.require(ObjectHeader.DATATYPE, "datatype").body();
    }

    /** {@return the header of the object of a link; empty if it cannot be read} */
    private Optional<ObjectHeader> header(Link link) throws IOException {
        try {
            return link instanceof Hard hard
                    ? Optional.of(FileMetadata.parse("", () -> ObjectHeader.read(file, hard.address())))
                    : Optional.empty();
        } catch (StoreException e) {
            return Optional.empty(); // an error is reported when the object is opened
        }
    }

    private synchronized Found found() throws IOException {
        Found known = found;
        if (known == null) {
            known = find();
            found = known;
        }
        return known;
    }

    private Found find() throws IOException {
        Found all = new Found(new HashMap<>(), new HashSet<>());
        Set<Long> seen = new HashSet<>(Set.of(file.root()));
        Deque<Map.Entry<Long, String>> groups = new ArrayDeque<>();
        groups.add(Map.entry(file.root(), ""));
        while (!groups.isEmpty()) {
            Map.Entry<Long, String> group = groups.remove();
            addUsed(ObjectHeader.read(file, group.getKey()), all.used);
            for (Map.Entry<String, Link> link :
                    hierarchy.links(group.getKey()).byName().entrySet()) {
                Optional<ObjectHeader> header = header(link.getValue());
                if (header.isEmpty() || !seen.add(header.get().address()) || seen.size() > MOST_OBJECTS) {
                    continue;
                }
                String path = NodePaths.below(group.getValue(), link.getKey());
                if (NodeReader.isType(header.get())) {
                    all.paths.put(header.get().address(), path);
                } else if (ObjectFinder.isGroup(header.get())) {
                    groups.add(Map.entry(header.get().address(), path));
                } else {
                    addUsed(header.get(), all.used);
                }
            }
        }
        return all;
    }

    /** Adds the types of an object of netCDF and of its attributes. */
    private void addUsed(ObjectHeader header, Set<ByteBuffer> used) throws IOException {
        if (!netcdf.isNetcdf()) {
            return;
        }
        try {
            FileMetadata.parse("", () -> {
                if (Dataset.is(header)) {
                    used.add(Dataset.datatype(file, header));
                }
                ObjectAttributes.read(file, header).raw().values().forEach(raw -> used.add(raw.type()));
                return "";
            });
        } catch (StoreException e) {
            return; // an error is reported when the object is opened
        }
    }
}
