package dev.rechunker.io.bytes;

import dev.rechunker.journal.RunDirectory;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files below a directory. A value is written to a temporary file, which is then renamed in one step.
 *
 * <p>The directory itself may be a link; links inside of it are followed only if they stay inside, or lead to content
 * that git-annex keeps for the repository that the directory is in. A link to nothing is an error, not a missing value.
 * Nothing is created before the first value is written. Pipes and devices are not opened, because reading them might
 * never end.
 */
public sealed class DirectoryKeys implements KeyStore, LocalKeys permits AssembledKeys {
    /** The end of the address of a store whose links are followed. */
    private static final String FOLLOW_LINKS = "?links=follow";

    private final DirectoryPaths paths;
    private volatile boolean durable;

    /**
     * Creates a store of the files in a directory, which need not exist yet. Links that lead out of it are refused.
     *
     * @throws IllegalArgumentException if the directory is not in the default file system, as one inside of a zip file:
     *     such file systems cannot lock files, nor open them without following links
     */
    public DirectoryKeys(Path root) {
        this(root, false);
    }

    DirectoryKeys(Path root, boolean followLinks) {
        if (!root.getFileSystem().equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException(
                    root + " is not in the default file system; open a zip file by the path of the file itself");
        }
        this.paths = new DirectoryPaths(root, followLinks);
    }

    /**
     * {@return a store of the files in a directory whose links are followed wherever they lead, but for reading only}
     *
     * <p>For directories that one trusts: a link that another user has made may lead to any file of the one who runs
     * this.
     *
     * @throws IllegalArgumentException if the directory is not in the default file system
     */
    public static DirectoryKeys followingLinks(Path root) {
        return new DirectoryKeys(root, true);
    }

    @Override
    public String name() {
        return paths.root().toString();
    }

    @Override
    public String identity() {
        return DataPlace.ofFile(paths.root()).toString();
    }

    @Override
    public DataPlace place(String prefix) throws IOException {
        return DataPlace.ofFile(paths.directory(prefix));
    }

    @Override
    public Optional<String> address() {
        String uri = paths.root().toAbsolutePath().normalize().toUri().toString();
        return Optional.of(paths.followLinks() ? uri + FOLLOW_LINKS : uri);
    }

    /** {@return the store at an address that {@link #address()} has returned} */
    public static DirectoryKeys at(String address) {
        boolean followLinks = address.endsWith(FOLLOW_LINKS);
        String uri = followLinks ? address.substring(0, address.length() - FOLLOW_LINKS.length()) : address;
        return new DirectoryKeys(Path.of(URI.create(uri)), followLinks);
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.ofNullable(paths.root().toAbsolutePath().getParent());
    }

    @Override
    public Optional<LocalKeys> local() {
        return Optional.of(this);
    }

    @Override
    public Path workDirectory(String prefix) throws IOException {
        Path directory = paths.directory(prefix).resolve(Keys.WORK);
        requireNoDeadLink(directory);
        if (Files.exists(directory)) {
            paths.requireInside(Keys.WORK, directory.toRealPath());
        } else if (Files.exists(DirectoryPaths.parent(directory))) {
            paths.requireInside(prefix, DirectoryPaths.parent(directory).toRealPath());
        }
        return directory;
    }

    /**
     * Refuses a path that is a dangling link, or leads through one.
     *
     * @throws StoreException naming the link
     */
    public static void requireNoDeadLink(Path path) throws StoreException {
        for (Path p = path; p != null && !Files.exists(p); p = p.getParent()) {
            if (Files.isSymbolicLink(p)) {
                throw new StoreException(
                        p
                                + " is a link whose target does not exist, so nothing can be created there; remove the link, or write elsewhere");
            }
        }
    }

    @Override
    public void makeDurable() {
        durable = true;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public boolean readsParts() {
        return true;
    }

    @Override
    public long sourceBytes() {
        return Transfers.PIECE;
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        Path file = paths.file(key);
        try {
            Path parent = DirectoryPaths.parent(file);
            if (!paths.isKnown(parent) && !enter(key, parent)) {
                return Optional.empty();
            }
            BasicFileAttributes attributes = attributes(file);
            if (attributes.isSymbolicLink()) {
                file = target(key, file);
                paths.requireReadableFile(key, file);
                attributes = attributes(file);
            }
            if (attributes.isDirectory()) {
                return Optional.empty();
            }
            if (!attributes.isRegularFile()) {
                throw new StoreException(name() + "/" + key + " is a pipe or a device, not a file, and is not read");
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new FileSource(name() + "/" + key, channel, attributes));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (FileSystemException e) {
            if (isBelowFile(file)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** {@return the path that a link leads to} */
    private Path target(String key, Path link) throws IOException {
        try {
            return link.toRealPath();
        } catch (NoSuchFileException e) {
            paths.requireNoDeadLink(key, link);
            throw e; // removed meanwhile
        }
    }

    /** Checks a directory before values in it are read. {@return whether it exists} */
    private boolean enter(String key, Path directory) throws IOException {
        Path real;
        try {
            real = directory.toRealPath();
        } catch (NoSuchFileException e) {
            paths.requireNoDeadLink(key, directory);
            return false;
        }
        paths.requireReadable(key, real);
        if (!paths.followLinks()) {
            paths.remember(directory);
        }
        return true;
    }

    /** Lists a link to nothing as a directory, so that what it stands for is found to be missing. */
    @Override
    public Listing list(String prefix) throws IOException {
        Path directory = paths.directory(prefix);
        List<String> values = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            paths.requireReadable(prefix, directory.toRealPath());
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (isDirectoryOrDeadLink(entry)) {
                    if (!holdsOnlyWorkDirectory(entry)) {
                        directories.add(name);
                    }
                } else {
                    values.add(name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return new Listing(List.of(), List.of());
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(values);
        Collections.sort(directories);
        return new Listing(values, directories);
    }

    @Override
    public void put(String key, ByteBuffer value) throws IOException {
        try (ByteSink sink = create(key, FileSink::new)) {
            sink.write(0, value);
            sink.commit();
        }
    }

    @Override
    public ByteSink create(String key, long most, Scratch scratch) throws IOException {
        return create(key, FileSink::new);
    }

    @Override
    public boolean sharesSinks() {
        return true;
    }

    @Override
    public SharedSink createShared(String key) throws IOException {
        return create(key, SharedFileSink::unique);
    }

    @Override
    public SharedSink createResumable(String key, OptionalLong kept) throws IOException {
        return create(key, (file, durably) -> SharedFileSink.resumable(file, kept, durably));
    }

    @Override
    public Path resumableSinksFile(String prefix) throws IOException {
        Path directory = paths.directory(prefix);
        Files.createDirectories(directory);
        paths.requireInside(prefix, directory.toRealPath());
        return directory.resolve(Keys.TEMPORARY + "units");
    }

    /** Creates a sink. */
    private interface SinkFactory<S extends ByteSink> {
        S create(Path file, boolean durable) throws IOException;
    }

    private <S extends ByteSink> S create(String key, SinkFactory<S> factory) throws IOException {
        Path file = paths.file(key);
        Path parent = DirectoryPaths.parent(file);
        if (paths.isKnown(parent)) {
            try {
                return factory.create(file, durable);
            } catch (NoSuchFileException e) {
                paths.forget();
            }
        }
        Path existing = parent;
        while (Files.notExists(existing) && !existing.equals(paths.root())) {
            existing = DirectoryPaths.parent(existing);
        }
        if (Files.exists(existing)) {
            paths.requireInside(key, existing.toRealPath());
        }
        Files.createDirectories(parent);
        if (durable) {
            forceNamesDownTo(parent);
        }
        paths.remember(parent);
        return factory.create(file, durable);
    }

    @Override
    public void delete(String key) throws IOException {
        Path file = paths.file(key);
        try {
            paths.requireInside(key, DirectoryPaths.parent(file).toRealPath());
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            return;
        }
    }

    @Override
    public void deleteTree(String prefix) throws IOException {
        Path directory = paths.file(prefix);
        paths.forget();
        try {
            paths.requireInside(prefix, DirectoryPaths.parent(directory).toRealPath());
        } catch (NoSuchFileException e) {
            return;
        }
        Removal.deleteBelow(directory, name -> true);
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException late) {
            throw new StoreException(directory + " cannot be removed, because another process is writing to it", late);
        }
    }

    @Override
    public void deleteBelow(String prefix, Predicate<String> names) throws IOException {
        Path directory = paths.directory(prefix);
        paths.forget();
        try {
            paths.requireInside(prefix, directory.toRealPath());
            Removal.deleteBelow(directory.toRealPath(), names);
        } catch (NoSuchFileException e) {
            return;
        }
    }

    @Override
    public void deleteAbandoned(String prefix) throws IOException {
        deleteTemporary(prefix, TemporaryName::isOrphan);
    }

    @Override
    public void deleteUncommitted(String prefix) throws IOException {
        deleteTemporary(prefix, TemporaryName::mayBeAbandoned);
    }

    private void deleteTemporary(String prefix, Predicate<String> names) throws IOException {
        Path directory = paths.directory(prefix);
        if (!Files.isDirectory(directory)) {
            return;
        }
        paths.requireInside(prefix, directory.toRealPath());
        Removal.deleteFiles(directory, names);
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Makes the names of a directory, of the root and of all directories between them durable. */
    private void forceNamesDownTo(Path directory) throws IOException {
        Path named = directory;
        RunDirectory.forceNames(DirectoryPaths.parent(named));
        while (!named.equals(paths.root())) {
            named = DirectoryPaths.parent(named);
            RunDirectory.forceNames(DirectoryPaths.parent(named));
        }
    }

    private static boolean isDirectoryOrDeadLink(Path entry) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = attributes(entry);
        } catch (NoSuchFileException removedMeanwhile) {
            return false;
        }
        return attributes.isSymbolicLink()
                ? Files.isDirectory(entry) || Files.notExists(entry)
                : attributes.isDirectory();
    }

    /** {@return whether a directory contains nothing but the files of a run} */
    private static boolean holdsOnlyWorkDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory.resolve(Keys.WORK), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.limit(2).count() == 1;
        }
    }

    /** {@return whether a file is where the path of this file needs a directory, so that this file cannot exist} */
    private static boolean isBelowFile(Path file) {
        for (Path p = file.toAbsolutePath().getParent(); p != null; p = p.getParent()) {
            if (Files.isRegularFile(p)) {
                return true;
            }
        }
        return false;
    }
}
