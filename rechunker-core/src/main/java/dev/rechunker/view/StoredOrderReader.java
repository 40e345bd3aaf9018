package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A reader of an array with its axes in another order, which delivers elements in the order of the array. */
final class StoredOrderReader extends ForwardingStore.Reader {
    private final ArraySpec spec;
    private final List<Integer> order;

    /**
     * Creates it.
     *
     * @param spec the array with its axes in the other order
     * @param order of each axis of the array, the number that it has in {@code spec}
     */
    StoredOrderReader(ArrayReader reader, ArraySpec spec, List<Integer> order) {
        super(reader);
        this.spec = spec;
        this.order = order;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return super.traits().withAxisOrder(order);
    }

    private Region stored(Region region) {
        long[] origin = order.stream().mapToLong(region::start).toArray();
        return Region.of(
                origin, Shape.of(order.stream().mapToLong(region::extent).toArray()));
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        return super.read(stored(region), target, scratch);
    }

    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        return super.stream(stored(region), sink, scratch);
    }

    @Override
    public Optional<EncodedSource> encoded() {
        return Optional.empty();
    }
}
