package dev.rechunker.bench;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** A measurement of the {@link Limit} of a workload. */
final class LimitMeter {
    /** The size in bytes below which a chunk is tiny, so that handling its file takes most of the time. */
    private static final long TINY = 64 << 10;

    private final Workload workload;
    private final Path source;
    private final Tool.Job result;
    private final long spillBytes;
    private final Scrap scrap;
    private final Coding coding;
    private final Device device;

    /**
     * Creates a measurement.
     *
     * @param source the input of the workload
     * @param result an earlier run, whose elements are encoded again
     * @param spillBytes the size of the plan's spill in bytes
     * @param scrap the directories for what is written
     */
    LimitMeter(Workload workload, Path source, Tool.Job result, long spillBytes, Scrap scrap, int threads) {
        this.workload = workload;
        this.source = source;
        this.result = result;
        this.spillBytes = spillBytes;
        this.scrap = scrap;
        this.coding = new Coding(threads);
        this.device = new Device(scrap, threads);
    }

    /** Measures the limit. {@return the result} */
    Limit measure() throws IOException, InterruptedException {
        if (workload.keepsChunks()) {
            double copy = device.copy(source);
            return new Limit(copy, 0, 0, copy, OptionalDouble.empty(), OptionalDouble.empty());
        }
        boolean readsFiles = workload.input().shards().isEmpty()
                && !workload.input().container().isHdf5();
        boolean writesFiles = workload.shards().isEmpty() && !workload.target().isHdf5();
        OptionalDouble reads = readsFiles && isTiny(workload.input().chunks())
                ? OptionalDouble.of(device.readsPerSecond(source))
                : OptionalDouble.empty();
        long units = workload.grid().count();
        OptionalDouble creates = writesFiles && isTiny(workload.chunks())
                ? OptionalDouble.of(device.createsPerSecond(units, (int) (Trees.bytes(result.target()) / units)))
                : OptionalDouble.empty();
        double decode = reads.isPresent() ? workload.input().grid().count() / reads.getAsDouble() : decode();
        double encode = creates.isPresent() ? units / creates.getAsDouble() : encode();
        return new Limit(decode, encode, device.writeAndReadBack(spillBytes), device.copy(source), reads, creates);
    }

    private boolean isTiny(Shape chunk) {
        return chunk.elements() * workload.input().type().itemSize() < TINY;
    }

    private double decode() throws IOException, InterruptedException {
        StoreLocation array = workload.input().container().open(source.toString());
        try (ChunkStore store = array.store();
                ArrayReader reader = store.openReader(array.path())) {
            return coding.decode(reader);
        }
    }

    private double encode() throws IOException, InterruptedException {
        Path directory = scrap.next();
        StoreLocation from = units(directory);
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

    /** {@return the result with the write units as chunks; a copy in a directory if it has shards} */
    private StoreLocation units(Path directory) throws IOException, InterruptedException {
        if (workload.shards().isEmpty()) {
            return Container.openArgument(result.targetArray());
        }
        Path units = workload.target().in(directory, "units");
        StoreLocation copy = workload.target().create(units);
        try (ChunkStore to = copy.store()) {
            Rechunker.from(result.targetArray())
                    .to(to.at(copy.path()))
                    .chunks(workload.shards().get().toArray())
                    .maxMem(Input.BOUND)
                    .shards("none")
                    .execute();
        }
        return workload.target().open(units.toString());
    }
}
