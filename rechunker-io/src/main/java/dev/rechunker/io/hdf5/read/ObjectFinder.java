package dev.rechunker.io.hdf5.read;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.read.Links.Foreign;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.hdf5.read.Links.Soft;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by path. It reads only objects on the path, so that an object that cannot be read does not affect
 * others.
 *
 * <p>Soft links inside the file are followed. Links to other files, soft links without a target, and links back to a
 * group on the path are refused; the message names the link.
 */
final class ObjectFinder {
    private static final int MOST_SOFT_LINKS = 32;
    /** The number of paths whose objects are remembered. */
    private static final int REMEMBERED = 1 << 10;
    /** The number of groups at the end of a path that are remembered when it is followed. */
    private static final int REMEMBERED_OF_PATH = 16;

    private final FileMetadata file;

    private final RecentCache<Links> links;
    /** By group, the names of the objects in it, by their addresses. */
    private final RecentCache<Map<Long, String>> names;

    /** The objects at the paths that were asked for most recently, and at those above, so that a walk is linear. */
    private final Map<String, Place> recent = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Place> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * An object that a path leads to.
     *
     * @param groups the addresses of the groups on the path
     * @param softLinks the number of soft links on the path
     */
    private record Place(long address, List<Long> groups, int softLinks) {}

    ObjectFinder(FileMetadata file) {
        this.file = file;
        this.links = new RecentCache<>(group -> Links.read(file, ObjectHeader.read(file, group)));
        this.names = new RecentCache<>(this::readNames);
    }

    /** {@return the object at a path; empty if there is none} */
    Optional<Located> find(String path) throws IOException {
        String known = path;
        Place from = remembered(known);
        while (from == null) {
            known = NodePaths.parent(known);
            from = remembered(known);
        }
        if (known.equals(path)) {
            return Optional.of(located(from));
        }
        List<Long> groups = new ArrayList<>(from.groups);
        int[] softLinks = {from.softLinks};
        long address = from.address;
        String rest = known.isEmpty() ? path : path.substring(known.length() + 1);
        int left = rest.split("/", -1).length;
        int end = known.length();
        for (String name : rest.split("/", -1)) {
            Optional<Long> next = follow(groups, address, name, softLinks);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            address = next.get();
            end += (end == 0 ? 0 : 1) + name.length();
            if (left-- <= REMEMBERED_OF_PATH) {
                remember(path.substring(0, end), new Place(address, List.copyOf(groups), softLinks[0]));
            }
        }
        return Optional.of(located(new Place(address, groups, softLinks[0])));
    }

    private Located located(Place place) throws IOException {
        return new Located(ObjectHeader.read(file, place.address), place.groups);
    }

    /** {@return what a path leads to if that is remembered; else null} The root always is. */
    private @Nullable Place remembered(String path) {
        synchronized (recent) {
            return path.isEmpty() ? new Place(file.root(), List.of(), 0) : recent.get(path);
        }
    }

    private void remember(String path, Place place) {
        synchronized (recent) {
            recent.put(path, place);
        }
    }

    /** {@return whether an object is a group} */
    static boolean isGroup(ObjectHeader header) {
        return header.has(ObjectHeader.SYMBOL_TABLE)
                || header.has(ObjectHeader.LINK_INFO)
                || header.has(ObjectHeader.GROUP_INFO)
                || header.has(ObjectHeader.LINK);
    }

    /** {@return the links of the group at an address} */
    Links links(long group) throws IOException {
        return links.get(group);
    }

    /**
     * {@return the address of the object at a path relative to a group; empty if there is none}
     *
     * @param groups the groups above {@code from}; the groups on the path are added
     * @param softLinks the number of soft links followed so far
     */
    private Optional<Long> follow(List<Long> groups, long from, String path, int[] softLinks) throws IOException {
        long address = from;
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            groups.add(address);
            Link link = isGroup(ObjectHeader.read(file, address)) ? link(address, name) : null;
            if (link == null) {
                return Optional.empty();
            }
            address = target(address, name, link, softLinks);
            if (groups.contains(address)) {
                throw new StoreException("\"" + name + "\" is a link back to a group that contains it");
            }
        }
        return Optional.of(address);
    }

    /**
     * {@return the link with a name in a group; null if there is none}
     *
     * <p>If a dimension of netCDF has the same name as a variable that is not its coordinate, the name is that of the
     * variable, whose link has another one.
     */
    private @Nullable Link link(long group, String name) throws IOException {
        Map<String, Link> links = links(group).byName();
        Link link = links.get(name);
        Link variable = links.get(Conventions.NOT_COORDINATE + name);
        return variable != null && (link == null || isPureDimension(link)) ? variable : link;
    }

    /**
     * {@return the links of a group by their names, in the order in which they were created; sorted by name if the file
     * does not have that}
     */
    Map<String, Link> named(long group) throws IOException {
        Map<String, Link> links = links(group).byName();
        SortedMap<String, Link> named = new TreeMap<>(links);
        for (Map.Entry<String, Link> entry : links.entrySet()) {
            String name = entry.getKey();
            String own = name.startsWith(Conventions.NOT_COORDINATE)
                    ? name.substring(Conventions.NOT_COORDINATE.length())
                    : "";
            if (!own.isEmpty() && entry.getValue().equals(link(group, own))) {
                named.remove(name);
                named.put(own, entry.getValue());
            }
        }
        Map<String, Link> ordered = new LinkedHashMap<>();
        named.entrySet().stream()
                .sorted(Comparator.comparingLong(link -> link.getValue().created()))
                .forEach(link -> ordered.put(link.getKey(), link.getValue()));
        return ordered;
    }

    /** {@return whether a link leads to a dimension of netCDF without a variable} */
    boolean isPureDimension(Link link) throws IOException {
        try {
            return link instanceof Hard hard
                    && FileMetadata.parse("", () -> isPureDimension(ObjectHeader.read(file, hard.address())));
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
    }

    /** {@return whether an object is a dimension of netCDF without a variable} */
    boolean isPureDimension(ObjectHeader header) throws IOException {
        return Dataset.is(header)
                && Conventions.isPureDimension(
                        ObjectAttributes.read(file, header).values());
    }

    private long target(long group, String name, Link link, int[] softLinks) throws IOException {
        if (link instanceof Hard hard) {
            return hard.address();
        }
        if (link instanceof Foreign foreign) {
            throw new StoreException("\"" + name + "\" is " + foreign.what() + ", which is not followed");
        }
        String path = ((Soft) link).path();
        if (++softLinks[0] > MOST_SOFT_LINKS) {
            throw new StoreException("\"" + name + "\" is a soft link to " + path + ", which leads through more than "
                    + MOST_SOFT_LINKS + " soft links");
        }
        long start = path.startsWith("/") ? file.root() : group;
        return follow(new ArrayList<>(), start, path, softLinks)
                .orElseThrow(() ->
                        new StoreException("\"" + name + "\" is a soft link to " + path + ", which does not exist"));
    }

    /**
     * {@return the name of a hard link to an address, from the innermost group that has one; empty if no group has one}
     */
    Optional<String> nameOf(long address, List<Long> groups) throws IOException {
        for (int i = groups.size() - 1; i >= 0; i--) {
            String name = names.get(groups.get(i)).get(address);
            if (name != null) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    private Map<Long, String> readNames(long group) throws IOException {
        Map<Long, String> found = new HashMap<>();
        links(group).byName().forEach((name, link) -> {
            if (link instanceof Hard hard) {
                found.putIfAbsent(hard.address(), name);
            }
        });
        return found;
    }
}
