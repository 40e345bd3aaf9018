package dev.rechunker.suggest;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.resource.CostModel;
import java.util.List;
import java.util.Optional;

/**
 * Computes what one way of reading costs.
 *
 * <p>A reader requests each chunk that it needs, and decodes it whole. Of a shard, it requests the index first.
 */
public final class ReadCosts {
    /** The number of requests that readers have in flight, as that of zarr-python 3 by default. */
    private static final int IN_FLIGHT = 10;

    /**
     * The seconds that a reader needs for a chunk of any size; measured of zarr-python 3, which has one thread for it.
     */
    private static final double CHUNK_SECONDS = 220e-6;

    /** The part of the last requests in flight that is missing, on average over all numbers of requests. */
    private static final double INCOMPLETE = (IN_FLIGHT - 1) / (2.0 * IN_FLIGHT);

    /** The bytes that the index of a shard has per chunk. */
    private static final int INDEX_ENTRY = 16;

    private final ReadWay way;
    private final List<Long> lengths;
    private final int itemSize;
    private final Storage storage;

    /**
     * The storage of an array.
     *
     * @param model the performance of storage and processors
     * @param threads the number of threads that decode
     * @param storedShare the size of a stored chunk relative to that of its elements
     * @param encoded whether chunks must be decoded
     */
    public record Storage(CostModel model, int threads, double storedShare, boolean encoded) {}

    /**
     * What one read costs, on average over all positions.
     *
     * @param requests the number of requests
     * @param bytes the stored bytes that are read
     * @param seconds the time
     */
    public record ReadCost(double requests, double bytes, double seconds) {}

    /**
     * Creates the costs of a way of reading an array.
     *
     * @throws IllegalArgumentException if the way names an axis that the array lacks
     */
    public ReadCosts(ReadWay way, ArraySpec array, Storage storage) {
        this.way = way;
        this.lengths = way.of(array);
        this.itemSize = array.dataType().itemSize();
        this.storage = storage;
    }

    /** {@return the way} */
    public ReadWay way() {
        return way;
    }

    /** {@return the number of elements that a read has along an axis} */
    long length(int axis) {
        return lengths.get(axis);
    }

    /** {@return what a read needs of the parts of an axis} */
    AxisReads along(int axis, Partition parts) {
        return AxisReads.of(parts, lengths.get(axis));
    }

    /** {@return the cost of a read if it got its elements, and nothing else, by one request} */
    public ReadCost ideal() {
        double elements = itemSize;
        for (long length : lengths) {
            elements *= length;
        }
        return cost(1, elements, 0);
    }

    /** {@return the cost of a read of an array with chunks, and possibly shards} */
    public ReadCost of(ChunkGrid chunks, Optional<ChunkGrid> shards) {
        AxisReads all = along(chunks);
        if (shards.isEmpty()) {
            return cost(all.parts(), all.elements() * itemSize, 0);
        }
        double indexes = along(shards.get()).parts();
        double inShard = 1;
        for (int axis = 0; axis < chunks.rank(); axis++) {
            inShard *=
                    (double) shards.get().axis(axis).step() / chunks.axis(axis).step();
        }
        return cost(all.parts() + indexes, all.elements() * itemSize, indexes * inShard * INDEX_ENTRY);
    }

    /** {@return what a read needs of chunks or shards: their number, and that of all elements in them} */
    AxisReads along(ChunkGrid grid) {
        double parts = 1;
        double elements = 1;
        for (int axis = 0; axis < grid.rank(); axis++) {
            AxisReads along = along(axis, grid.axis(axis));
            parts *= along.parts();
            elements *= along.elements();
        }
        return new AxisReads(parts, elements);
    }

    /**
     * {@return the cost of requests}
     *
     * @param decoded the bytes of the elements that are decoded
     * @param more the bytes of indexes
     */
    ReadCost cost(double requests, double decoded, double more) {
        CostModel model = storage.model();
        double read = decoded * storage.storedShare() + more;
        double waits = Math.max(1, requests / IN_FLIGHT + INCOMPLETE) * model.latencySeconds();
        double decoders = Math.max(1, Math.min(storage.threads(), requests));
        double decoding = storage.encoded() ? decoded / (model.codecBytesPerSecond() * decoders) : 0;
        double handling = requests * (model.requestSeconds() + CHUNK_SECONDS);
        double seconds = Math.max(waits, handling) + read / model.readBytesPerSecond() + decoding;
        return new ReadCost(requests, read, seconds);
    }
}
