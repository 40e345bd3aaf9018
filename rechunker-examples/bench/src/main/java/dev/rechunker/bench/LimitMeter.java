package dev.rechunker.bench;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** Measures the {@link Limit} of a workload. */
final class LimitMeter {
    /** A chunk of less is tiny: then it is the file that costs. */
    private static final long TINY = 64 << 10;

    private final Workload workload;
    private final Path source;
    private final Path result;
    private final long spillBytes;
    private final Scrap scrap;
    private final Coding coding;
    private final Device device;

    /**
     * Creates it.
     *
     * @param source the workload's input
     * @param result what a run has made of it, which is encoded again
     * @param spillBytes what the plan spills
     * @param scrap for what is written
     */
    LimitMeter(Workload workload, Path source, Path result, long spillBytes, Scrap scrap, int threads) {
        this.workload = workload;
        this.source = source;
        this.result = result;
        this.spillBytes = spillBytes;
        this.scrap = scrap;
        this.coding = new Coding(threads);
        this.device = new Device(scrap, threads);
    }

    /** {@return the limit, as it is now} */
    Limit measure() throws IOException, InterruptedException {
        OptionalDouble reads = isTiny(workload.input().chunks())
                        && !workload.input().container().isHdf5()
                ? OptionalDouble.of(device.readsPerSecond(source))
                : OptionalDouble.empty();
        long units = workload.grid().count();
        OptionalDouble creates = isTiny(workload.chunks()) && !workload.target().isHdf5()
                ? OptionalDouble.of(device.createsPerSecond(units, (int) (Trees.bytes(result) / units)))
                : OptionalDouble.empty();
        double decode = reads.isPresent() ? workload.input().grid().count() / reads.getAsDouble() : decode();
        double encode = creates.isPresent() ? units / creates.getAsDouble() : encode();
        return new Limit(decode, encode, device.writeAndReadBack(spillBytes), device.copy(source), reads, creates);
    }

    private boolean isTiny(Shape chunk) {
        return chunk.elements() * workload.input().type().itemSize() < TINY;
    }

    private double decode() throws IOException, InterruptedException {
        StoreLocation array = workload.input().container().open(source);
        try (ChunkStore store = array.store();
                ArrayReader reader = store.openReader(array.path())) {
            return coding.decode(reader);
        }
    }

    private double encode() throws IOException, InterruptedException {
        Path directory = scrap.next();
        StoreLocation from = workload.target().open(result);
        StoreLocation to = workload.target().create(workload.target().in(directory, "limit"));
        try (ChunkStore made = from.store();
                ArrayReader elements = made.openReader(from.path());
                ChunkStore store = to.store()) {
            ArraySpec spec = store.resolve(store.rules().adopt(elements.spec()));
            try (ArrayWriter writer = store.create(to.path(), spec, false)) {
                return coding.encode(elements, writer);
            }
        } finally {
            Trees.empty(directory);
        }
    }
}
