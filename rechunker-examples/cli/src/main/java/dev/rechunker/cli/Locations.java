package dev.rechunker.cli;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.NodePaths;
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.Failures;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Nodes of stores, as arguments name them: {@code path}, or {@code path#inner/array}. */
final class Locations {
    /** How an argument names a node, for the help. */
    static final String FORM =
            "A store (Zarr, N5, HDF5), or a node in it: path or path#inner/array. Zarr and N5 may also"
                    + " be in s3://bucket/path, and all be read from there and from https://host/path.";

    private Locations() {}

    /** {@return the node that an argument names, which must be there} */
    static StoreLocation existing(String argument) throws IOException {
        Argument parsed = Argument.parse(argument);
        if (!parsed.isUri()) {
            requireThere(parsed.path());
        }
        try {
            return parsed.in(Formats.open(parsed.place));
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private static void requireThere(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new UsageException(file + " does not exist");
        } catch (IOException e) {
            throw new UsageException(e);
        }
    }

    /** {@return the nodes that an argument names, opened when they are needed; a name may be a pattern with stars} */
    static List<Concat.Source> sources(String argument) throws IOException {
        Argument parsed = Argument.parse(argument);
        if (parsed.isUri()) {
            try {
                List<Concat.Source> found = new ArrayList<>();
                for (String place :
                        parsed.place.contains("*") ? Stores.matching(parsed.place) : List.of(parsed.place)) {
                    try (KeyStore keys = Stores.keys(place)) { // its name has no secrets in it
                        found.add(new Concat.Source(keys.name(), parsed.inner, () -> Formats.open(place)));
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
                throw new UsageException("nothing in " + directory + " is called like \"" + name + "\"");
            }
            return Concat.files(directory, glob(name), path -> Formats.open(path.toString()), parsed.inner);
        }
        requireThere(file);
        return List.of(new Concat.Source(file.toString(), parsed.inner, () -> Formats.open(parsed.place)));
    }

    /** {@return whether there is a file, or one whose name fits where the last name is a pattern with stars} */
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

    /** {@return a name with stars as a pattern of files, in which stars are all that is special} */
    private static String glob(String name) {
        return name.replaceAll("[\\\\\\[\\]{}?]", "\\\\$0");
    }

    /** {@return the node that an argument names, in a format of {@link Formats}, which need not be there} */
    static StoreLocation target(String argument, @Nullable String format, ImageOptions image) throws IOException {
        Argument parsed = Argument.parse(argument);
        try {
            return parsed.in(Formats.create(parsed.place, Formats.of(parsed.place, format), image));
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    /** {@return what is at the place that an argument names} */
    static Node node(StoreLocation place) throws IOException {
        try {
            return found(place);
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private static Node found(StoreLocation place) throws IOException {
        return place.store()
                .node(place.path())
                .orElseThrow(() -> new UsageException("there is no array or group at " + place));
    }

    /**
     * What is at a place and below it.
     *
     * @param arrays by their paths from there, sorted
     * @param refused nodes below it that cannot be read, and why, likewise
     */
    record Arrays(Map<String, ArraySpec> arrays, Map<String, String> refused) {}

    /** {@return the arrays at a place and below it; the place itself must be one that can be read} */
    static Arrays arrays(StoreLocation place) throws IOException {
        Arrays found = new Arrays(new TreeMap<>(), new TreeMap<>());
        collect(place, "", node(place), found);
        return found;
    }

    private static void collect(StoreLocation root, String path, Node node, Arrays found) throws IOException {
        if (node instanceof ArrayNode array) {
            found.arrays.put(path, array.spec());
            return;
        }
        StoreLocation place = root.resolve(path);
        for (String name : place.store().children(place.path())) {
            String child = NodePaths.below(path, name);
            try {
                collect(root, child, found(root.resolve(child)), found);
            } catch (StoreException | FileSystemException e) { // what a remote place fails by is not of one node
                found.refused.put(child, Failures.reason(e));
            }
        }
    }

    /** A store, by its path or URI, and the path of a node in it. */
    private record Argument(String place, String inner) {
        /**
         * A number sign is part of the path if there is such a file or directory, or a pattern behind it; else the path
         * ends at the first one before which there is a file, or a pattern of some.
         */
        static Argument parse(String text) throws IOException {
            if (text.isEmpty()) {
                throw new UsageException("\"\" names no store; write path or path#inner/array");
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

        /** {@return where the path ends of a file and a node in it, -1 if it does not} */
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

        /** {@return the directories at the beginning of a path that exist} */
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

        /** A slash at the start, as HDF5's paths have it, means the root. */
        private static String inner(String text) {
            return text.startsWith("/") ? text.substring(1) : text;
        }

        StoreLocation in(ChunkStore store) {
            try {
                return store.at(inner);
            } catch (IllegalArgumentException e) {
                throw new UsageException(e);
            }
        }
    }
}
