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
 * Finds objects by path. It reads only objects on the path, so that an object that cannot be read does not affect
 * others.
 *
 * <p>Soft links inside the file are followed. Links to other files, soft links without a target, and links back to a
 * group on the path are refused; the message names the link.
 */
final class ObjectFinder {
    private static final int MOST_SOFT_LINKS = 32;
    private static final int REMEMBERED = 16;

    private final FileMetadata file;

    /** The links of recently used groups. */
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
            ObjectHeader group = ObjectHeader.read(file, address);
            groups.add(address);
            Link link = isGroup(group) ? links(group).byName().get(name) : null;
            if (link == null) {
                return Optional.empty();
            }
            address = target(group, name, link, softLinks);
            if (groups.contains(address)) {
                throw new StoreException("\"" + name + "\" is a link back to a group that contains it");
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
            throw new StoreException("\"" + name + "\" is a soft link to " + path + ", which leads through more than "
                    + MOST_SOFT_LINKS + " soft links");
        }
        long start = path.startsWith("/") ? file.root() : group.address();
        return follow(new ArrayList<>(), start, path, softLinks)
                .orElseThrow(() ->
                        new StoreException("\"" + name + "\" is a soft link to " + path + ", which does not exist"));
    }

    /**
     * {@return the name of a hard link to an address, from the innermost group that has one; empty if no group has one}
     */
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
