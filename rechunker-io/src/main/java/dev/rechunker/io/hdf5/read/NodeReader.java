package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.read.Links.Hard;
import dev.rechunker.io.hdf5.read.Links.Link;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes the datasets and groups of a file, and lists what a description leaves out. */
final class NodeReader {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final ConventionReader conventions;

    NodeReader(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.conventions = new ConventionReader(file, hierarchy);
    }

    /**
     * {@return a dataset and its description}
     *
     * @param name the name for messages
     */
    StoredDataset dataset(String name, Located located) throws IOException {
        Dataset dataset = Dataset.read(file, located.header());
        ObjectAttributes attributes = ObjectAttributes.read(file, located.header());
        Map<String, @Nullable Object> user = conventions.userAttributes(attributes);
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
                .codecs(dataset.filters().codecs())
                .dimensionNames(names)
                .unlimitedAxes(
                        dataset.layout() instanceof StoredLayout.Chunks layout ? layout.unlimitedAxes() : Set.of())
                .attributes(user)
                .attributeTypes(attributes.types())
                .hints(hints(dataset, omitted(attributes, missing)))
                .build();
        return new StoredDataset(name, file, dataset, spec);
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

    private Map<String, String> hints(Dataset dataset, List<String> omitted) throws IOException {
        Map<String, String> hints = new LinkedHashMap<>();
        if (dataset.chunks().rank() == 0 && conventions.dimensions().isNetcdf()) {
            hints.put(ArraySpec.NO_AXES_HINT, "");
        }
        if (dataset.layout() instanceof StoredLayout.Chunks chunks) {
            hints.put(Hdf5Names.LAYOUT_HINT, Hdf5Names.CHUNKED);
            chunks.limits(dataset.chunks()).ifPresent(limits -> hints.put(Hdf5Names.MAX_SHAPE_HINT, limits));
        } else {
            hints.put(Hdf5Names.LAYOUT_HINT, Hdf5Names.CONTIGUOUS);
        }
        if (dataset.fill().isDefault()) {
            hints.put(Hdf5Names.FILL_HINT, Hdf5Names.DEFAULT_FILL);
        }
        hints.putAll(dataset.type().hints());
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
    GroupSpec group(ObjectHeader header) throws IOException {
        ObjectAttributes attributes = ObjectAttributes.read(file, header);
        return GroupSpec.of(conventions.userAttributes(attributes))
                .withAttributeTypes(attributes.types())
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
        if (isDataset) {
            omissions.addAll(leftOut(located, attributes));
            ByteBuffer type = Dataset.datatype(file, header);
            if (ElementType.classOf(type) == ElementType.COMPOUND) {
                omissions.addAll(CompoundFields.omissions(type));
            }
        }
        if (ObjectFinder.isGroup(header)) {
            Links links = hierarchy.links(header.address());
            links.unnamed().forEach(link -> omissions.add(link + ", is left out"));
            for (Map.Entry<String, Link> link : links.byName().entrySet()) {
                if (isOfType(link.getValue())) {
                    omissions.add("the named type \"" + link.getKey() + "\" is left out");
                }
            }
        }
        return omissions;
    }

    private FillValue missing(ObjectAttributes attributes, ObjectHeader header) throws IOException {
        try {
            ElementType type = FileMetadata.parse("", () -> ElementType.read(Dataset.datatype(file, header)));
            return MissingValue.of(attributes, type);
        } catch (StoreException e) {
            return FillValue.UNDEFINED; // an error is reported when the dataset is opened
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
    private static boolean isType(ObjectHeader header) {
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
