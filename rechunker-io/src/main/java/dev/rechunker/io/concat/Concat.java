package dev.rechunker.io.concat;

import dev.rechunker.array.NodePaths;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.Failures;
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
import java.util.Set;
import java.util.function.Consumer;

/**
 * The door to many arrays, or groups of arrays, seen as one: put one after the other along an axis that they have, or
 * stacked along a new one.
 *
 * <pre>{@code
 * ChunkStore years = Concat.along("time", Concat.files(directory, "ssh-*.zarr", Zarr::open));
 * Rechunker.from(years).to(target).chunks("time=-1, ...=72").maxMem("2GB").execute();
 * }</pre>
 *
 * <p>The result can only be read. Sources are opened one after the other when it is made, to see that they belong
 * together, and then only while their elements are read. Sources that are arrays make an array at the root; sources
 * that are groups make a group, in which each array that has the axis is joined, and the others are taken from the
 * first source. What sources say and the result does not is among its {@linkplain ChunkStore#omissions omissions}.
 */
public final class Concat {
    private static final int OPEN = 64;
    private static final Options DEFAULTS = new Options(OPEN, Set.of(), difference -> {});

    private Concat() {}

    /** Opens the store that holds a source. */
    @FunctionalInterface
    public interface Opener {
        /** {@return the store, open; it is closed by whoever asked} */
        ChunkStore open() throws IOException;
    }

    /** Opens the store that is in a file or directory. */
    @FunctionalInterface
    public interface FileOpener {
        /** {@return the store, open; it is closed by whoever asked} */
        ChunkStore open(Path file) throws IOException;
    }

    /**
     * One of the arrays or groups that are joined; opened when it is needed, and as often as it is.
     *
     * @param name what it is called in messages
     * @param path where it is in its store; empty for the root
     * @param opener opens its store; called by any thread, also by several at once
     */
    public record Source(String name, String path, Opener opener) {
        /** Checks the path. */
        public Source {
            ChunkStore.requirePath(path);
        }

        /** {@return a source in a store that is open, and stays so} */
        public static Source of(StoreLocation place) {
            return new Source(place.store().name(), place.path(), () -> new Borrowed(place.store()));
        }

        /** {@return the path in the store of a node below this source} */
        String inside(String below) {
            return path.isEmpty() || below.isEmpty() ? path + below : path + "/" + below;
        }

        /** {@return a node below this source, for messages} */
        String at(String below) {
            String inside = inside(below);
            return NodePaths.inStore(name, inside);
        }

        /** {@return its store, open} */
        ChunkStore open() throws IOException {
            try {
                return opener.open();
            } catch (InterruptedIOException | ClosedChannelException e) {
                throw e;
            } catch (StoreException e) {
                throw new StoreException("the source " + name + " cannot be opened: " + e.getMessage(), e);
            } catch (IOException e) {
                throw new IOException("the source " + name + " cannot be opened: " + Failures.reason(e), e);
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
        /** {@return the store, open; it is closed by whoever asked} */
        ChunkStore open(StoreDescriptor store) throws IOException;
    }

    /**
     * {@return the store that a descriptor of a store of this class describes; its sources are looked at anew}
     *
     * @param opener opens the stores of the sources
     * @throws StoreException if it is none, or the sources do not belong together
     */
    public static ChunkStore open(StoreDescriptor descriptor, DescriptorOpener opener) throws IOException {
        return Description.open(descriptor, opener);
    }

    /** A store that somebody else closes. */
    private static final class Borrowed extends ForwardingStore {
        Borrowed(ChunkStore store) {
            super(store);
        }

        @Override
        public void close() {}
    }

    /** {@return these nodes as sources; their stores stay open, and are closed by their owner} */
    public static List<Source> sources(StoreLocation... places) {
        return Arrays.stream(places).map(Source::of).toList();
    }

    /**
     * {@return what is in a directory under names that match a pattern, as sources in natural order: {@code ssh-2}
     * comes before {@code ssh-10}}
     *
     * @param glob the pattern, as in {@link Files#newDirectoryStream(Path, String)}: {@code "ssh-*.zarr"}
     * @param opener opens one of them
     * @throws StoreException if there is none
     */
    public static List<Source> files(Path directory, String glob, FileOpener opener) throws IOException {
        return files(directory, glob, opener, "");
    }

    /**
     * {@return the same node in each of the files, as sources in natural order}
     *
     * @param path where the node is in each store
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

    /**
     * {@return the sources, one after the other along the axis of this name; see {@link Options#along(String, List)}}
     */
    public static ChunkStore along(String axis, List<Source> sources) throws IOException {
        return DEFAULTS.along(axis, sources);
    }

    /** {@return the nodes, one after the other along the axis of this name; see {@link Options#along(String, List)}} */
    public static ChunkStore along(String axis, StoreLocation... places) throws IOException {
        return DEFAULTS.along(axis, sources(places));
    }

    /** {@return the sources, one after the other along an axis; see {@link Options#along(int, List)}} */
    public static ChunkStore along(int axis, List<Source> sources) throws IOException {
        return DEFAULTS.along(axis, sources);
    }

    /** {@return the nodes, one after the other along an axis; see {@link Options#along(int, List)}} */
    public static ChunkStore along(int axis, StoreLocation... places) throws IOException {
        return DEFAULTS.along(axis, sources(places));
    }

    /**
     * {@return the sources, one behind the other along a new first axis; see {@link Options#stack(String, int, List)}}
     */
    public static ChunkStore stack(String name, List<Source> sources) throws IOException {
        return DEFAULTS.stack(name, 0, sources);
    }

    /**
     * {@return the nodes, one behind the other along a new first axis; see {@link Options#stack(String, int, List)}}
     */
    public static ChunkStore stack(String name, StoreLocation... places) throws IOException {
        return DEFAULTS.stack(name, 0, sources(places));
    }

    /** {@return the sources, one behind the other along a new axis; see {@link Options#stack(String, int, List)}} */
    public static ChunkStore stack(String name, int position, List<Source> sources) throws IOException {
        return DEFAULTS.stack(name, position, sources);
    }

    /** {@return the usual settings, to be changed: at most 64 sources open at once, no difference tolerated} */
    public static Options options() {
        return DEFAULTS;
    }

    /** How sources are joined. Immutable: each setting returns a changed copy. */
    public static final class Options {
        private final int open;
        private final Set<String> kept;
        private final Consumer<String> differences;

        private Options(int open, Set<String> kept, Consumer<String> differences) {
            this.open = open;
            this.kept = kept;
            this.differences = differences;
        }

        /**
         * {@return the settings with at most so many sources open at once, by each reader of an array}
         *
         * @throws IllegalArgumentException if the limit is not positive
         */
        public Options atMostOpen(int limit) {
            if (limit < 1) {
                throw new IllegalArgumentException("a limit of " + limit + " open sources; at least one must be open");
            }
            return new Options(limit, kept, differences);
        }

        /**
         * {@return the settings that take attributes of these names from the first source, also if they say what the
         * numbers mean; that others differ in them is no loss then}
         *
         * @param attributes names, {@code "valid_range"}, or names in one array or group, {@code "time:units"}
         */
        public Options keepFirst(String... attributes) {
            Set<String> more = new HashSet<>(kept);
            more.addAll(Arrays.asList(attributes));
            return new Options(open, Set.copyOf(more), differences);
        }

        /**
         * {@return the settings that tell of each attribute in which a source differs from the first, whose value is
         * kept; once for each attribute of each array or group}
         */
        public Options onDifference(Consumer<String> listener) {
            return new Options(open, kept, listener);
        }

        /**
         * {@return a read-only store in which the sources lie one after the other along an axis}
         *
         * @param axis the name of the axis
         * @throws IllegalArgumentException if there are no sources, or no such axis
         * @throws StoreException if the sources do not belong together; it names the one that does not fit
         */
        public ChunkStore along(String axis, List<Source> sources) throws IOException {
            return inspect(new Join(axis, -1, false), sources);
        }

        /**
         * {@return a read-only store in which the sources lie one after the other along an axis}
         *
         * @param axis the axis, counted from 0. In groups, all arrays that have so many axes call it the same
         * @throws IllegalArgumentException if there are no sources, or no such axis
         * @throws StoreException if the sources do not belong together; it names the one that does not fit
         */
        public ChunkStore along(int axis, List<Source> sources) throws IOException {
            if (axis < 0) {
                throw new IllegalArgumentException("axis " + axis + " is negative; axes are counted from 0");
            }
            return inspect(new Join(null, axis, false), sources);
        }

        /** {@return the sources, one behind the other along a new first axis} */
        public ChunkStore stack(String name, List<Source> sources) throws IOException {
            return stack(name, 0, sources);
        }

        /**
         * {@return a read-only store in which the sources lie one behind the other along a new axis, one entry for
         * each}
         *
         * <p>In groups, arrays of one axis that are called like their axis (coordinates) are not stacked: they are
         * taken from the first source.
         *
         * @param name the name of the new axis
         * @param position its place among the axes
         * @throws IllegalArgumentException if there are no sources, or an array has an axis of this name, or fewer axes
         * @throws StoreException if the sources do not belong together; it names the one that does not fit
         */
        public ChunkStore stack(String name, int position, List<Source> sources) throws IOException {
            if (position < 0) {
                throw new IllegalArgumentException("axis " + position + " is negative; axes are counted from 0");
            }
            if (name.isEmpty()) {
                throw new IllegalArgumentException(
                        "the new axis \"\" has no name, by which it could be told from others");
            }
            return inspect(new Join(name, position, true), sources);
        }

        ChunkStore inspect(Join join, List<Source> sources) throws IOException {
            if (sources.isEmpty()) {
                throw new IllegalArgumentException("there are no sources to put one after the other");
            }
            Omissions omissions = new Omissions();
            Likeness likeness = new Likeness(kept, differences, omissions);
            return new Inspection(join, open, likeness, omissions).of(List.copyOf(sources));
        }
    }
}
