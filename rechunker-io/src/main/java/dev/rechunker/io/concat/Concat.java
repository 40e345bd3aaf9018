package dev.rechunker.io.concat;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Joins many arrays, or groups of arrays, into one: concatenated along an axis that they have, or stacked along a new
 * one.
 *
 * <pre>{@code
 * ChunkStore years = Concat.along("time", Concat.files(directory, "ssh-*.zarr", Zarr::open));
 * Rechunker.from(years).to(target).chunks("time=-1, ...=72").maxMem("2GB").execute();
 * }</pre>
 *
 * <p>The result is a store that can only be read. To check that the sources match, each is opened once when the result
 * is created; after that, sources are opened only while their elements are read. If the sources are arrays, the result
 * is an array at the root. If they are groups, the result is a group in which each array with the axis is joined, and
 * the other arrays are those of the first source. Properties of sources that the result lacks are its
 * {@linkplain ChunkStore#omissions omissions}.
 */
public final class Concat {
    private static final int OPEN = 64;
    private static final Options DEFAULTS = new Options(OPEN, Set.of(), difference -> {}, false);

    private Concat() {}

    /** Opens the store of a source. */
    @FunctionalInterface
    public interface Opener {
        /** {@return the opened store, which the caller closes} */
        ChunkStore open() throws IOException;
    }

    /** Opens the store in a file or directory. */
    @FunctionalInterface
    public interface FileOpener {
        /** {@return the opened store, which the caller closes} */
        ChunkStore open(Path file) throws IOException;
    }

    /**
     * One of the arrays or groups to join. It is opened whenever it is needed.
     *
     * @param name the name of the source's store in messages
     * @param path the path in the store; empty for the root
     * @param opener opens the store; may be called by several threads at the same time
     */
    public record Source(String name, String path, Opener opener) {
        /** Checks the path. */
        public Source {
            ChunkStore.requirePath(path);
        }

        /** {@return a source in an open store, which stays open} */
        public static Source of(StoreLocation place) {
            return new Source(place.store().name(), place.path(), () -> new Borrowed(place.store()));
        }

        /** {@return the path in the store of a node below this source} */
        String inside(String below) {
            return path.isEmpty() || below.isEmpty() ? path + below : path + "/" + below;
        }

        /** {@return the name of a node below this source, for messages} */
        String at(String below) {
            String inside = inside(below);
            return NodePaths.inStore(name, inside);
        }

        /** {@return the opened store} */
        ChunkStore open() throws IOException {
            try {
                return opener.open();
            } catch (InterruptedIOException | ClosedChannelException e) {
                throw e;
            } catch (StoreException e) {
                throw new StoreException("the source " + name + " cannot be opened: " + e.getMessage(), e);
            } catch (IOException e) {
                throw new IOException("the source " + name + " cannot be opened: " + StoreException.reason(e), e);
            }
        }

        /** {@return name and path} */
        @Override
        public String toString() {
            return at("");
        }
    }

    /** Opens a store by its descriptor. */
    @FunctionalInterface
    public interface DescriptorOpener {
        /** {@return the opened store, which the caller closes} */
        ChunkStore open(StoreDescriptor store) throws IOException;
    }

    /**
     * {@return the joined store that a descriptor describes; its sources are checked again}
     *
     * @param opener opens the stores of the sources
     * @throws StoreException if the descriptor is invalid, or the sources do not match
     */
    public static ChunkStore open(StoreDescriptor descriptor, DescriptorOpener opener) throws IOException {
        return ConcatDescriptor.open(descriptor, opener);
    }

    /** A store that its owner closes. */
    private static final class Borrowed extends ForwardingStore {
        Borrowed(ChunkStore store) {
            super(store);
        }

        /** {@return the descriptor of the store: other processes open stores of their own} */
        @Override
        public Optional<StoreDescriptor> descriptor() {
            return delegate().descriptor();
        }

        @Override
        public void close() {}
    }

    /** {@return the nodes as sources; their stores stay open, and are closed by their owner} */
    public static List<Source> sources(StoreLocation... places) {
        return Arrays.stream(places).map(Source::of).toList();
    }

    /**
     * {@return the files in a directory whose names match a pattern, as sources in natural order: {@code ssh-2} comes
     * before {@code ssh-10}}
     *
     * @param glob the pattern, as in {@link Files#newDirectoryStream(Path, String)}, such as {@code "ssh-*.zarr"}
     * @param opener opens the store in a file
     * @throws StoreException if no file matches
     */
    public static List<Source> files(Path directory, String glob, FileOpener opener) throws IOException {
        return files(directory, glob, opener, "");
    }

    /**
     * {@return the node with the same path in each of the files, as sources in natural order}
     *
     * @param path the path of the node in each store
     */
    public static List<Source> files(Path directory, String glob, FileOpener opener, String path) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, glob)) {
            found.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        if (files.isEmpty()) {
            throw new StoreException("nothing in " + directory + " matches \"" + glob + "\"");
        }
        files.sort(Comparator.comparing(file -> String.valueOf(file.getFileName()), NaturalOrder.INSTANCE));
        return files.stream()
                .map(file -> new Source(file.toString(), path, () -> opener.open(file)))
                .toList();
    }

    /** {@return the sources concatenated along the axis with a name; see {@link Options#along(String, List)}} */
    public static ChunkStore along(String axis, List<Source> sources) throws IOException {
        return DEFAULTS.along(axis, sources);
    }

    /** {@return the nodes concatenated along the axis with a name; see {@link Options#along(String, List)}} */
    public static ChunkStore along(String axis, StoreLocation... places) throws IOException {
        return DEFAULTS.along(axis, sources(places));
    }

    /** {@return the sources concatenated along an axis; see {@link Options#along(int, List)}} */
    public static ChunkStore along(int axis, List<Source> sources) throws IOException {
        return DEFAULTS.along(axis, sources);
    }

    /** {@return the nodes concatenated along an axis; see {@link Options#along(int, List)}} */
    public static ChunkStore along(int axis, StoreLocation... places) throws IOException {
        return DEFAULTS.along(axis, sources(places));
    }

    /** {@return the sources stacked along a new first axis; see {@link Options#stack(String, int, List)}} */
    public static ChunkStore stack(String name, List<Source> sources) throws IOException {
        return DEFAULTS.stack(name, 0, sources);
    }

    /** {@return the nodes stacked along a new first axis; see {@link Options#stack(String, int, List)}} */
    public static ChunkStore stack(String name, StoreLocation... places) throws IOException {
        return DEFAULTS.stack(name, 0, sources(places));
    }

    /** {@return the sources stacked along a new axis; see {@link Options#stack(String, int, List)}} */
    public static ChunkStore stack(String name, int position, List<Source> sources) throws IOException {
        return DEFAULTS.stack(name, position, sources);
    }

    /**
     * {@return the default settings: at most 64 sources are open at the same time, and no attribute that gives numbers
     * their meaning may differ}
     */
    public static Options options() {
        return DEFAULTS;
    }

    /** The settings for joining sources. Immutable: each method returns a changed copy. */
    public static final class Options {
        private final int open;
        private final Set<String> kept;
        private final Consumer<String> differences;
        private final boolean coordinates;

        private Options(int open, Set<String> kept, Consumer<String> differences, boolean coordinates) {
            this.open = open;
            this.kept = kept;
            this.differences = differences;
            this.coordinates = coordinates;
        }

        /**
         * {@return the settings with a limit on the sources that each reader of an array has open at the same time}
         *
         * @throws IllegalArgumentException if the limit is not positive
         */
        public Options atMostOpen(int limit) {
            if (limit < 1) {
                throw new IllegalArgumentException(
                        "the limit of open sources is " + limit + ", but at least one must be open");
            }
            return new Options(limit, kept, differences, coordinates);
        }

        /**
         * {@return the settings in which attributes with these names are those of the first source, even if they give
         * numbers their meaning; differences of other sources in them are no losses}
         *
         * @param attributes names in all arrays and groups, such as {@code "valid_range"}, or in one of them, such as
         *     {@code "time:units"}
         */
        public Options keepFirst(String... attributes) {
            Set<String> more = new HashSet<>(kept);
            more.addAll(Arrays.asList(attributes));
            return new Options(open, Set.copyOf(more), differences, coordinates);
        }

        /**
         * {@return the settings with a listener for differences} It is called once for each attribute of an array or
         * group in which a source differs from the first one, whose value is used.
         */
        public Options onDifference(Consumer<String> listener) {
            return new Options(open, kept, listener, coordinates);
        }

        /**
         * {@return the settings in which arrays of groups come with their coordinates, if the first one has any}
         *
         * <p>The joined store is then a group with the array under its name, the coordinates of its axes, and what its
         * attributes {@code coordinates}, {@code bounds}, {@code grid_mapping} and the like name. An axis is one of the
         * array, and only the array is stacked along a new one: the others must be equal in all sources. Nothing
         * changes for sources that are groups or the roots of stores.
         */
        public Options withCoordinates() {
            return new Options(open, kept, differences, true);
        }

        /**
         * {@return a read-only store of the sources, concatenated along an axis}
         *
         * @param axis the name of the axis
         * @throws IllegalArgumentException if there are no sources, or they do not have the axis
         * @throws StoreException if the sources do not match; the message names the one that differs
         */
        public ChunkStore along(String axis, List<Source> sources) throws IOException {
            return inspect(new Join(axis, -1, false), sources);
        }

        /**
         * {@return a read-only store of the sources, concatenated along an axis}
         *
         * @param axis the axis, counted from 0; in groups, it must have the same name in all arrays that have it
         * @throws IllegalArgumentException if there are no sources, or they do not have the axis
         * @throws StoreException if the sources do not match; the message names the one that differs
         */
        public ChunkStore along(int axis, List<Source> sources) throws IOException {
            if (axis < 0) {
                throw new IllegalArgumentException("axis " + axis + " is negative; axes are counted from 0");
            }
            return inspect(new Join(null, axis, false), sources);
        }

        /** {@return a read-only store of the sources, stacked along a new first axis} */
        public ChunkStore stack(String name, List<Source> sources) throws IOException {
            return stack(name, 0, sources);
        }

        /**
         * {@return a read-only store of the sources, stacked along a new axis with one entry for each source}
         *
         * <p>In groups, arrays with one axis of their own name (coordinates) are not stacked, but taken from the first
         * source.
         *
         * @param name the name of the new axis
         * @param position the index of the new axis among all axes
         * @throws IllegalArgumentException if there are no sources, or an array already has an axis with this name, or
         *     too few axes
         * @throws StoreException if the sources do not match; the message names the one that differs
         */
        public ChunkStore stack(String name, int position, List<Source> sources) throws IOException {
            if (position < 0) {
                throw new IllegalArgumentException("axis " + position + " is negative; axes are counted from 0");
            }
            if (name.isEmpty()) {
                throw new IllegalArgumentException("the new axis \"\" has no name; give it one");
            }
            return inspect(new Join(name, position, true), sources);
        }

        ChunkStore inspect(Join join, List<Source> sources) throws IOException {
            if (sources.isEmpty()) {
                throw new IllegalArgumentException("there are no sources to join");
            }
            Omissions omissions = new Omissions();
            MemberCheck check = new MemberCheck(kept, differences, omissions);
            Optional<Variables> variables = coordinates ? Variables.of(sources.get(0)) : Optional.empty();
            ConcatDescriptor descriptor = new ConcatDescriptor(join, open, check, coordinates);
            if (variables.isEmpty()) {
                return new Inspection(join, open, check, omissions, descriptor).join(List.copyOf(sources));
            }
            List<Source> groups = sources.stream().map(Variables::group).toList();
            return new Inspection(variables.get().named(join), open, check, omissions, descriptor).join(groups);
        }
    }
}
