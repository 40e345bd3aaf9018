package dev.rechunker.io.hdf5.read;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The paths of the groups and datasets of a file by their addresses, to which references refer. */
final class ObjectPaths {
    /** The most objects whose paths are found. */
    private static final int MOST_OBJECTS = 1 << 20;

    /** The memory for a path of one character, in bytes. */
    private static final long PATH_BYTES = 150;

    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final Set<Long> unresolved = ConcurrentHashMap.newKeySet();
    private @Nullable Map<Long, String> paths;
    private long heldBytes;

    ObjectPaths(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
    }

    /**
     * {@return the path of the object at an address; empty if there is no link to it, or it is neither a group nor an
     * array}
     *
     * @throws StoreException if the file has too many objects
     */
    Optional<String> of(long address) throws IOException {
        return Optional.ofNullable(all().get(address));
    }

    /** {@return the memory that the paths take, in bytes} */
    synchronized long heldBytes() throws IOException {
        all();
        return heldBytes;
    }

    /** Records that an object has a reference to something that has no path. */
    void addUnresolved(long object) {
        unresolved.add(object);
    }

    /** {@return whether an object has a reference, among those that were read, to something that has no path} */
    boolean isUnresolved(long object) {
        return unresolved.contains(object);
    }

    private synchronized Map<Long, String> all() throws IOException {
        Map<Long, String> known = paths;
        if (known == null) {
            known = find();
            paths = known;
        }
        return known;
    }

    private Map<Long, String> find() throws IOException {
        Map<Long, String> found = new HashMap<>();
        found.put(file.root(), "");
        Deque<Map.Entry<Long, String>> groups = new ArrayDeque<>(Set.of(Map.entry(file.root(), "")));
        while (!groups.isEmpty()) {
            Map.Entry<Long, String> group = groups.remove();
            for (Map.Entry<String, Link> link : hierarchy.named(group.getKey()).entrySet()) {
                if (!(link.getValue() instanceof Hard hard) || found.containsKey(hard.address())) {
                    continue;
                }
                String path = NodePaths.below(group.getValue(), link.getKey());
                Kind kind = kind(hard.address());
                if (kind != Kind.OTHER) {
                    found.put(hard.address(), path);
                    heldBytes += PATH_BYTES + 2L * path.length();
                }
                if (kind == Kind.GROUP) {
                    groups.add(Map.entry(hard.address(), path));
                }
                if (found.size() > MOST_OBJECTS) {
                    throw new StoreException(
                            "references in a file of more than " + MOST_OBJECTS + " objects are not supported");
                }
            }
        }
        return found;
    }

    private enum Kind {
        GROUP,
        ARRAY,
        OTHER
    }

    private Kind kind(long address) throws IOException {
        try {
            return FileMetadata.parse("", () -> {
                ObjectHeader header = ObjectHeader.read(file, address);
                boolean isArray = Dataset.is(header) && !hierarchy.isPureDimension(header);
                return ObjectFinder.isGroup(header) ? Kind.GROUP : isArray ? Kind.ARRAY : Kind.OTHER;
            });
        } catch (StoreException e) {
            return Kind.OTHER; // an error is reported when the object is opened
        }
    }
}
