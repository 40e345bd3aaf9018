package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.ImageAttributes.Shown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A step that changes the geometry of arrays: which elements there are, and where. */
abstract class GeometryStep implements ViewStep {
    private static final String COORDINATES = "coordinates";

    private final String name;
    private final String text;

    GeometryStep(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** The geometry of each array. */
    @FunctionalInterface
    interface Rule {
        /**
         * {@return the geometry of an array; empty if the step does not concern it}
         *
         * @param path the path of the array in the store
         * @throws IllegalArgumentException if the step does not fit the array
         */
        Optional<Geometry> of(String path, ArraySpec spec);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String text() {
        return text;
    }

    /** {@return the rule for a source, whose arrays it need not fit} */
    abstract Rule rule(NamedAxes axes);

    /** {@return the name and the text, for messages} */
    final String described() {
        return text.isEmpty() ? name : name + " \"" + text + "\"";
    }

    @Override
    public final ArrayView bind(StoreLocation source, Map<String, ArraySpec> arrays, ScanLimits limits) {
        NamedAxes axes = new NamedAxes(source, arrays);
        Rule rule = rule(axes);
        for (Map.Entry<String, ArraySpec> array : axes.arrays().entrySet()) {
            rule.of(axes.path(array.getKey()), array.getValue()); // refuses what does not fit
        }
        return new View(text.isEmpty() ? name : name + " " + text, rule, axes);
    }

    /** The step for the arrays of a source. */
    private record View(String text, Rule rule, NamedAxes axes) implements ArrayView {
        /** {@return what an array becomes; empty if the step leaves it as it is} */
        private Optional<Shown> shown(String path, ArraySpec spec) {
            return rule.of(path, spec)
                    .map(geometry -> new Shown(spec, geometry))
                    .filter(shown -> !shown.isWhole());
        }

        private Optional<Shown> fitting(String path, ArraySpec spec) throws StoreException {
            try {
                return shown(path, spec);
            } catch (IllegalArgumentException e) {
                throw new StoreException(StoreException.reason(e), e);
            }
        }

        @Override
        public ArraySpec of(String path, ArraySpec spec) throws IOException {
            Optional<Shown> shown = fitting(path, spec);
            return shown.isPresent() ? changed(path, shown.get()) : spec;
        }

        @Override
        public ArrayReader of(String path, ArrayReader reader) throws IOException {
            Optional<Shown> shown = fitting(path, reader.spec());
            return shown.isPresent()
                    ? GeometryReader.of(reader, shown.get().geometry(), changed(path, shown.get()))
                    : reader;
        }

        private ArraySpec changed(String path, Shown shown) throws StoreException {
            ArraySpec spec = shown.spec();
            ArraySpec changed = shown.geometry().of(spec);
            Map<String, @Nullable Object> attributes = new ImageAttributes().ofArray(spec.attributes(), shown);
            addCoordinates(attributes, path, spec, shown.geometry());
            return attributes.equals(spec.attributes())
                    ? changed
                    : changed.toBuilder().attributes(attributes).build();
        }

        /**
         * Names the coordinates of dropped axes, which have no axis any more that leads to them. Source: CF, section
         * 5.7, scalar coordinate variables.
         */
        private void addCoordinates(
                Map<String, @Nullable Object> attributes, String path, ArraySpec spec, Geometry geometry) {
            List<@Nullable String> kept = new ArrayList<>();
            for (int axis = 0; axis < geometry.rank(); axis++) {
                int from = geometry.axis(axis);
                kept.add(
                        from < 0 || spec.dimensionNames().isEmpty()
                                ? null
                                : spec.dimensionNames().get(from));
            }
            for (String name : spec.dimensionNames()) {
                if (name == null || kept.contains(name)) {
                    continue;
                }
                String place = NodePaths.below(NodePaths.parent(path), name);
                ArraySpec coordinate = place.equals(path) ? null : axes.find(place);
                if (coordinate != null && coordinate.dimensionNames().equals(List.of(name))) {
                    Object before = attributes.get(COORDINATES);
                    boolean others = before instanceof String text && !text.isBlank();
                    attributes.put(COORDINATES, others ? before + " " + name : name);
                }
            }
        }

        @Override
        public GroupSpec ofGroup(String path, GroupSpec group) throws IOException {
            Map<String, @Nullable Object> attributes =
                    new ImageAttributes().ofGroup(group.attributes(), arraysIn(path));
            return attributes.equals(group.attributes()) ? group : group.withAttributes(attributes);
        }

        @Override
        public List<String> omissions(String path, ChunkStore.Node node) throws IOException {
            ImageAttributes attributes = new ImageAttributes();
            if (node instanceof ChunkStore.ArrayNode array) {
                fitting(path, array.spec())
                        .ifPresent(shown -> attributes.ofArray(array.spec().attributes(), shown));
            } else if (node instanceof ChunkStore.GroupNode group) {
                attributes.ofGroup(group.attributes(), arraysIn(path));
            }
            return attributes.notes();
        }

        /** {@return the arrays below a group that the step concerns, by their paths below it} */
        private Function<String, Optional<Shown>> arraysIn(String group) {
            return below -> {
                String path = NodePaths.below(group, below);
                ArraySpec spec = axes.find(path);
                return spec == null ? Optional.empty() : shown(path, spec);
            };
        }
    }
}
