package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.reduce.Method;
import dev.rechunker.reduce.Reducer;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.FormatRules.Image;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A view of a source in which arrays have levels: each is a group with the array itself and the levels that are made of
 * it, each from the one before, as it is in the target. A group that is a pyramid already gets new levels in place of
 * those that it has.
 *
 * <p>A level can be planned once {@link #plan} has said what the one before will be in the target, and read once that
 * is complete. Paths are those below the location that is copied, and the same in the target.
 */
public final class LevelsView extends ReadOnlyStore {
    static final String FACTORS = "downsamplingFactors";

    private final StoreLocation source;
    private final StoreLocation target;
    private final Images images;
    private final Choice choice;
    /** The groups with levels, by path; empty for nodes that are none. Guarded by itself. */
    private final Map<String, Optional<Levels>> groups = new HashMap<>();

    /** The arrays that will be in the target, by path. Guarded by itself. */
    private final Map<String, ArraySpec> planned = new HashMap<>();

    /** Chooses the levels of arrays. */
    @FunctionalInterface
    public interface Choice {
        /**
         * {@return the levels of an array; empty if none are made of it}
         *
         * @param path the path of the group that will have the levels
         * @param array the array with all elements
         * @param image what is known of it
         */
        Optional<Pyramid> of(String path, ArraySpec array, Image image);
    }

    /**
     * A group with levels.
     *
     * @param base the path of the array with all elements in the source
     * @param names the names of the levels
     * @param replaced the paths, below the group, of the levels that are replaced
     * @param hidden the names of nodes in the group that are, or contain, such levels
     * @param group the group; null if the source has an array in its place
     */
    private record Levels(
            String base,
            List<String> names,
            Pyramid pyramid,
            List<String> replaced,
            List<String> hidden,
            ChunkStore.@Nullable GroupNode group) {}

    /** A level of a group. */
    private record Place(String path, Levels levels, int level) {
        /** {@return the path of the level before} */
        String before() {
            return NodePaths.below(path, levels.names.get(level - 1));
        }

        /** {@return the factors from the level before} */
        int[] step() {
            return levels.pyramid.steps().get(level - 1);
        }
    }

    /**
     * Creates it. Closing the view closes neither source nor target.
     *
     * @param source what is copied
     * @param target where it is copied to
     */
    public LevelsView(StoreLocation source, StoreLocation target, Choice choice) {
        this.source = source;
        this.target = target;
        this.images = new Images(target.store().rules());
        this.choice = choice;
    }

    @Override
    public String name() {
        return source.toString();
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy()
                .withRemote(source.store().capabilities().remote());
    }

    /**
     * A step from one level to the next.
     *
     * @param path the path of the next level
     * @param pyramid the levels
     * @param number the number of the step
     */
    public record Step(String path, Pyramid pyramid, int number) {
        /** {@return by how much the next level is smaller, on each axis} */
        public int[] factors() {
            return pyramid.steps().get(number);
        }

        /** {@return how elements are reduced} */
        public Method method() {
            return pyramid.method();
        }
    }

    /** {@return the steps from the array at a path to the levels that are made of it; none if it is no first level} */
    public List<Step> stepsFrom(String path) {
        List<Step> steps = new ArrayList<>();
        if (!path.isEmpty()) {
            String parent = NodePaths.parent(path);
            Optional<Levels> group;
            synchronized (groups) {
                group = groups.getOrDefault(parent, Optional.empty());
            }
            if (group.isPresent() && group.get().names.indexOf(NodePaths.leaf(path)) == 0) {
                Levels levels = group.get();
                for (int level = 1; level < levels.names.size(); level++) {
                    steps.add(new Step(NodePaths.below(parent, levels.names.get(level)), levels.pyramid, level - 1));
                }
            }
        }
        return steps;
    }

    /** Says how an array of the view will be stored in the target, so that levels can be made of it. */
    public void plan(String path, ArraySpec stored) {
        synchronized (planned) {
            planned.put(path, stored);
        }
    }

    /**
     * {@return the spec of a level with the chunks and shards of the level before in the target, so that all levels
     * have the same by default; other specs as they are}
     */
    public ArraySpec likeLevelBefore(String path, ArraySpec spec) throws IOException {
        Optional<Place> level = level(path).filter(place -> place.level > 0);
        Optional<ArraySpec> stored = level.flatMap(this::planned);
        if (stored.isEmpty()) {
            return spec;
        }
        ArraySpec before = stored.get();
        return spec.toBuilder()
                .shards(before.shards().map(grid -> over(spec.shape(), grid)).orElse(null))
                .chunks(over(spec.shape(), before.chunks()))
                .build();
    }

    private static ChunkGrid over(Shape shape, ChunkGrid grid) {
        return ChunkGrid.regular(shape, grid.chunkShape());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Levels> group = group(path);
        if (group.isPresent()) {
            ChunkStore.GroupNode own = group.get().group;
            return Optional.of(own == null ? new GroupNode(GroupSpec.of(Map.of()), false) : own);
        }
        Optional<Place> level = level(path);
        if (level.isPresent()) {
            return Optional.of(new ArrayNode(spec(level.get())));
        }
        return isHidden(path) ? Optional.empty() : sourceNode(path);
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Levels> group = group(path);
        if (group.isEmpty()) {
            return source.store().children(source.resolve(path).path());
        }
        List<String> children = new ArrayList<>(group.get().names);
        if (group.get().group != null) {
            for (String child : source.store().children(source.resolve(path).path())) {
                if (!group.get().hidden.contains(child) && !children.contains(child)) {
                    children.add(child);
                }
            }
        }
        return children;
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Place> level = level(path);
        if (level.isPresent() && level.get().level > 0) {
            return reader(level.get());
        }
        if (level.isEmpty() && (group(path).isPresent() || isHidden(path))) {
            throw new StoreException(at(path) + " is not an array");
        }
        StoreLocation place = source.resolve(level.isPresent() ? level.get().levels.base : path);
        return place.store().openReader(place.path());
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        Optional<String> place = stored(path);
        List<String> omissions = new ArrayList<>();
        if (place.isPresent()) {
            omissions.addAll(
                    source.store().omissions(source.resolve(place.get()).path()));
        }
        for (String beside : besideLevels(path)) {
            omissions.add("\"" + beside + "\" is not copied, because new levels replace the group that it is in");
        }
        return omissions;
    }

    /** {@return the nodes beside levels in groups of their own, which are hidden with them} */
    private List<String> besideLevels(String path) throws IOException {
        List<String> beside = new ArrayList<>();
        Optional<Levels> group = group(path);
        for (String hidden : group.isEmpty() ? List.<String>of() : group.get().hidden) {
            String above = NodePaths.below(path, hidden);
            for (String child : source.store().children(source.resolve(above).path())) { // none of an array
                String below = NodePaths.below(hidden, child);
                if (group.get().replaced.stream().noneMatch(level -> (level + "/").startsWith(below + "/"))) {
                    beside.add(below);
                }
            }
        }
        return beside;
    }

    @Override
    public List<String> layoutOmissions(String path) throws IOException {
        Optional<String> place = stored(path);
        return place.isEmpty()
                ? List.of()
                : source.store().layoutOmissions(source.resolve(place.get()).path());
    }

    /** {@return the path of a node in the source; empty if it is not there} */
    private Optional<String> stored(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Place> level = level(path);
        if (level.isPresent()) {
            return level.get().level == 0 ? Optional.of(level.get().levels.base) : Optional.empty();
        }
        Optional<Levels> group = group(path);
        return group.isPresent() && group.get().group == null ? Optional.empty() : Optional.of(path);
    }

    /** {@return a level as far as it is known: exactly, once it is planned how the one before is stored} */
    private ArraySpec spec(Place place) throws IOException {
        if (place.level == 0) {
            return base(place.levels);
        }
        return planned(place).isPresent()
                ? reader(place).spec()
                : level(place, spec(new Place(place.path, place.levels, place.level - 1)), place.step());
    }

    private LevelReader reader(Place place) throws IOException {
        ArraySpec before = planned(place)
                .orElseThrow(() ->
                        new StoreException("level " + place.before() + ", of which it would be made, is not copied"));
        StoreLocation above = target.resolve(place.before());
        ReadTraits traits = above.store()
                .readTraits(before)
                .orElseThrow(() -> new StoreException("levels are made of what is written, but "
                        + above.store().name() + " cannot say how it will be read"));
        return new LevelReader(
                above, before, traits, level(place, before, place.step()), place.levels.pyramid, place.step());
    }

    /** {@return the level before one, as it will be in the target; empty if that is not known} */
    private Optional<ArraySpec> planned(Place place) {
        synchronized (planned) {
            return Optional.ofNullable(planned.get(place.before()));
        }
    }

    private static ArraySpec level(Place place, ArraySpec before, int[] step) {
        Pyramid pyramid = place.levels.pyramid;
        Map<String, String> hints = new LinkedHashMap<>(before.hints());
        hints.remove(ArraySpec.IRREGULAR_HINT);
        long[] factors = pyramid.factors(place.level);
        hints.put(
                ArraySpec.LEVEL_FACTORS_HINT,
                Arrays.stream(factors).mapToObj(Long::toString).collect(Collectors.joining(",")));
        hints.put(
                ArraySpec.LEVEL_SHIFTS_HINT,
                Arrays.stream(pyramid.shifts(place.level))
                        .mapToObj(shift ->
                                shift == Math.rint(shift) ? Long.toString((long) shift) : Double.toString(shift))
                        .collect(Collectors.joining(",")));
        hints.put(ArraySpec.LEVEL_METHOD_HINT, pyramid.method().text());
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(before.attributes());
        if (attributes.containsKey(FACTORS)) {
            List<Object> xFirst = new ArrayList<>();
            Arrays.stream(factors).forEach(factor -> xFirst.add(factor));
            Collections.reverse(xFirst);
            attributes.put(FACTORS, xFirst);
        }
        Images.elementSize(before, place.step()).ifPresent(size -> attributes.put(Images.ELEMENT_SIZE, size));
        Shape shape = Reducer.reduced(before.shape(), step);
        return before.toBuilder()
                .shards(null)
                .chunks(ChunkGrid.regular(shape, before.chunks().chunkShape()))
                .hints(hints)
                .attributes(attributes)
                .build();
    }

    private ArraySpec base(Levels levels) throws IOException {
        StoreLocation base = source.resolve(levels.base);
        return Nodes.array(base).orElseThrow(() -> new StoreException("there is no array at " + base));
    }

    /** {@return the level at a path; empty if there is none} */
    private Optional<Place> level(String path) throws IOException {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        String parent = NodePaths.parent(path);
        Optional<Levels> group = group(parent);
        int level = group.isEmpty() ? -1 : group.get().names.indexOf(NodePaths.leaf(path));
        return level < 0 ? Optional.empty() : Optional.of(new Place(parent, group.get(), level));
    }

    /** {@return whether a node of the source is replaced by levels, or is below one that is} */
    private boolean isHidden(String path) throws IOException {
        for (String below = path; !below.isEmpty(); below = NodePaths.parent(below)) {
            Optional<Levels> group = group(NodePaths.parent(below));
            if (group.isPresent()
                    && (group.get().group == null || group.get().hidden.contains(NodePaths.leaf(below)))) {
                return true;
            }
        }
        return false;
    }

    /** {@return the group with levels at a path; empty if there is none} */
    private Optional<Levels> group(String path) throws IOException {
        synchronized (groups) {
            Optional<Levels> known = groups.get(path);
            if (known == null) {
                known = path.isEmpty() || (level(path).isEmpty() && !isHidden(path)) ? examine(path) : Optional.empty();
                groups.put(path, known);
            }
            return known;
        }
    }

    private Optional<Levels> examine(String path) throws IOException {
        StoreLocation place = source.resolve(path);
        Optional<Node> node = Nodes.understood(place);
        Optional<Image> image = node.isEmpty() ? Optional.empty() : images.of(place, node.get());
        if (image.isEmpty()) {
            return Optional.empty();
        }
        String first = image.get().levels().get(0);
        String base = first.isEmpty() ? path : NodePaths.below(path, first);
        if (!(sourceNode(base).orElse(null) instanceof ArrayNode array)) {
            return Optional.empty();
        }
        Optional<Pyramid> pyramid = choice.of(path, array.spec(), image.get());
        if (pyramid.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (int level = 0; level < pyramid.get().levels(); level++) {
            names.add(target.store().rules().levelName(level));
        }
        List<String> hidden = image.get().levels().stream()
                .map(level -> level.split("/", 2)[0])
                .distinct()
                .toList();
        return Optional.of(new Levels(
                base,
                names,
                pyramid.get(),
                image.get().levels(),
                hidden,
                node.get() instanceof GroupNode group ? group : null));
    }

    private Optional<Node> sourceNode(String path) throws IOException {
        StoreLocation place = source.resolve(path);
        return place.store().node(place.path());
    }

    @Override
    public String identity() {
        return source.store().identity() + " " + source.path() + " with levels";
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return source.store().places(source.path());
    }

    /** Does nothing: source and target are closed by their owners. */
    @Override
    public void close() {}
}
