package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A view of a source as the image of a TIFF file: a group with the array {@code 0} and its levels {@code 1}, {@code 2}
 * and so on. Where the image is on the Earth is in its attributes; what has no place in the file is left out, and said.
 */
final class CogView extends ReadOnlyStore {
    /** How much coordinates may differ from even ones, in steps. */
    private static final double TOLERANCE = 1e-3;

    /** The most elements of a coordinate that is read. */
    private static final long MOST_COORDINATES = 1 << 24;

    private static final String MAPPING = "grid_mapping";

    /** The names of axes that are coordinates on the Earth. */
    private static final Set<String> DEGREES = Set.of("lat", "latitude", "lon", "longitude");

    private final StoreLocation source;
    private final Map<String, StoreLocation> levels = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> place = new LinkedHashMap<>();
    private final List<String> losses = new ArrayList<>();

    private CogView(StoreLocation source) {
        this.source = source;
    }

    /**
     * {@return the view of a source}
     *
     * @throws StoreException if it has no image, or several
     */
    static CogView of(StoreLocation source) throws IOException {
        CogView view = new CogView(source);
        Node node =
                source.store().node(source.path()).orElseThrow(() -> new StoreException(source + " does not exist"));
        if (node instanceof ArrayNode) {
            view.levels.put("", source);
        } else {
            view.find(((GroupNode) node).spec());
        }
        view.noteUnplaced();
        return view;
    }

    /** Says so if it is known that the image has a place on the Earth, but not which. */
    private void noteUnplaced() throws IOException {
        ArraySpec image = spec(levels.values().iterator().next());
        boolean isMap = image.attributes().containsKey(MAPPING)
                || image.dimensionNames().stream().anyMatch(name -> name != null && DEGREES.contains(name));
        if (isMap && !place.containsKey(GeoReference.TRANSFORM)) {
            losses.add("the place of the image on the Earth is left out, as there are no coordinates that grow evenly"
                    + " beside it; if there are some, copy the group that has them");
        }
    }

    private void find(GroupSpec group) throws IOException {
        Map<String, StoreLocation> images = new TreeMap<>();
        Map<String, ArraySpec> others = new TreeMap<>();
        List<String> groups = new ArrayList<>();
        for (String child : source.store().children(source.path())) {
            StoreLocation location = source.resolve(child);
            Optional<Node> node = location.store().node(location.path());
            if (node.isPresent() && node.get() instanceof ArrayNode array) {
                if (array.spec().shape().rank() >= 2) {
                    images.put(child, location);
                } else {
                    others.put(child, array.spec());
                }
            } else if (node.isPresent()) {
                groups.add(child);
            }
        }
        if (images.isEmpty()) {
            for (String child : List.copyOf(groups)) {
                Map<String, StoreLocation> pyramid = pyramid(child);
                if (!pyramid.isEmpty()) {
                    images.put(child, source.resolve(child));
                    groups.remove(child);
                    levels.putAll(pyramid);
                }
            }
        } else if (images.containsKey("0") && images.keySet().stream().allMatch(CogView::isNumber)) {
            levels.putAll(pyramid(""));
            images.keySet().retainAll(List.of("0"));
        }
        if (images.size() != 1) {
            throw new StoreException(source + " has " + (images.isEmpty() ? "no image" : "several images")
                    + ", but a TIFF file holds one; name one array"
                    + (images.isEmpty() ? "" : " of " + images.keySet()));
        }
        if (levels.isEmpty()) {
            levels.putAll(images);
        }
        locate(others);
        others.keySet().forEach(name -> losses.add("\"" + name + "\" has no place in a TIFF file, and is left out"));
        groups.forEach(name -> losses.add("the group \"" + name + "\" has no place in a TIFF file, and is left out"
                + (name.startsWith("overview_") ? "; levels are made with --levels" : "")));
        group.attributes()
                .keySet()
                .forEach(name -> losses.add("the attribute \"" + name + "\" of the group has no place in a TIFF file"));
    }

    /** {@return the arrays 0, 1, 2 and so on of a group by their paths, the largest first; none if it has others} */
    private Map<String, StoreLocation> pyramid(String group) throws IOException {
        StoreLocation place = source.resolve(group);
        List<String> names = place.store().children(place.path());
        Map<String, StoreLocation> found = new LinkedHashMap<>();
        for (int level = 0; level < names.size(); level++) {
            String name = Integer.toString(level);
            StoreLocation array = place.resolve(name);
            if (names.contains(name) && array.store().node(array.path()).orElse(null) instanceof ArrayNode) {
                found.put(NodePaths.below(group, name), array);
            }
        }
        boolean hasFirst = found.containsKey(NodePaths.below(group, "0"));
        return hasFirst && names.stream().filter(CogView::isNumber).count() == found.size() ? found : Map.of();
    }

    private static boolean isNumber(String name) {
        return name.matches("\\d+");
    }

    private ArraySpec spec(StoreLocation location) throws IOException {
        Optional<Node> node = location.store().node(location.path());
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            return array.spec();
        }
        throw new StoreException(location + " is not an array");
    }

    /** Finds where the image is, and removes the arrays that say so. */
    private void locate(Map<String, ArraySpec> beside) throws IOException {
        ArraySpec image = spec(levels.values().iterator().next());
        int rank = image.shape().rank();
        if (rank > 3) {
            return; // is refused
        }
        String mapping = image.attributes().get(MAPPING) instanceof String named
                ? named.strip().split("[:\\s]", 2)[0]
                : "spatial_ref";
        String x = String.valueOf(
                image.dimensionNames().isEmpty() ? "x" : image.dimensionNames().get(rank - 1));
        String y = String.valueOf(
                image.dimensionNames().isEmpty() ? "y" : image.dimensionNames().get(rank - 2));
        Map<String, @Nullable Object> system = new LinkedHashMap<>();
        ArraySpec found = beside.remove(mapping);
        if (found != null) {
            system.putAll(found.attributes());
        }
        Optional<double[]> given = GeoReference.transform(system.get(GeoReference.TRANSFORM));
        Optional<double[]> across = line(beside, x, image.shape().extent(rank - 1));
        Optional<double[]> down = line(beside, y, image.shape().extent(rank - 2));
        boolean hasDegrees =
                beside.containsKey(x) && GeoReference.isInDegrees(beside.get(x).attributes());
        if (across.isPresent() && down.isPresent()) {
            double[] numbers = {
                across.get()[0] - across.get()[1] / 2,
                across.get()[1],
                0,
                down.get()[0] - down.get()[1] / 2,
                0,
                down.get()[1]
            };
            boolean isSame = given.isPresent() && isAlike(given.get(), numbers);
            place.put(GeoReference.TRANSFORM, GeoReference.text(isSame ? given.get() : numbers));
            beside.remove(x);
            beside.remove(y);
        } else if (given.isPresent()) {
            place.put(GeoReference.TRANSFORM, GeoReference.text(given.get()));
        }
        Map<String, Object> known = GeoReference.system(system, hasDegrees);
        place.putAll(known);
        if (found != null && !known.containsKey(GeoReference.EPSG)) {
            losses.add("the reference system \"" + mapping + "\" has no number in the registry EPSG, and is "
                    + (known.isEmpty() ? "left out" : "kept by its name only"));
        }
    }

    private static boolean isAlike(double[] given, double[] numbers) {
        double step = Math.min(Math.abs(numbers[1]), Math.abs(numbers[5]));
        for (int i = 0; i < numbers.length; i++) {
            if (!(Math.abs(given[i] - numbers[i]) <= TOLERANCE * step)) {
                return false;
            }
        }
        return true;
    }

    /** {@return the first element and the step of a coordinate that is even; empty if there is none} */
    private Optional<double[]> line(Map<String, ArraySpec> beside, String name, long extent) throws IOException {
        ArraySpec spec = beside.get(name);
        if (spec == null || spec.shape().rank() != 1 || spec.shape().extent(0) != extent || extent > MOST_COORDINATES) {
            return Optional.empty();
        }
        StoreLocation location = source.resolve(name);
        double[] line = extent < 2 ? new double[0] : line(location, spec);
        if (line.length == 0) {
            losses.add("the coordinate \"" + name + "\" is not a number that grows evenly");
            return Optional.empty();
        }
        return Optional.of(line);
    }

    /** {@return the first element and the step; nothing if elements are not even} */
    private static double[] line(StoreLocation location, ArraySpec spec) throws IOException {
        DataType type = spec.dataType();
        if (type.kind() != DataType.Kind.FLOAT
                && type.kind() != DataType.Kind.INT
                && type.kind() != DataType.Kind.UINT) {
            return new double[0];
        }
        long extent = spec.shape().extent(0);
        try (ArrayReader reader = location.store().openReader(location.path())) {
            Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
            double[] values = new double[Math.toIntExact(extent)];
            for (int chunk = 0; chunk < spec.chunks().count(); chunk++) {
                Region region = spec.chunks().regionAt(chunk);
                long elements = reader.traits().paddedEdges()
                        ? spec.chunks().nominalShape(region).elements()
                        : region.elements();
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(elements * type.itemSize()))
                        .order(spec.byteOrder());
                if (!reader.read(region, bytes.duplicate(), scratch)) {
                    return new double[0];
                }
                for (int i = 0; i < region.elements(); i++) {
                    values[(int) region.start(0) + i] = value(bytes, i, type);
                }
            }
            double first = values[0];
            double step = (values[values.length - 1] - first) / (extent - 1);
            for (int i = 0; i < values.length; i++) {
                if (!(Math.abs(values[i] - (first + i * step)) <= TOLERANCE * Math.abs(step))) {
                    return new double[0];
                }
            }
            return step == 0 ? new double[0] : new double[] {first, step};
        }
    }

    private static double value(ByteBuffer bytes, int i, DataType type) {
        if (type.kind() == DataType.Kind.FLOAT) {
            return switch (type.itemSize()) {
                case 4 -> bytes.getFloat(4 * i);
                case 8 -> bytes.getDouble(8 * i);
                default -> Double.NaN;
            };
        }
        boolean isSigned = type.kind() == DataType.Kind.INT;
        return switch (type.itemSize()) {
            case 1 -> isSigned ? bytes.get(i) : bytes.get(i) & 0xff;
            case 2 -> isSigned ? bytes.getShort(2 * i) : bytes.getShort(2 * i) & 0xffff;
            case 4 -> isSigned ? bytes.getInt(4 * i) : bytes.getInt(4 * i) & 0xffffffffL;
            default -> bytes.getLong(8 * i);
        };
    }

    @Override
    public String name() {
        return source + " as TIFF";
    }

    @Override
    public String identity() {
        return source.store().identity() + " " + source.path() + " as TIFF";
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy()
                .withRemote(source.store().capabilities().remote());
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return source.store().places(source.path());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        StoreLocation level = levels.get(path);
        if (level != null) {
            return Optional.of(new ArrayNode(located(path, spec(level))));
        }
        return children(path).isEmpty() ? Optional.empty() : Optional.of(new GroupNode(GroupSpec.EMPTY, false));
    }

    private ArraySpec located(String path, ArraySpec spec) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        attributes.remove(MAPPING);
        attributes.remove("coordinates");
        if (path.equals(levels.keySet().iterator().next())) {
            attributes.putAll(place);
        }
        return spec.toBuilder().attributes(attributes).build();
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        String prefix = path.isEmpty() ? "" : path + "/";
        return levels.keySet().stream()
                .filter(level -> level.startsWith(prefix) && level.length() > prefix.length())
                .map(level -> level.substring(prefix.length()).split("/", 2)[0])
                .distinct()
                .toList();
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        ChunkStore.requirePath(path);
        StoreLocation level = levels.get(path);
        List<String> omissions = new ArrayList<>(path.isEmpty() ? losses : List.of());
        omissions.addAll(level == null ? List.of() : level.store().omissions(level.path()));
        return omissions;
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        StoreLocation level = levels.get(path);
        if (level == null) {
            throw new StoreException(NodePaths.inStore(name(), path) + " is not an array");
        }
        ArrayReader reader = level.store().openReader(level.path());
        ArraySpec located = located(path, reader.spec());
        return new ForwardingStore.Reader(reader) {
            @Override
            public ArraySpec spec() {
                return located;
            }
        };
    }

    /** Does nothing: the source is closed by its owner. */
    @Override
    public void close() {}
}
