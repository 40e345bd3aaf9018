package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import io.tiledb.java.api.Group;
import io.tiledb.java.api.TileDBError;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The arrays and groups of a new directory while they are written: the path of each is that of its directory. An array
 * that is not committed has a mark in its directory. Groups get their members when the directory is complete.
 */
final class TileDbTree implements ChunkStore, FormatRules, Resumable {
    private static final Capabilities CAPABILITIES = Capabilities.ofHierarchy()
            .withWritable(true)
            .withConcurrentWriters(true)
            .withAtomicPublish(true);

    /** The name of the file in the directory of an array that is not committed. */
    private static final String INCOMPLETE = "__incomplete";

    private final AssembledKeys keys;
    private final Path root;

    TileDbTree(AssembledKeys keys) {
        this.keys = keys;
        this.root = keys.tree();
    }

    @Override
    public String name() {
        return keys.name();
    }

    @Override
    public String identity() {
        return TileDb.KIND + " " + DataPlace.ofFile(keys.file());
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public List<DataPlace> places(String path) {
        return List.of(keys.place(path));
    }

    @Override
    public Optional<Path> localDirectory() {
        return keys.localDirectory();
    }

    private String name(String path) {
        return NodePaths.inStore(name(), path);
    }

    private Path directory(String path) {
        return path.isEmpty() ? root : root.resolve(path);
    }

    private static boolean isCommitted(Path directory) {
        return TileDb.isArray(directory) && !Files.exists(directory.resolve(INCOMPLETE));
    }

    private TileDbArray array(String path) throws IOException {
        try (Native context = Native.open(TileDbStore.BUDGET)) {
            return TileDbArray.read(context, directory(path), name(path), Long.MAX_VALUE);
        }
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Path directory = directory(path);
        if (TileDb.isArray(directory)) {
            return isCommitted(directory)
                    ? Optional.of(new ArrayNode(array(path).spec("")))
                    : Optional.empty();
        }
        if (TileDb.isGroup(directory)) {
            try (Native context = Native.open(TileDbStore.BUDGET)) {
                return Optional.of(new GroupNode(
                        TileDbGroup.read(context, directory, name(path)).group(), false));
            }
        }
        return children(path).isEmpty() ? Optional.empty() : Optional.of(new GroupNode(GroupSpec.EMPTY, false));
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        Path directory = directory(path);
        Set<String> names = new TreeSet<>();
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && !TileDb.isArray(directory)) {
            for (String name : below(directory)) {
                String child = NodePaths.below(path, name);
                Path below = directory(child);
                boolean isThere = TileDb.isArray(below)
                        ? isCommitted(below)
                        : TileDb.isGroup(below) || !children(child).isEmpty();
                if (isThere) {
                    names.add(name);
                }
            }
        }
        return List.copyOf(names);
    }

    /** {@return the names of directories of arrays and groups in the directory of a group} */
    private static List<String> below(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && !name.startsWith("__")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!isCommitted(directory(path))) {
            throw new StoreException(name(path) + (node(path).isPresent() ? " is a group" : " does not exist"));
        }
        TileDbArray array = array(path);
        return array.openReader("", name(path), Long.MAX_VALUE, Optional.of(written(array.spec(""))));
    }

    // ---- rules ---------------------------------------------------------------------------------------------------

    @Override
    public FormatRules rules() {
        return this;
    }

    @Override
    public void requireName(String path) throws StoreException {
        ChunkStore.requirePath(path);
        for (String name : path.split("/", -1)) {
            if (name.startsWith("__")) {
                throw new StoreException(
                        name(path) + " is not possible: in TileDB, names that start with __ are its own");
            }
        }
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return TileDbSpec.adopt(foreign);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        TileDb.requireLibrary();
        return TileDbSpec.resolve(name(), wanted);
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        TileDb.requireLibrary();
        return TileDbAttributes.resolve(group);
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) {
        return TileDbWriter.traits(resolved);
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) {
        return Optional.of(TileDbReader.traits(resolved, written(resolved)));
    }

    private static Fragments written(ArraySpec spec) {
        return Fragments.ofTiles(spec.chunks().count());
    }

    // ---- writing -------------------------------------------------------------------------------------------------

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        requireName(path);
        for (String above : NodePaths.ancestors(path)) {
            if (TileDb.isArray(directory(above))) {
                throw new StoreException(name(above) + " is an array, so " + name(path) + " cannot be in it");
            }
        }
        Path directory = directory(path);
        if (isCommitted(directory) && !overwrite) {
            throw new StoreException(name(path) + " exists already; allow overwriting, or write elsewhere");
        }
        if (!TileDb.isArray(directory) && node(path).isPresent()) {
            throw new StoreException(name(path) + " is a group, which is not replaced by an array; write elsewhere");
        }
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        requireFree(path, spec, overwrite);
        ArraySpec resolved = resolve(spec);
        Path directory = directory(path);
        delete(directory);
        Files.createDirectories(
                Objects.requireNonNull(directory.toAbsolutePath().getParent()));
        Files.createDirectory(directory);
        Files.createFile(directory.resolve(INCOMPLETE));
        try (Native context = Native.open(TileDbStore.BUDGET)) {
            ArrayCreation.create(context, directory, name(path), resolved);
        }
        return writer(path, resolved);
    }

    private ArrayWriter writer(String path, ArraySpec spec) throws IOException {
        Path directory = directory(path);
        Native context = Native.open(TileDbStore.BUDGET);
        try {
            OpenArray array = OpenArray.write(context, directory, name(path));
            return new TileDbWriter(name(path), context, array, spec, () -> {
                ArrayCreation.complete(context, directory, name(path));
                Files.deleteIfExists(directory.resolve(INCOMPLETE));
            });
        } catch (StoreException | RuntimeException e) {
            context.close();
            throw e;
        }
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        requireName(path);
        for (String node : NodePaths.ancestors(path)) {
            requireNoArray(node);
        }
        requireNoArray(path);
        Path directory = directory(path);
        Files.createDirectories(directory);
        for (String own : List.of("__tiledb_group.tdb", "__group", "__meta")) {
            delete(directory.resolve(own));
        }
        try (Native context = Native.open(TileDbStore.BUDGET)) {
            Native.call(name(path), () -> {
                Group.create(context, OpenArray.uri(directory));
                return "";
            });
            Map<String, MetadataValue> metadata = TileDbAttributes.metadata(group.attributes(), group.attributeTypes());
            try (OpenGroup open = OpenGroup.write(context, directory, name(path))) {
                for (Map.Entry<String, MetadataValue> value : metadata.entrySet()) {
                    open.put(value.getKey(), value.getValue());
                }
            } catch (TileDBError e) {
                throw Native.failure(name(path), e);
            }
        }
    }

    private void requireNoArray(String path) throws StoreException {
        if (TileDb.isArray(directory(path))) {
            throw new StoreException(name(path) + " is an array, not a group");
        }
    }

    /** Adds members to groups, deletes what was not committed, and gives the directory its new path. */
    void complete(Path target) throws IOException {
        if (Files.exists(root)) {
            try (Native context = Native.open(TileDbStore.BUDGET)) {
                complete(context, "");
            }
            Files.move(root, target);
        }
    }

    private void complete(Native context, String path) throws IOException {
        Path directory = directory(path);
        if (TileDb.isArray(directory)) {
            return;
        }
        if (!TileDb.isGroup(directory)) {
            writeGroup(path, GroupSpec.EMPTY, false);
        }
        List<String> children = children(path);
        for (String name : below(directory)) {
            if (!children.contains(name)) {
                delete(directory.resolve(name));
            }
        }
        for (String child : children) {
            complete(context, NodePaths.below(path, child));
        }
        try (OpenGroup read = OpenGroup.read(context, directory, name(path))) {
            Set<@Nullable String> known = new HashSet<>();
            read.members().forEach(member -> known.add(member.name()));
            try (OpenGroup open = OpenGroup.write(context, directory, name(path))) {
                for (String child : children) {
                    if (!known.contains(child)) {
                        open.addMember(child, true, child);
                    }
                }
            }
        } catch (TileDBError e) {
            throw Native.failure(name(path), e);
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    // ---- resuming ------------------------------------------------------------------------------------------------

    @Override
    public Optional<Resumable> resumable() {
        return Optional.of(this);
    }

    @Override
    public Path workDirectory(String path) throws IOException {
        return keys.workDirectory(path);
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        Path directory = directory(path);
        if (!TileDb.isArray(directory) || !Files.exists(directory.resolve(INCOMPLETE))) {
            throw new StoreException(name(path) + " is no array that was begun and not completed");
        }
        if (!array(path).spec("").equals(spec)) {
            throw new StoreException(name(path) + " was begun with another spec, and cannot be resumed");
        }
        return writer(path, spec);
    }

    @Override
    public void close() throws IOException {
        keys.close();
    }
}
