package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.hdf5.format.FilterPipeline;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.format.Signature;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.io.netcdf.StoredAttributes;
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
 * A store that writes a new file of HDF5 or netCDF-4, {@code NAME} as {@code NAME.part}.
 *
 * <p>The file exists when {@link #finish} returns; {@link #close} without {@code finish} deletes it. Committed arrays
 * can be read through this store as long as it is open. Nothing can be added to a finished file. With
 * {@code overwrite}, a new file replaces it completely when that is finished.
 */
public final class Hdf5Target implements ChunkStore, FormatRules {
    private static final Capabilities CAPABILITIES = Capabilities.ofHierarchy()
            .withWritable(true)
            .withConcurrentWriters(true)
            .withAtomicPublish(true)
            .withNamedArrays(true);
    private static final String CONTIGUOUS_FORMAT = "hdf5-contiguous";

    private final Path file;
    private final FileKind kind;
    private final Opener opener;
    private final DirectoryKeys place;
    private @Nullable FileSession session;

    /** Opens a finished file. */
    @FunctionalInterface
    public interface Opener {
        ChunkStore open(Path file) throws IOException;
    }

    private Hdf5Target(Path file, FileKind kind, Opener opener) {
        this.file = file;
        this.kind = kind;
        this.opener = opener;
        this.place = new DirectoryKeys(file);
    }

    /**
     * {@return a store that writes a file}
     *
     * <p>Nothing is written before the first array or group is created. At that time, an existing file is refused,
     * unless it is an HDF5 file and may be overwritten.
     *
     * @param opener opens a file that an earlier store has finished
     */
    public static Hdf5Target create(Path file, Opener opener) {
        return create(file, FileKind.HDF5, opener);
    }

    /** {@return a store that writes a file of netCDF-4, in the same way} */
    public static Hdf5Target createNetcdf4(Path file, Opener opener) {
        return create(file, FileKind.NETCDF4, opener);
    }

    private static Hdf5Target create(Path file, FileKind kind, Opener opener) {
        if (file.getFileName() == null) {
            throw new IllegalArgumentException(file + " is not the name of a file");
        }
        return new Hdf5Target(file, kind, opener);
    }

    @Override
    public synchronized Optional<ChunkStore> openFinished() throws IOException {
        return session == null && fileExists() ? Optional.of(opener.open(file)) : Optional.empty();
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public String identity() {
        return Hdf5Names.KIND + " " + place.identity();
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
        if (session != null) {
            return session.find(path).map(Hdf5Target::node);
        }
        if (!fileExists()) {
            return Optional.empty();
        }
        if (path.isEmpty()) {
            return Optional.of(new GroupNode(GroupSpec.EMPTY, false));
        }
        throw alreadyExists();
    }

    private static Node node(FileTree.Node node) {
        return node instanceof FileTree.Dataset dataset
                ? new ArrayNode(dataset.array().spec())
                : new GroupNode(((FileTree.Group) node).spec(), false);
    }

    @Override
    public synchronized List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (session != null) {
            return session.find(path).orElse(null) instanceof FileTree.Group group ? group.names() : List.of();
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
            return session.openReader(path);
        }
        throw fileExists() ? alreadyExists() : new StoreException(NodePaths.inStore(name(), path) + " does not exist");
    }

    /** {@return whether the HDF5 file exists; refuses other files} */
    private boolean fileExists() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        if (!Signature.isIn(file)) {
            throw new StoreException(name() + " is " + (Files.isDirectory(file) ? "a directory" : "no HDF5 file")
                    + "; it is not overwritten; write elsewhere");
        }
        return true;
    }

    private StoreException alreadyExists() {
        return new StoreException(name() + " exists, and arrays cannot be added to an HDF5 file; write elsewhere,"
                + " or allow overwriting, which replaces the whole file with everything in it");
    }

    @Override
    public FormatRules rules() {
        return this;
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        ArraySpec regular =
                foreign.toBuilder().chunks(foreign.chunks().toRegular()).build();
        return (kind.isNetcdf() ? Netcdf4.adopt(regular) : regular)
                .toBuilder().shards(null).codecs(codecs(foreign)).build();
    }

    /** {@return the codecs for an array of another format} */
    private List<CodecSpec> codecs(ArraySpec foreign) {
        DataType type = foreign.dataType();
        List<CodecSpec> codecs = FilterPipeline.adopt(foreign.codecs(), DatasetSpec.elementSize(foreign));
        if (!type.isVariable()) {
            return codecs;
        }
        return codecs.stream()
                .filter(codec -> !kind.isNetcdf() && !codec.name().equals(DatasetSpec.CHECKSUM))
                .toList(); // nccopy fails with filters of elements of variable length
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        return DatasetSpec.of(name(), withLayoutHint(wanted), kind).spec();
    }

    /** {@return a spec with the layout hint for its format} */
    private ArraySpec withLayoutHint(ArraySpec wanted) throws StoreException {
        String format = wanted.hints().getOrDefault(ArraySpec.FORMAT_HINT, kind.format());
        if (format.equals(kind.format())) {
            return wanted;
        }
        if (kind.isNetcdf() || !format.equals(CONTIGUOUS_FORMAT)) {
            throw new StoreException("format \"" + format + "\" cannot be written to " + name() + "; it takes \""
                    + kind.format() + "\"" + (kind.isNetcdf() ? "" : " or \"" + CONTIGUOUS_FORMAT + "\""));
        }
        Map<String, String> hints = new LinkedHashMap<>(wanted.hints());
        hints.put(Hdf5Names.LAYOUT_HINT, Hdf5Names.REGIONS);
        return wanted.toBuilder().hints(hints).build();
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        ChunkStore.requirePath(path);
        StoredAttributes attributes = StoredAttributes.of(group, kind);
        GroupSpec kept = group.withAttributes(attributes.values())
                .withAttributeTypes(attributes.types())
                .withDimensions(DimensionScales.storedDimensions(group, stored(arrays), kind));
        new FileTree(name(), kind).putGroup(path, kept);
        return kept;
    }

    @Override
    public List<String> changesInGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) {
        return kind.isNetcdf() ? new DimensionScales(stored(arrays), Map.of("", group), kind).otherNames() : List.of();
    }

    /** {@return the specs of arrays as the file has them} */
    private Map<String, ArraySpec> stored(Map<String, ArraySpec> arrays) {
        Map<String, ArraySpec> stored = new LinkedHashMap<>();
        arrays.forEach((name, spec) -> stored.put(name, kind.isNetcdf() ? NetcdfVariables.stored(spec) : spec));
        return stored;
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        DatasetSpec array = DatasetSpec.of(name(), resolved, kind);
        return array.isContiguous() ? RegionWriter.traits(array) : ChunkWriter.traits(array);
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        DatasetSpec array = DatasetSpec.of(name(), resolved, kind);
        return Optional.of(array.isContiguous() ? WrittenRegionReader.traits(array) : WrittenChunkReader.traits(array));
    }

    @Override
    public void requireName(String path) throws StoreException {
        new FileTree(name(), kind).requireName(path);
    }

    @Override
    public synchronized void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        new FileTree(name(), kind).requireFree(path, overwrite);
        if (session != null && !session.isFinished()) {
            session.requireFree(path, overwrite);
        } else {
            requireReplaceable(path, overwrite);
            PartFile.requireCanBegin(file);
        }
    }

    @Override
    public synchronized ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        DatasetSpec array = DatasetSpec.of(NodePaths.inStore(name(), path), resolve(spec), kind);
        new FileTree(name(), kind).requireFree(path, overwrite);
        return session(path, overwrite).create(path, array, overwrite);
    }

    @Override
    public synchronized void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        GroupSpec kept = resolveGroup(path, group, Map.of());
        session(path, overwrite).putGroup(path, kept);
    }

    /** {@return the session, which is started if there is no unfinished one} */
    private FileSession session(String path, boolean overwrite) throws IOException {
        FileSession current = session;
        if (current != null && !current.isFinished()) {
            return current;
        }
        requireReplaceable(path, overwrite);
        FileSession next = new FileSession(name(), file, kind, overwrite);
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
            boolean replaced = session == null || session.find(path).orElse(null) instanceof FileTree.Dataset;
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
        return kind.title() + " " + name();
    }
}
