package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.hdf5.read.Links.Foreign;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.hdf5.read.Links.Soft;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds objects by path. Looks at nothing but what is on the way, so an object that cannot be read hides no other.
 *
 * <p>Soft links inside the file are followed. Refused by name are links to other files, soft links to nothing, and
 * links back to a group on the way, which would make the hierarchy endless.
 */
final class ObjectFinder {
    private static final int MOST_SOFT_LINKS = 32;
    private static final int REMEMBERED = 16;

    private final FileMetadata file;

    /** The links of the groups used last. */
    private final Map<Long, Links> recent = new LinkedHashMap<>(REMEMBERED, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Links> eldest) {
            return size() > REMEMBERED;
        }
    };

    ObjectFinder(FileMetadata file) {
        this.file = file;
    }

    /** {@return the object at a path, or empty if there is none} */
    Optional<Located> find(String path) throws IOException {
        List<Long> way = new ArrayList<>();
        Optional<Long> address = follow(way, file.root(), path, new int[1]);
        return address.isEmpty()
                ? Optional.empty()
                : Optional.of(new Located(ObjectHeader.read(file, address.get()), way));
    }

    /** {@return whether an object is a group} */
    static boolean isGroup(ObjectHeader header) {
        return header.has(ObjectHeader.SYMBOL_TABLE)
                || header.has(ObjectHeader.LINK_INFO)
                || header.has(ObjectHeader.GROUP_INFO)
                || header.has(ObjectHeader.LINK);
    }

    /** {@return the links of a group} */
    Links links(ObjectHeader group) throws IOException {
        synchronized (recent) {
            Links known = recent.get(group.address());
            if (known != null) {
                return known;
            }
        }
        Links links = Links.read(file, group);
        synchronized (recent) {
            recent.put(group.address(), links);
        }
        return links;
    }

    /**
     * {@return the address of the object at a path from a group, or empty}
     *
     * @param way the groups above {@code from}; those passed are added
     * @param softLinks how many were followed by now
     */
    private Optional<Long> follow(List<Long> way, long from, String path, int[] softLinks) throws IOException {
        long address = from;
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            ObjectHeader group = ObjectHeader.read(file, address);
            way.add(address);
            Link link = isGroup(group) ? links(group).byName().get(name) : null;
            if (link == null) {
                return Optional.empty();
            }
            address = target(group, name, link, softLinks);
            if (way.contains(address)) {
                throw new StoreException("\"" + name + "\" is a link back to a group that it is in");
            }
        }
        return Optional.of(address);
    }

    private long target(ObjectHeader group, String name, Link link, int[] softLinks) throws IOException {
        if (link instanceof Hard hard) {
            return hard.address();
        }
        if (link instanceof Foreign foreign) {
            throw new StoreException("\"" + name + "\" is " + foreign.what() + ", which is not followed");
        }
        String path = ((Soft) link).path();
        if (++softLinks[0] > MOST_SOFT_LINKS) {
            throw new StoreException(
                    "\"" + name + "\" is a soft link to " + path + ", which leads through too many others");
        }
        long start = path.startsWith("/") ? file.root() : group.address();
        return follow(new ArrayList<>(), start, path, softLinks)
                .orElseThrow(
                        () -> new StoreException("\"" + name + "\" is a soft link to " + path + ", where nothing is"));
    }

    /** {@return the name of the hard link to an address in the innermost of some groups that has one, or empty} */
    Optional<String> nameOf(long address, List<Long> groups) throws IOException {
        for (int i = groups.size() - 1; i >= 0; i--) {
            ObjectHeader group = ObjectHeader.read(file, groups.get(i));
            for (Map.Entry<String, Link> entry : links(group).byName().entrySet()) {
                if (entry.getValue() instanceof Hard hard && hard.address() == address) {
                    return Optional.of(entry.getKey());
                }
            }
        }
        return Optional.empty();
    }
}
