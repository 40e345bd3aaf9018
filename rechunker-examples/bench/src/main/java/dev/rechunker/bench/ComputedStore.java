package dev.rechunker.bench;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A read-only array whose elements are computed when they are read. */
final class ComputedStore extends ReadOnlyStore {
    private final ArraySpec spec;
    private final Values values;

    ComputedStore(ArraySpec spec, Values values) {
        this.spec = spec;
        this.values = values;
    }

    @Override
    public String name() {
        return "made";
    }

    @Override
    public String identity() {
        return "made " + System.identityHashCode(this);
    }

    @Override
    public Optional<Node> node(String path) {
        return path.isEmpty() ? Optional.of(new ArrayNode(spec)) : Optional.empty();
    }

    @Override
    public List<String> children(String path) {
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        if (!path.isEmpty()) {
            throw new StoreException("there is no array at " + at(path));
        }
        return new Reader();
    }

    @Override
    public void close() {}

    private final class Reader implements ArrayReader {
        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public ReadTraits traits() {
            long row = 4 * spec.shape().extent(spec.shape().rank() - 1);
            return ReadTraits.of(ReadTraits.Granularity.CHUNK).withNativeBytes(row);
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) {
            values.fill(spec.shape(), spec.dataType(), region, target.order(spec.byteOrder()));
            return true;
        }

        @Override
        public void close() {}
    }
}
