package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.netcdf.AttributeElement;
import dev.rechunker.io.netcdf.Conventions;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Describes the datasets and groups of a file, and lists what a description leaves out. */
final class NodeReader {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final ConventionReader conventions;
    private final TypeNames typeNames;
    private final ObjectPaths paths;
    private final AttributeReferences references;
    private @Nullable Virtual lastVirtual;

    /** The sources of the virtual dataset with a header. */
    private record Virtual(long address, VirtualArray array) {}

    NodeReader(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.conventions = new ConventionReader(file, hierarchy);
        this.paths = new ObjectPaths(file, hierarchy);
        this.references = new AttributeReferences(paths);
        this.typeNames = new TypeNames(file, hierarchy, conventions.dimensions());
    }

    /**
     * {@return a dataset and its description}
     *
     * @param name the name for messages
     */
    ReadableDataset dataset(String name, Located located) throws IOException {
        Dataset dataset = dataset(located);
        VirtualArray virtual = virtual(located.header(), dataset);
        if (virtual != null) {
            dataset = dataset.withChunks(virtual.grid());
        }
        if (dataset.elements().orElse(null) instanceof ObjectReferences described) {
            String group = paths.of(located.group()).orElse("");
            long address = located.header().address();
            dataset = dataset.withElements(described.from(new ObjectReferences.Origin(paths, address, group)));
        }
        ObjectAttributes attributes = ObjectAttributes.read(file, located.header());
        Map<String, @Nullable Object> user = user(attributes, located.group());
        FillValue missing = MissingValue.of(attributes, dataset.type());
        if (missing.isDefined()) {
            user.remove(Conventions.MISSING_VALUE);
        }
        List<@Nullable String> names =
                conventions.dimensionNames(located, attributes, dataset.chunks().rank());
        ArraySpec spec = ArraySpec.builder(
                        chunks(located, attributes, dataset), dataset.type().type())
                .byteOrder(dataset.type().order())
                .fillValue(dataset.fill().value())
                .missingValue(missing)
                .codecs(virtual == null ? dataset.filters().codecs() : virtual.codecs())
                .dimensionNames(names)
                .unlimitedAxes(dataset.layout().unlimitedAxes())
                .attributes(user)
                .attributeTypes(types(attributes, located.groups()))
                .hints(hints(dataset, virtual, located, omitted(attributes, missing)))
                .build();
        return new ReadableDataset(new StoredDataset(name, file, dataset, spec), virtual);
    }

    /** {@return the attributes of an object that are not internal, with paths relative to a group as references} */
    private Map<String, @Nullable Object> user(ObjectAttributes attributes, long group) throws IOException {
        Map<String, @Nullable Object> user = conventions.userAttributes(attributes);
        for (Map.Entry<String, @Nullable Object> attribute : user.entrySet()) {
            attribute.setValue(references.asTexts(attribute.getValue(), group));
        }
        return user;
    }

    /** {@return the sources of a virtual dataset; null for other datasets} */
    private @Nullable VirtualArray virtual(ObjectHeader header, Dataset dataset) throws IOException {
        if (!(dataset.layout() instanceof StoredLayout.Virtual layout)) {
            return null;
        }
        synchronized (this) {
            Virtual last = lastVirtual;
            if (last == null || last.address != header.address()) {
                // The type may have been changed to that of a convention, but those of the sources are not.
                VirtualArray array = VirtualResolver.resolve(
                        SourceFiles.of(file, hierarchy), Dataset.read(file, header), layout.mappings());
                last = new Virtual(header.address(), array);
                lastVirtual = last;
            }
            return last.array;
        }
    }

    /** {@return the places of other files that have elements of a dataset} */
    List<DataPlace> sourcePlaces(Located located) throws IOException {
        Dataset dataset = Dataset.read(file, located.header());
        if (dataset.layout() instanceof StoredLayout.External external) {
            return external.files().places().toList();
        }
        VirtualArray virtual = virtual(located.header(), dataset);
        return virtual == null ? List.of() : virtual.places().toList();
    }

    /** {@return the description of a dataset with its elements in place of what is stored} */
    static ArraySpec described(StoredDataset stored) throws IOException {
        Optional<StoredElements> elements = stored.dataset().elements();
        return elements.isEmpty()
                ? stored.spec()
                : described(stored, elements.get(), elements.get().type());
    }

    /** {@return the description of a dataset with elements of a type in place of what is stored} */
    static ArraySpec described(StoredDataset stored, StoredElements elements, DataType type) throws IOException {
        Map<String, @Nullable Object> user = new LinkedHashMap<>(stored.spec().attributes());
        FillValue missing = FillValue.UNDEFINED;
        if (elements instanceof VariableType
                && type.kind() == DataType.Kind.TEXT
                && user.get(Conventions.MISSING_VALUE) instanceof String text) {
            missing = FillValue.ofContents(text.getBytes(StandardCharsets.UTF_8));
            user.remove(Conventions.MISSING_VALUE);
        }
        return stored.spec().toBuilder()
                .dataType(type)
                .fillValue(VariableReader.fillValue(stored, elements, type))
                .missingValue(missing)
                .attributes(user)
                .build();
    }

    private Optional<String> typeName(Located dataset) throws IOException {
        ObjectHeader header = dataset.header();
        return typeNames.of(Dataset.datatype(file, header), Dataset.namedType(file, header), dataset.groups());
    }

    /** {@return a dataset; all named enumerations of netCDF are integers, also those of FALSE and TRUE} */
    private Dataset dataset(Located located) throws IOException {
        Dataset dataset = Dataset.read(file, located.header());
        return conventions.dimensions().isNetcdf() && typeName(located).isPresent()
                ? dataset.withType(dataset.type().withNamedBooleans())
                : dataset;
    }

    /** {@return the types of attributes, with the names of those that have one} */
    private Map<String, AttributeType> types(ObjectAttributes attributes, List<Long> groups) throws IOException {
        Map<String, AttributeType> types = new LinkedHashMap<>(attributes.types());
        for (Map.Entry<String, AttributeType> type : types.entrySet()) {
            ObjectAttributes.Raw raw = Objects.requireNonNull(attributes.raw().get(type.getKey()));
            AttributeElement element =
                    AttributeElement.parse(type.getValue().element()).orElseThrow();
            Optional<String> name = typeNames.of(raw.type(), raw.namedType(), groups);
            if (name.isPresent()) {
                String named = new AttributeElement.Named(name.get(), element).toString();
                type.setValue(raw.isNull() ? AttributeType.ofNull(named) : AttributeType.of(named, raw.extents()));
            }
        }
        return types;
    }

    /** {@return the chunks of a dataset, continued to the length of its unlimited dimensions in netCDF} */
    private ChunkGrid chunks(Located located, ObjectAttributes attributes, Dataset dataset) throws IOException {
        ChunkGrid stored = dataset.chunks();
        if (!(dataset.layout() instanceof StoredLayout.Chunks layout)
                || layout.unlimitedAxes().isEmpty()) {
            return stored;
        }
        Shape shape = conventions.dimensions().shape(located, attributes, stored.shape());
        return shape.equals(stored.shape()) ? stored : ChunkGrid.regular(shape, stored.chunkShape());
    }

    private Map<String, String> hints(
            Dataset dataset, @Nullable VirtualArray virtual, Located located, List<String> omitted) throws IOException {
        Map<String, String> hints = new LinkedHashMap<>();
        if (dataset.chunks().rank() == 0 && conventions.dimensions().isNetcdf()) {
            hints.put(ArraySpec.NO_AXES_HINT, "");
        }
        if (dataset.layout() instanceof StoredLayout.Chunks chunks) {
            hints.put(Hdf5Names.LAYOUT_HINT, Hdf5Names.CHUNKED);
            chunks.limits(dataset.chunks()).ifPresent(limits -> hints.put(Hdf5Names.MAX_SHAPE_HINT, limits));
        } else {
            boolean whole = virtual == null || virtual.isPlain();
            hints.put(Hdf5Names.LAYOUT_HINT, whole ? Hdf5Names.CONTIGUOUS : Hdf5Names.CHUNKED);
        }
        if (dataset.fill().isDefault()) {
            hints.put(Hdf5Names.FILL_HINT, Hdf5Names.DEFAULT_FILL);
            boolean hasFill = switch (dataset.type().type().kind()) {
                case INT, UINT, FLOAT, BYTES -> dataset.elements().isEmpty();
                default -> false;
            };
            if (hasFill && conventions.dimensions().isNetcdf()) {
                hints.put(ArraySpec.NO_FILL_HINT, "");
            }
        }
        hints.putAll(dataset.type().hints());
        typeName(located).ifPresent(name -> hints.put(ArraySpec.TYPE_NAME_HINT, name));
        if (!omitted.isEmpty()) {
            hints.put(Hdf5Names.OMITTED_HINT, Json.compact(omitted));
        }
        return hints;
    }

    /**
     * {@return the names of attributes that cannot be represented as plain data, sorted; without internal attributes,
     * and without the missing value if it is defined}
     */
    private static List<String> omitted(ObjectAttributes attributes, FillValue missing) {
        return attributes.omitted().keySet().stream()
                .filter(name -> !Conventions.isInternal(attributes.values(), name))
                .filter(name -> !missing.isDefined() || !name.equals(Conventions.MISSING_VALUE))
                .toList();
    }

    /** {@return the description of a group} */
    GroupSpec group(Located group) throws IOException {
        ObjectHeader header = group.header();
        List<Long> groups = new ArrayList<>(group.groups());
        groups.add(header.address());
        ObjectAttributes attributes = ObjectAttributes.read(file, header);
        return GroupSpec.of(user(attributes, header.address()))
                .withAttributeTypes(types(attributes, groups))
                .withDimensions(conventions.dimensions().of(header.address()));
    }

    /** {@return sentences about what the description of an object leaves out} */
    List<String> omissions(Located located) throws IOException {
        ObjectHeader header = located.header();
        ObjectAttributes attributes = ObjectAttributes.read(file, header);
        boolean isDataset = Dataset.is(header);
        List<String> omissions = new ArrayList<>();
        FillValue missing = isDataset ? missing(attributes, header) : FillValue.UNDEFINED;
        for (String attribute : omitted(attributes, missing)) {
            omissions.add("the attribute \"" + attribute
                    + "\" has a type that cannot be represented as plain data, and is left out");
        }
        omissions.addAll(references.unresolved(attributes));
        if (paths.isUnresolved(header.address())) {
            omissions.add("references to something that has no path in the file will lead to nothing");
        }
        if (isDataset) {
            omissions.addAll(missingSources(header));
            omissions.addAll(leftOut(located, attributes));
        }
        if (ObjectFinder.isGroup(header)) {
            Links links = hierarchy.links(header.address());
            links.unnamed().forEach(link -> omissions.add(link + ", is left out"));
            for (Map.Entry<String, Link> link : links.byName().entrySet()) {
                omission(link.getKey(), link.getValue()).ifPresent(omissions::add);
            }
        }
        return omissions;
    }

    /** {@return sentences about how elements are stored in another way} */
    List<String> layoutOmissions(Located located) throws IOException {
        List<String> changes = new ArrayList<>();
        if (Dataset.is(located.header())) {
            Dataset.read(file, located.header())
                    .elements()
                    .flatMap(StoredElements::change)
                    .ifPresent(changes::add);
        }
        changes.addAll(AttributeReferences.changes(ObjectAttributes.read(file, located.header())));
        return changes;
    }

    /** {@return what is left out of a named type; it is kept if an array or an attribute has it} */
    private Optional<String> omission(String name, Link link) throws IOException {
        if (!isOfType(link)) {
            return Optional.empty();
        }
        ObjectHeader type = ObjectHeader.read(file, ((Hard) link).address());
        if (!typeNames.isUsed(type)) {
            return Optional.of("the named type \"" + name + "\", which nothing has, is left out");
        }
        return ObjectAttributes.read(file, type).raw().isEmpty()
                ? Optional.empty()
                : Optional.of("the attributes of the named type \"" + name + "\" are left out");
    }

    private FillValue missing(ObjectAttributes attributes, ObjectHeader header) throws IOException {
        try {
            ElementType type = FileMetadata.parse("", () -> ElementType.read(Dataset.datatype(file, header)));
            return MissingValue.of(attributes, type);
        } catch (StoreException e) {
            return FillValue.UNDEFINED; // an error is reported when the dataset is opened
        }
    }

    private List<String> missingSources(ObjectHeader header) throws IOException {
        try {
            return FileMetadata.parse("", () -> {
                Dataset dataset = Dataset.read(file, header);
                if (dataset.layout() instanceof StoredLayout.External external) {
                    return external.files().omissions();
                }
                VirtualArray virtual = virtual(header, dataset);
                return virtual == null ? List.of() : virtual.omissions();
            });
        } catch (StoreException e) {
            return List.of(); // an error is reported when the dataset is opened
        }
    }

    private List<String> leftOut(Located dataset, ObjectAttributes attributes) throws IOException {
        try {
            return FileMetadata.parse("", () -> {
                return conventions.unusedNames(dataset, attributes);
            });
        } catch (StoreException e) {
            return List.of(); // an error of a scale or another array that uses it is reported when that is opened
        }
    }

    /** {@return whether an object is a named type} */
    static boolean isType(ObjectHeader header) {
        return header.has(ObjectHeader.DATATYPE) && !header.has(ObjectHeader.DATASPACE);
    }

    /** {@return whether an object is not a node: a named type, or a dimension without a variable} */
    boolean isHidden(ObjectHeader header) throws IOException {
        return isType(header) || hierarchy.isPureDimension(header);
    }

    private boolean isOfType(Link link) throws IOException {
        try {
            return link instanceof Hard hard
                    && FileMetadata.parse("", () -> isType(ObjectHeader.read(file, hard.address())));
        } catch (StoreException e) {
            return false; // an error is reported when the object is opened
        }
    }

    /** {@return whether the target of a link is not a node: a named type, or a dimension without a variable} */
    boolean isHidden(Link link) throws IOException {
        return isOfType(link) || hierarchy.isPureDimension(link);
    }
}
