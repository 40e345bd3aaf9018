package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.read.SourceFiles.SourceFile;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the sources of a virtual dataset, and with them its extents.
 *
 * <p>As in the HDF5 library, an axis along which a mapping has no end is as long as the sources that exist.
 */
final class VirtualResolver {
    private final SourceFiles files;
    private final DataType type;
    private final Shape stored;
    private final long[] found;
    private final long[] least;
    private final Map<List<String>, Optional<ReadableDataset>> sources = new HashMap<>();
    private final List<VirtualPart> parts = new ArrayList<>();
    private final Set<String> missing = new LinkedHashSet<>();

    private VirtualResolver(SourceFiles files, Dataset virtual) {
        this.files = files;
        this.type = virtual.type().type();
        this.stored = virtual.chunks().shape();
        this.found = new long[stored.rank()];
        this.least = new long[stored.rank()];
        Arrays.fill(found, -1);
    }

    /** @throws StoreException if a source cannot be read, or has other elements than the virtual dataset */
    static VirtualArray resolve(SourceFiles files, Dataset virtual, List<VirtualMapping> mappings) throws IOException {
        VirtualResolver resolver = new VirtualResolver(files, virtual);
        for (VirtualMapping mapping : mappings) {
            if (!mapping.source().isEmpty() && !mapping.target().isEmpty()) {
                resolver.add(mapping);
            }
        }
        Shape shape = resolver.shape();
        for (VirtualPart part : resolver.parts) {
            part.requireInside(shape);
        }
        VirtualGrid grid = new VirtualGrid(shape, resolver.parts, resolver.type.itemSize());
        return new VirtualArray(grid.grid(), grid.isPlain(), List.copyOf(resolver.parts), resolver.missing);
    }

    private Shape shape() {
        long[] shape = stored.toArray();
        for (int axis = 0; axis < shape.length; axis++) {
            if (found[axis] >= 0) {
                shape[axis] = Math.max(found[axis], least[axis]);
            }
        }
        return Shape.of(shape);
    }

    private void add(VirtualMapping mapping) throws IOException {
        List<AxisSelection> target = mapping.target().of(stored);
        if (target.size() != stored.rank()) {
            throw new StoreException("it has " + stored.rank() + " axes, but a mapping has " + target.size());
        }
        int axis = mapping.target().unlimitedAxis();
        for (int i = 0; i < target.size(); i++) {
            if (i != axis) {
                least[i] = Math.max(least[i], target.get(i).end());
            }
        }
        boolean hasEnd = mapping.source().unlimitedAxis() < 0;
        if (axis < 0 && hasEnd && !mapping.isNumbered()) {
            Optional<ReadableDataset> source = source(mapping, 0);
            if (source.isPresent()) {
                add(source.get(), selected(mapping, source.get()), target);
            }
        } else if (axis >= 0 && !hasEnd && !mapping.isNumbered()) {
            addToEnd(mapping, target, axis);
        } else if (axis >= 0 && hasEnd && mapping.isNumbered()) {
            addNumbered(mapping, target, axis);
        } else {
            throw new StoreException("its mapping to " + name(mapping, 0) + " has an end on one side only");
        }
    }

    private void add(ReadableDataset source, List<AxisSelection> from, List<AxisSelection> target)
            throws StoreException {
        parts.add(VirtualPart.of(source, from, target));
    }

    private static String name(VirtualMapping mapping, long block) {
        return VirtualMapping.named(mapping.file(), block) + "#" + VirtualMapping.named(mapping.dataset(), block);
    }

    private List<AxisSelection> selected(VirtualMapping mapping, ReadableDataset source) throws StoreException {
        return mapping.source().of(source.chunks().shape());
    }

    /** Adds as much of a mapping without an end as its source has. */
    private void addToEnd(VirtualMapping mapping, List<AxisSelection> target, int axis) throws IOException {
        Optional<ReadableDataset> source = source(mapping, 0);
        found[axis] = Math.max(found[axis], 0);
        if (source.isEmpty()) {
            return;
        }
        int from = mapping.source().unlimitedAxis();
        List<AxisSelection> selected = new ArrayList<>(selected(mapping, source.get()));
        Shape shape = source.get().chunks().shape();
        long count = from < shape.rank() ? selected.get(from).countBelow(shape.extent(from)) : 0;
        if (count > 0) {
            List<AxisSelection> there = new ArrayList<>(target);
            selected.set(from, selected.get(from).first(count));
            there.set(axis, there.get(axis).first(count));
            found[axis] = Math.max(found[axis], there.get(axis).end());
            add(source.get(), selected, there);
        }
    }

    /** Adds the blocks of a mapping whose sources have numbers, up to the first one that does not exist. */
    private void addNumbered(VirtualMapping mapping, List<AxisSelection> target, int axis) throws IOException {
        found[axis] = Math.max(found[axis], 0);
        for (long number = 0; ; number++) {
            Optional<ReadableDataset> source = find(mapping, number);
            if (source.isEmpty()) {
                return;
            }
            List<AxisSelection> there = new ArrayList<>(target);
            there.set(axis, target.get(axis).block(number));
            found[axis] = Math.max(found[axis], there.get(axis).end());
            add(source.get(), selected(mapping, source.get()), there);
        }
    }

    /** {@return a source; empty if it does not exist, which is noted} */
    private Optional<ReadableDataset> source(VirtualMapping mapping, long block) throws IOException {
        Optional<ReadableDataset> source = find(mapping, block);
        if (source.isEmpty()) {
            missing.add(name(mapping, block));
        }
        return source;
    }

    private Optional<ReadableDataset> find(VirtualMapping mapping, long block) throws IOException {
        String file = VirtualMapping.named(mapping.file(), block);
        String path = Arrays.stream(
                        VirtualMapping.named(mapping.dataset(), block).split("/", -1))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .collect(Collectors.joining("/"));
        List<String> key = List.of(file, path);
        Optional<ReadableDataset> known = sources.get(key);
        if (known == null) {
            files.count();
            Optional<SourceFile> there = files.find(file);
            known = there.isEmpty()
                    ? Optional.empty()
                    : FileMetadata.parse("its source " + file + "#" + path, () -> open(there.get(), path));
            sources.put(key, known);
        }
        return known;
    }

    private Optional<ReadableDataset> open(SourceFile there, String path) throws IOException {
        Optional<Located> located = there.hierarchy().find(path);
        if (located.isEmpty()) {
            return Optional.empty();
        }
        if (!Dataset.is(located.get().header())) {
            throw new StoreException("it is not a dataset");
        }
        Dataset dataset = Dataset.read(there.file(), located.get().header());
        if (dataset.elements().isPresent()) {
            throw new StoreException(
                    "its elements are of variable length, references, or numbers that do not use all bits, which"
                            + " is not supported here");
        }
        if (!dataset.type().type().equals(type)) {
            throw new StoreException(
                    "its elements are of type " + dataset.type().type() + ", and not " + type
                            + " as those of the virtual dataset; HDF5 would convert them, which is not supported");
        }
        VirtualArray nested = null;
        if (dataset.layout() instanceof StoredLayout.Virtual layout) {
            nested = resolve(files.below(there), dataset, layout.mappings());
            dataset = dataset.withChunks(nested.grid());
        }
        ArraySpec spec = ArraySpec.builder(dataset.chunks(), type)
                .byteOrder(dataset.type().order())
                .fillValue(dataset.fill().value())
                .codecs(dataset.filters().codecs())
                .build();
        String name = NodePaths.inStore(there.file().file().name(), path);
        return Optional.of(new ReadableDataset(new StoredDataset(name, there.file(), dataset, spec), nested));
    }
}
