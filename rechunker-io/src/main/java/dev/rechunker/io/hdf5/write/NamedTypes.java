package dev.rechunker.io.hdf5.write;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.netcdf.FileKind;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The named types of a file: objects of their own, to which datasets and attributes refer.
 *
 * <p>A type gets the name that is wanted, relative to the group of the object that has it. ".." at the root is the
 * root. In netCDF, a type is in the group of the object or in one around it. If the name is taken by something else, or
 * is not allowed, the type gets a similar one in the group of the object.
 *
 * <p>A file is written in two passes. The first collects the types and counts their uses; addresses are known in the
 * second.
 */
final class NamedTypes {
    private static final String USUAL_NAME = "type";

    private final FileKind kind;
    private final FileTree names;
    private final Predicate<String> isTaken;
    private final Map<Wanted, String> paths = new HashMap<>();
    private final Map<String, Named> types = new LinkedHashMap<>();
    private final Map<String, Long> addresses = new LinkedHashMap<>();

    /** A type that objects in a group want by a name. */
    private record Wanted(String group, String name, List<Byte> type) {}

    /** A type of the file. */
    private static final class Named {
        private final MessageBytes type;
        private int uses;

        Named(MessageBytes type) {
            this.type = type;
        }
    }

    /**
     * Creates a file without types.
     *
     * @param isTaken whether there is something else at a path, or the path leads through something that is no group
     */
    NamedTypes(String store, FileKind kind, Predicate<String> isTaken) {
        this.kind = kind;
        this.names = new FileTree(store, kind);
        this.isTaken = isTaken;
    }

    /** {@return the message of an object whose type is at an address} */
    static MessageBytes reference(long address) {
        int version = 2;
        int inAnotherHeader = 2;
        return new MessageBytes().u8(version).u8(inAnotherHeader).u64(address);
    }

    /**
     * {@return a sink for what objects in a group refer to}
     *
     * @param texts where values of variable length are stored
     * @param objects the addresses of objects
     */
    TextSink in(String group, TextSink texts, ToLongFunction<String> objects) {
        return new TextSink() {
            @Override
            public long objectAddress(String text) {
                return objects.applyAsLong(text);
            }

            @Override
            public MessageBytes put(byte[] bytes, int elements) throws IOException {
                return texts.put(bytes, elements);
            }

            @Override
            public MessageBytes putType(String name, MessageBytes type) {
                return reference(address(group, name, type));
            }

            @Override
            public ByteOrder order(String name) {
                Named there = types.get(resolve(group, name));
                return there == null ? ByteOrder.LITTLE_ENDIAN : DatatypeMessage.order(there.type);
            }
        };
    }

    /** Adds the type of a dataset; attributes with the same name have the same byte order. */
    void add(String group, String name, MessageBytes type) {
        Wanted wanted = new Wanted(group, name, bytes(type));
        types.computeIfAbsent(paths.computeIfAbsent(wanted, this::path), none -> new Named(type));
    }

    /** {@return the address of a type; 0 in the first pass} */
    private long address(String group, String name, MessageBytes type) {
        Wanted wanted = new Wanted(group, name, bytes(type));
        String path = paths.computeIfAbsent(wanted, this::path);
        if (addresses.isEmpty()) {
            types.computeIfAbsent(path, none -> new Named(type)).uses++;
            return 0;
        }
        return Objects.requireNonNull(addresses.get(path), path);
    }

    private static List<Byte> bytes(MessageBytes message) {
        List<Byte> bytes = new ArrayList<>();
        for (byte b : message.toArray()) {
            bytes.add(b);
        }
        return bytes;
    }

    private String path(Wanted wanted) {
        String path = resolve(wanted.group, wanted.name);
        String parent = NodePaths.parent(path);
        boolean isAround = parent.isEmpty() || wanted.group.equals(parent) || wanted.group.startsWith(parent + "/");
        String leaf = NodePaths.leaf(path);
        String near = NodePaths.below(wanted.group, isAllowed(leaf) ? leaf : USUAL_NAME);
        if (isAllowed(path) && (isAround || !kind.isNetcdf()) && isFree(path, wanted)) {
            return path;
        }
        String free = near;
        for (int number = 1; !isFree(free, wanted); number++) {
            free = near + "_" + number;
        }
        return free;
    }

    private boolean isFree(String path, Wanted wanted) {
        Named there = types.get(path);
        boolean isBelowType = false;
        for (String above = NodePaths.parent(path); !above.isEmpty(); above = NodePaths.parent(above)) {
            isBelowType |= types.containsKey(above);
        }
        return there == null
                ? !isBelowType
                        && !isTaken.test(path)
                        && types.keySet().stream().noneMatch(type -> type.startsWith(path + "/"))
                : bytes(there.type).equals(wanted.type);
    }

    private boolean isAllowed(String path) {
        if (path.isEmpty()) {
            return false;
        }
        try {
            names.requireName(path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return the path that a name in a group means} */
    private static String resolve(String group, String name) {
        List<String> parts = new ArrayList<>(group.isEmpty() ? List.of() : List.of(group.split("/", -1)));
        for (String part : name.split("/", -1)) {
            if (part.equals("..")) {
                if (!parts.isEmpty()) {
                    parts.remove(parts.size() - 1);
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return String.join("/", parts);
    }

    /** Writes all types that the first pass has found. */
    void write(DenseAttributes.Place place) throws IOException {
        for (Map.Entry<String, Named> type : types.entrySet()) {
            byte[] header = HeaderBuilder.type(type.getValue().type, type.getValue().uses)
                    .toArray(DenseAttributes.Place.NOWHERE);
            addresses.put(type.getKey(), place.put(header));
        }
    }

    /** {@return the addresses of all types by path} */
    Map<String, Long> addresses() {
        return addresses;
    }
}
