package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that writes a new file of the classic format, {@code NAME} as {@code NAME.part}.
 *
 * <p>The file exists when {@link #finish} returns; {@link #close} without {@code finish} deletes it. Committed arrays
 * can be read through this store as long as it is open. Nothing can be added to a finished file.
 */
final class ClassicTarget implements ChunkStore, FormatRules {
    private static final Capabilities CAPABILITIES = Capabilities.ofHierarchy()
            .withWritable(true)
            .withConcurrentWriters(true)
            .withAtomicPublish(true)
            .withNamedArrays(true);

    private final Path file;
    private final String format;
    private final DirectoryKeys place;
    private Map<String, ArraySpec> expected = Map.of();
    private @Nullable FileLayout announced;
    private @Nullable ClassicSession session;

    ClassicTarget(Path file, String format) {
        if (file.getFileName() == null) {
            throw new IllegalArgumentException(file + " is not the name of a file");
        }
        this.file = file;
        this.format = format;
        this.place = new DirectoryKeys(file);
    }

    @Override
    public synchronized Optional<ChunkStore> openFinished() throws IOException {
        return session == null && fileExists() ? Optional.of(NetcdfClassic.open(file)) : Optional.empty();
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public String identity() {
        return NetcdfClassic.KIND + " " + place.identity();
    }

    /** {@return the location of a path in the file, or of the whole file if the next write replaces it} */
    @Override
    public synchronized List<DataPlace> places(String path) {
        boolean isWriting = session != null && !session.isFinished();
        return List.of(DataPlace.ofFile(file).below(isWriting ? path : ""));
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Optional<Path> localDirectory() {
        return place.localDirectory();
    }

    @Override
    public synchronized Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (session == null && fileExists() && !path.isEmpty()) {
            throw alreadyExists();
        }
        if (path.isEmpty()) {
            return session == null && !fileExists()
                    ? Optional.empty()
                    : Optional.of(new GroupNode(session == null ? GroupSpec.EMPTY : session.group(), false));
        }
        return session == null ? Optional.empty() : session.find(path).map(ArrayNode::new);
    }

    @Override
    public synchronized List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (session != null) {
            return path.isEmpty() ? session.names() : List.of();
        }
        if (fileExists()) {
            throw alreadyExists();
        }
        return List.of();
    }

    @Override
    public synchronized ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (session != null) {
            return session.openReader(NodePaths.inStore(name(), path), path);
        }
        throw fileExists() ? alreadyExists() : new StoreException(NodePaths.inStore(name(), path) + " does not exist");
    }

    /** {@return whether a file of the classic format exists; refuses other files} */
    private boolean fileExists() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        if (!NetcdfClassic.isIn(file)) {
            throw new StoreException(name() + " is "
                    + (Files.isDirectory(file) ? "a directory" : "no netCDF file of the classic format")
                    + "; it is not overwritten; write elsewhere");
        }
        return true;
    }

    private StoreException alreadyExists() {
        return new StoreException(name() + " exists, and arrays cannot be added to a netCDF file of the classic format,"
                + " nor records to its arrays; write elsewhere, or allow overwriting, which replaces the whole file"
                + " with everything in it");
    }

    @Override
    public FormatRules rules() {
        return this;
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return ClassicArray.adopt(foreign);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        return ClassicArray.resolve(name(), wanted, format);
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        if (!path.isEmpty()) {
            return GroupSpec.EMPTY; // left out, with all that is in it
        }
        Dimensions dimensions = new Dimensions(name(), group, arrays);
        Kind kind = FileLayout.kind(name(), arrays);
        ClassicAttributes attributes = ClassicAttributes.of(group, kind);
        FileLayout.of(name(), group, dimensions, kind);
        return group.withAttributes(attributes.values())
                .withAttributeTypes(attributes.types())
                .withDimensions(dimensions.declared(group));
    }

    @Override
    public List<String> changesInGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        return path.isEmpty()
                ? new Dimensions(name(), group, arrays).changes()
                : List.of("the group is left out, as the classic format of netCDF has none");
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) {
        return ClassicWriter.traits(resolved);
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) {
        return Optional.of(WrittenReader.traits(resolved));
    }

    @Override
    public void requireName(String path) throws StoreException {
        ChunkStore.requirePath(path);
        if (path.contains("/")) {
            throw new StoreException(NodePaths.inStore(name(), path)
                    + " would be in a group, which the classic format of netCDF does not have; write netCDF-4 (.nc)");
        }
        if (!path.isEmpty() && !NetcdfVariables.isName(path)) {
            throw new StoreException(NodePaths.inStore(name(), path)
                    + " is not possible: in netCDF, names start with a letter, a digit or _, end with no space, and"
                    + " have at most 256 bytes");
        }
    }

    @Override
    public synchronized void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        requireArrayName(path);
        if (session != null && !session.isFinished()) {
            session.requireFree(NodePaths.inStore(name(), path), path, overwrite);
        } else {
            requireReplaceable(path, overwrite);
            PartFile.requireCanBegin(file);
        }
    }

    private void requireArrayName(String path) throws StoreException {
        requireName(path);
        if (path.isEmpty()) {
            throw new StoreException("the root of " + name() + " is a group; an array needs a name");
        }
    }

    /** Chooses the places of arrays, if they are those of the whole file. */
    @Override
    public synchronized void announce(Map<String, GroupSpec> groups, Map<String, ArraySpec> arrays) throws IOException {
        if (session != null && !session.isFinished()) {
            return;
        }
        expected = new LinkedHashMap<>(arrays);
        announced = FileLayout.of(name(), groups.getOrDefault("", GroupSpec.EMPTY), arrays);
    }

    @Override
    public synchronized ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        requireArrayName(path);
        ArraySpec array = resolve(spec);
        ClassicSession current = session(path, overwrite);
        String where = NodePaths.inStore(name(), path);
        current.requireFree(where, path, overwrite);
        return current.create(where, path, array);
    }

    /** Writes the attributes and dimensions of the root; other groups are left out, as {@link #changesInGroup} says. */
    @Override
    public synchronized void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        if (path.isEmpty()) {
            session(path, overwrite).setGroup(group);
        }
    }

    /** {@return the session, which is started if there is no unfinished one} */
    private ClassicSession session(String path, boolean overwrite) throws IOException {
        ClassicSession current = session;
        if (current != null && !current.isFinished()) {
            return current;
        }
        requireReplaceable(path, overwrite);
        ClassicSession next = new ClassicSession(name(), file, overwrite, announced, expected);
        announced = null;
        expected = Map.of();
        if (current != null) {
            current.close();
        }
        session = next;
        return next;
    }

    /** Refuses an existing file, unless it is replaced completely. */
    private void requireReplaceable(String path, boolean overwrite) throws IOException {
        if (fileExists()) {
            // A caller that replaces an array of a file that this store has finished writes the whole file again.
            boolean replaced = session == null || session.find(path).isPresent();
            if (!overwrite || !replaced) {
                throw alreadyExists();
            }
        }
    }

    @Override
    public synchronized void finish(boolean consolidate) throws IOException {
        if (session != null) {
            session.finish();
        }
    }

    /** Deletes a file that is not finished. */
    @Override
    public synchronized void close() throws IOException {
        if (session != null) {
            session.close();
            if (!session.isFinished()) {
                session = null;
            }
        }
    }

    @Override
    public String toString() {
        return "netCDF classic " + name();
    }
}
