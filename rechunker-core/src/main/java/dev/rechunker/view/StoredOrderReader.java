package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A reader of an array with its axes in another order, which delivers elements in the order of the array.
 *
 * <p>Chunks are streamed only if runs have several elements on the last axis, which is the first in the target's
 * memory. Otherwise a chunk is delivered at once, as each run would touch the same memory again.
 */
final class StoredOrderReader extends ForwardingStore.Reader {
    /** The bytes that should be side by side in the target: a line of the cache. */
    private static final long LINE = 64;

    /** The bytes of a run if the reader does not say. */
    private static final long RUN = 64 << 10;

    private final ArraySpec spec;
    private final List<Integer> order;
    private final ReadTraits traits;

    /**
     * Creates it.
     *
     * @param spec the array with its axes in the other order
     * @param order of each axis of the array, the number that it has in {@code spec}
     * @param most the most bytes of a chunk that is delivered at once if it could be streamed
     */
    StoredOrderReader(ArrayReader reader, ArraySpec spec, List<Integer> order, long most) {
        super(reader);
        this.spec = spec;
        this.order = order;
        ReadTraits theirs = reader.traits();
        ReadTraits traits = theirs.granularity() == Granularity.STREAM && isFasterAtOnce(reader, most)
                ? ReadTraits.of(Granularity.CHUNK)
                        .withPaddedEdges(theirs.paddedEdges())
                        .withScratchBytes(theirs.scratchBytes())
                        .withNativeBytes(theirs.nativeBytes())
                        .withHeldBytes(theirs.heldBytes())
                : theirs;
        this.traits = traits.withAxisOrder(order);
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    private boolean isFasterAtOnce(ArrayReader reader, long most) {
        Shape chunk = reader.spec().chunks().chunkShape();
        int itemSize = spec.dataType().itemSize();
        int last = order.indexOf(order.size() - 1);
        double faster = itemSize;
        for (int axis = last + 1; axis < chunk.rank(); axis++) {
            faster *= chunk.extent(axis);
        }
        double bytes = faster;
        for (int axis = 0; axis <= last; axis++) {
            bytes *= chunk.extent(axis);
        }
        long block = reader.traits().blockBytes();
        double together = Math.max(1, (block == 0 ? RUN : block) / faster);
        return bytes <= most && together * itemSize < LINE && chunk.extent(last) >= 2 * together;
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

    @Override
    public Optional<EncodedChunks> encodedChunks() {
        return Optional.empty();
    }
}
