package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A step that changes the geometry of arrays: which elements there are, and where. */
abstract class GeometryStep implements ViewStep {
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
    public final ArrayView bind(StoreLocation source, long most) throws IOException {
        NamedAxes axes = NamedAxes.of(source);
        Rule rule = rule(axes);
        for (Map.Entry<String, ArraySpec> array : axes.arrays().entrySet()) {
            rule.of(axes.path(array.getKey()), array.getValue()); // refuses what does not fit
        }
        return new View(text.isEmpty() ? name : name + " " + text, rule);
    }

    /** The step for the arrays of a source. */
    private record View(String text, Rule rule) implements ArrayView {
        private Optional<Geometry> geometry(String path, ArraySpec spec) throws StoreException {
            try {
                return rule.of(path, spec).filter(geometry -> !geometry.isIdentity(spec.shape()));
            } catch (IllegalArgumentException e) {
                throw new StoreException(StoreException.reason(e), e);
            }
        }

        @Override
        public ArraySpec of(String path, ArraySpec spec) throws IOException {
            Optional<Geometry> geometry = geometry(path, spec);
            return geometry.isPresent() ? geometry.get().of(spec) : spec;
        }

        @Override
        public ArrayReader of(String path, ArrayReader reader) throws IOException {
            Optional<Geometry> geometry = geometry(path, reader.spec());
            return geometry.isPresent()
                    ? GeometryReader.of(reader, geometry.get(), geometry.get().of(reader.spec()))
                    : reader;
        }
    }
}
