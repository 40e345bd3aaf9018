package dev.rechunker.cli;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parsing and opening of arguments that name a node of a store: {@code path} or {@code path#inner/array}. */
final class Locations {
    /** The form of such arguments, for the help texts. */
    static final String FORM =
            "A store (Zarr, N5, HDF5) or a node in it: path or path#inner/array. Zarr and N5 can also be read from and"
                    + " written to s3://bucket/path; all formats can be read from there and from https://host/path.";

    /** The number of names that a message lists. */
    private static final int MOST_NAMES = 20;

    /** The most groups between a location and a node that is described, as in a copy. */
    private static final int MOST_LEVELS = 1000;

    private static final String TOO_DEEP = "it is nested in more than 1,000 groups, and what is below that is not read";

    private Locations() {}

    /** {@return the existing node that an argument names; {@code followLinks} as in {@link Formats#open}} */
    static StoreLocation existing(String argument, boolean followLinks) throws IOException {
        Argument parsed = Argument.parse(argument);
        if (!parsed.isUri()) {
            requireThere(parsed.path());
        }
        try {
            StoreLocation location = parsed.in(Formats.open(parsed.place, followLinks));
            parsed.requireOneSign(location);
            return location;
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private static void requireThere(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new UsageException(file + " does not exist" + likelyReason(file.toString()));
        } catch (IOException e) {
            throw new UsageException(e);
        }
    }

    /** {@return the nodes that an argument names, opened when they are needed; {@code *} matches any part of a name} */
    static List<Concat.Source> sources(String argument, boolean followLinks) throws IOException {
        Argument parsed = Argument.parse(argument);
        if (parsed.isUri()) {
            try {
                List<Concat.Source> found = new ArrayList<>();
                for (String place :
                        parsed.place.contains("*") ? Stores.matching(parsed.place) : List.of(parsed.place)) {
                    try (KeyStore keys = Stores.keys(place)) { // the name of the store does not contain secrets
                        found.add(new Concat.Source(keys.name(), parsed.inner, () -> Formats.open(place, followLinks)));
                    }
                }
                return found;
            } catch (StoreException e) {
                throw new UsageException(e);
            }
        }
        Path file = parsed.path();
        String name = String.valueOf(file.getFileName());
        if (name.contains("*") && !Files.exists(file)) {
            Path directory = file.toAbsolutePath().getParent();
            if (directory == null || !Files.isDirectory(directory)) {
                throw new UsageException("there is no directory for " + argument);
            }
            if (!isFound(file)) {
                throw new UsageException("nothing in " + directory + " matches \"" + name + "\"");
            }
            return Concat.files(
                    directory, glob(name), path -> Formats.open(path.toString(), followLinks), parsed.inner);
        }
        requireThere(file);
        return List.of(new Concat.Source(file.toString(), parsed.inner, () -> Formats.open(parsed.place, followLinks)));
    }

    /** {@return whether a file exists, or one that matches if the last name is a pattern with stars} */
    private static boolean isFound(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        String name = String.valueOf(file.getFileName());
        if (Files.exists(file) || directory == null || !name.contains("*") || !Files.isDirectory(directory)) {
            return Files.exists(file);
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, glob(name))) {
            return found.iterator().hasNext();
        }
    }

    /** {@return the glob pattern of a name in which only stars are special} */
    private static String glob(String name) {
        return name.replaceAll("[\\\\\\[\\]{}?]", "\\\\$0");
    }

    /** {@return the node that an argument names in a new or existing store, in a format of {@link Formats}} */
    static StoreLocation target(String argument, @Nullable String format, ImageOptions image) throws IOException {
        Argument parsed = Argument.parse(argument);
        try {
            return parsed.in(Formats.create(parsed.place, format, image));
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    /** {@return whether an argument names a node in a store, and not its root} */
    static boolean namesNode(String argument) throws IOException {
        return !Argument.parse(argument).inner.isEmpty();
    }

    /** {@return the array or group at a location} */
    static Node node(StoreLocation place) throws IOException {
        try {
            return found(place);
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private static Node found(StoreLocation place) throws IOException {
        Optional<Node> node = place.store().node(place.path());
        return node.isPresent() ? node.get() : refuse(place);
    }

    /** Refuses a path, and lists what is in the nearest group above it. */
    private static Node refuse(StoreLocation place) throws IOException {
        String message = "there is no array or group at " + place;
        String group = place.path();
        while (!group.isEmpty()) {
            group = group.substring(0, Math.max(0, group.lastIndexOf('/')));
            Optional<Node> above = place.store().node(group);
            if (above.isPresent()) {
                List<String> names = place.store().children(group);
                String some = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
                String more = names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
                message += names.isEmpty() ? "" : "; " + place.store().at(group) + " has " + some + more;
                break;
            }
        }
        throw new UsageException(message);
    }

    /**
     * The arrays at a location and below it.
     *
     * @param arrays the arrays, by their paths relative to the location, sorted
     * @param refused the reasons why nodes below the location cannot be read, by path
     */
    record Arrays(Map<String, ArraySpec> arrays, Map<String, String> refused) {}

    /** {@return the arrays at a location and below it; fails if the location itself cannot be read} */
    static Arrays arrays(StoreLocation place) throws IOException {
        return arrays(place, node(place));
    }

    /** {@return the arrays at a location, of which the node is known, and below it} */
    static Arrays arrays(StoreLocation place, Node node) throws IOException {
        Arrays found = new Arrays(new TreeMap<>(), new TreeMap<>());
        Deque<Below> left = new ArrayDeque<>();
        collect(place, new Below("", -1), node, found, left);
        while (!left.isEmpty()) {
            Below below = left.removeLast();
            try {
                if (below.groups > MOST_LEVELS) {
                    throw new StoreException(TOO_DEEP);
                }
                collect(place, below, found(place.resolve(below.path)), found, left);
            } catch (StoreException
                    | FileSystemException e) { // other failures, such as of a network, concern more than one node
                found.refused.put(below.path, StoreException.reason(e));
            }
        }
        return found;
    }

    /** A node below a location, and the number of groups between the two. */
    private record Below(String path, int groups) {}

    /** Adds a node that is an array, or puts the nodes of a group on the list of those that are left. */
    private static void collect(StoreLocation root, Below place, Node node, Arrays found, Deque<Below> left)
            throws IOException {
        if (node instanceof ArrayNode array) {
            found.arrays.put(place.path, array.spec());
            return;
        }
        StoreLocation group = root.resolve(place.path);
        for (String name : group.store().children(group.path())) {
            left.addLast(new Below(place.path.isEmpty() ? name : place.path + "/" + name, place.groups + 1));
        }
    }

    /** A store, by its path or URI, and the path of a node in it. */
    private record Argument(String place, String inner) {
        /**
         * Parses an argument. A number sign is part of the path if a file or directory with such a name exists, or if a
         * pattern follows it. Otherwise the path ends at the first number sign before which there is a file, or a
         * pattern that matches one.
         */
        static Argument parse(String text) throws IOException {
            if (text.isEmpty()) {
                throw new UsageException("\"\" does not name a store; write path or path#inner/array");
            }
            try {
                int sign = Stores.isUri(text) ? text.lastIndexOf('#') : sign(text);
                return sign <= 0
                        ? new Argument(text, "")
                        : new Argument(text.substring(0, sign), inner(text.substring(sign + 1)));
            } catch (InvalidPathException e) {
                throw new UsageException(e);
            }
        }

        /**
         * {@return the position of the number sign between the path of a store and that of a node, or -1 if there is
         * none}
         */
        private static int sign(String text) throws IOException {
            if (isFound(Path.of(text))) {
                return -1;
            }
            for (int sign = text.indexOf('#', 1); sign > 0; sign = text.indexOf('#', sign + 1)) {
                if (isFound(Path.of(text.substring(0, sign)))) {
                    return sign;
                }
            }
            int last = text.lastIndexOf('#');
            boolean ofDirectory = last < existingDirectory(Path.of(text)).length();
            return ofDirectory || text.indexOf('*', last + 1) >= 0 ? -1 : last;
        }

        /** {@return the longest existing directory at the start of a path} */
        private static String existingDirectory(Path path) {
            Path above = path.getParent();
            while (above != null && !Files.isDirectory(above)) {
                above = above.getParent();
            }
            return above == null ? "" : above.toString();
        }

        boolean isUri() {
            return Stores.isUri(place);
        }

        Path path() {
            try {
                return Path.of(place);
            } catch (InvalidPathException e) {
                throw new UsageException(e);
            }
        }

        /** {@return a path in a store without a leading slash, which paths in HDF5 have} */
        private static String inner(String text) {
            return text.startsWith("/") ? text.substring(1) : text;
        }

        /** Refuses a second number sign, unless it is in the name of a node. */
        void requireOneSign(StoreLocation location) throws IOException {
            if (inner.contains("#") && location.store().node(location.path()).isEmpty()) {
                throw new UsageException("there is no array or group at " + location
                        + "; the first # ends the path of the store, and parts of the path in it are separated by /,"
                        + " as in " + place + "#" + inner.replace('#', '/'));
            }
        }

        StoreLocation in(ChunkStore store) {
            try {
                return store.at(inner);
            } catch (IllegalArgumentException e) {
                throw new UsageException(e);
            }
        }
    }

    /** {@return what is often wrong with a path that does not exist, or nothing} */
    private static String likelyReason(String path) {
        if (path.startsWith("~")) {
            return "; a shell replaces ~ by the home directory only outside of quotes";
        }
        int colon = path.indexOf(":/");
        return colon > 1
                ? "; an address has two slashes: " + path.substring(0, colon + 1) + "/" + path.substring(colon + 1)
                : "";
    }
}
