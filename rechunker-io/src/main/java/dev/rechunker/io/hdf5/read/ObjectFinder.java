package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.io.hdf5.read.Links.Foreign;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.hdf5.read.Links.Soft;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
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

    private final FileMetadata file;

    private final RecentCache<Links> links;

    ObjectFinder(FileMetadata file) {
        this.file = file;
        this.links = new RecentCache<>(group -> Links.read(file, ObjectHeader.read(file, group)));
    }

    /** {@return the object at a path; empty if there is none} */
    Optional<Located> find(String path) throws IOException {
        List<Long> groups = new ArrayList<>();
        Optional<Long> address = follow(groups, file.root(), path, new int[1]);
        return address.isEmpty()
                ? Optional.empty()
                : Optional.of(new Located(ObjectHeader.read(file, address.get()), groups));
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

    /** {@return the names in a group, sorted, and their links} */
    SortedMap<String, Link> named(long group) throws IOException {
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
        return named;
    }

    /** {@return whether a link leads to a dimension of netCDF without a variable} */
    boolean isPureDimension(Link link) throws IOException {
        try {
            return link instanceof Hard hard
                    && FileMetadata.parse("", () -> {
                        ObjectHeader header = ObjectHeader.read(file, hard.address());
                        return Dataset.is(header)
                                && Conventions.isPureDimension(
                                        ObjectAttributes.read(file, header).values());
                    });
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
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
            for (Map.Entry<String, Link> entry : links(groups.get(i)).byName().entrySet()) {
                if (entry.getValue() instanceof Hard hard && hard.address() == address) {
                    return Optional.of(entry.getKey());
                }
            }
        }
        return Optional.empty();
    }
}
