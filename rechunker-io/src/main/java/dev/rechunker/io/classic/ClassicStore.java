package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.classic.Header.Variable;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.io.netcdf.MissingElement;
import dev.rechunker.io.netcdf.NetcdfFill;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A read-only store with the variables of a file. */
final class ClassicStore extends ReadOnlyStore {
    private final FileBytes bytes;
    private final Header header;

    private ClassicStore(FileBytes bytes, Header header) {
        this.bytes = bytes;
        this.header = header;
    }

    /** {@return the store of a file; closing it closes the file, which is also closed if this method fails} */
    static ClassicStore open(FileBytes bytes) throws IOException {
        try {
            return new ClassicStore(bytes, HeaderReader.read(bytes));
        } catch (IOException | RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return bytes.name();
    }

    @Override
    public String identity() {
        return NetcdfClassic.KIND + " " + bytes.place();
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return bytes.descriptor(NetcdfClassic.KIND);
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(bytes.isRemote());
    }

    @Override
    public List<DataPlace> places(String path) {
        return List.of(bytes.place().below(path));
    }

    @Override
    public Optional<Path> localDirectory() {
        return bytes.localDirectory();
    }

    private String name(String path) {
        return NodePaths.inStore(name(), path);
    }

    private Optional<Variable> find(String path) {
        ChunkStore.requirePath(path);
        return Optional.ofNullable(header.variables().get(path)).filter(variable -> isPath(variable.name()));
    }

    /** {@return whether a name of a variable is a path} */
    private static boolean isPath(String name) {
        return !name.contains("/") && !Set.of(".", "..").contains(name);
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Optional<Variable> variable = find(path);
        if (variable.isPresent()) {
            return Optional.of(new ArrayNode(spec(variable.get())));
        }
        return path.isEmpty()
                ? Optional.of(new GroupNode(
                        GroupSpec.of(Conventions.user(header.attributes().values()))
                                .withAttributeTypes(header.attributes().types())
                                .withDimensions(header.dimensions()),
                        false))
                : Optional.empty();
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return path.isEmpty()
                ? header.variables().keySet().stream()
                        .filter(ClassicStore::isPath)
                        .toList()
                : List.of();
    }

    @Override
    public List<String> omissions(String path) {
        ChunkStore.requirePath(path);
        return !path.isEmpty()
                ? List.of()
                : header.variables().keySet().stream()
                        .filter(name -> !isPath(name))
                        .map(name -> "the variable \"" + name + "\" has a name that is no path, and is left out")
                        .toList();
    }

    /** @throws StoreException if the file ends before the last element */
    private ArraySpec spec(Variable variable) throws StoreException {
        List<Dimension> dimensions = header.dimensions(variable);
        Shape shape = Shape.of(dimensions.stream().mapToLong(Dimension::length).toArray());
        requireElements(variable, shape);
        FillValue missing = missing(variable);
        Map<String, @Nullable Object> attributes =
                Conventions.user(variable.attributes().values());
        if (missing.isDefined()) {
            attributes.remove(Conventions.MISSING_VALUE);
        }
        DataType type = variable.type().elements();
        return ArraySpec.builder(ChunkGrid.regular(shape, chunk(shape)), type)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .fillValue(missing.isDefined() ? missing : FillValue.of(NetcdfFill.of(type, ByteOrder.BIG_ENDIAN)))
                .missingValue(missing)
                .dimensionNames(dimensions.stream().map(Dimension::name).toList())
                .unlimitedAxes(SliceSizes.isRecord(variable, header.dimensions()) ? Set.of(0) : Set.of())
                .attributes(attributes)
                .attributeTypes(variable.attributes().types())
                .hints(shape.rank() == 0 ? Map.of(ArraySpec.NO_AXES_HINT, "") : Map.of())
                .build();
    }

    /**
     * {@return one chunk for all elements, as any part of it can be read; an axis without elements has a nominal one}
     */
    private static Shape chunk(Shape shape) {
        long[] extents = shape.toArray();
        for (int axis = 0; axis < extents.length; axis++) {
            extents[axis] = Math.max(1, extents[axis]);
        }
        return Shape.of(extents);
    }

    private static FillValue missing(Variable variable) {
        return variable.fill()
                .map(FillValue::of)
                .or(() -> MissingElement.of(
                        variable.attributes().values().get(Conventions.MISSING_VALUE),
                        variable.type().elements(),
                        ByteOrder.BIG_ENDIAN,
                        false))
                .orElse(FillValue.UNDEFINED);
    }

    private void requireElements(Variable variable, Shape shape) throws StoreException {
        if (shape.isEmpty()) {
            return;
        }
        VariablePlace placement = placement(variable);
        long last;
        try {
            long bytes =
                    Math.multiplyExact(shape.elements(), (long) variable.type().size());
            Math.multiplyExact(placement.stride(), shape.rank() == 0 ? 1 : shape.extent(0));
            last = placement.position(bytes - 1);
        } catch (ArithmeticException e) {
            throw new StoreException(name(variable.name()) + " is damaged: it has more than 2^63 bytes", e);
        }
        if (last < 0 || last >= bytes.size()) {
            throw new StoreException(name(variable.name()) + " is cut off: its last element is at byte " + last
                    + ", but the file ends at byte " + bytes.size());
        }
    }

    private VariablePlace placement(Variable variable) {
        return Objects.requireNonNull(header.placements().get(variable.name()));
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        Optional<Variable> variable = find(path);
        if (variable.isEmpty()) {
            throw new StoreException(name(path) + (path.isEmpty() ? " is a group, not an array" : " does not exist"));
        }
        return new ClassicReader(name(path), bytes, spec(variable.get()), placement(variable.get()));
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }

    @Override
    public String toString() {
        return "netCDF " + header.kind().title() + " " + name();
    }
}
