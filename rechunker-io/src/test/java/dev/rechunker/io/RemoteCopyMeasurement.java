package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.azure.AzureServer;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.io.gcs.GcsServer;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures a copy from bucket to bucket with a latency of 50 ms and 40 MB/s in each direction. It is compared with a
 * perfect pipeline, which always reads, always writes, and always has the maximum number of requests in progress. It
 * runs only if it is selected by name.
 */
class RemoteCopyMeasurement {
    private static final int LATENCY_MILLIS = 50;
    private static final double BYTES_PER_SECOND = 40e6;
    private static final int LANES = 64;
    private static final int ROUNDS = 3;
    private static final ChunkGrid MAPS = ChunkGrid.regular(Shape.of(2048, 256, 256), Shape.of(1, 256, 256));
    private static final long[] SERIES = {128, 64, 64};

    @Test
    void s3() throws Exception {
        fromBucketToBucket(S3Server.startUnsigned());
    }

    @Test
    @Tag("reference")
    void google() throws Exception {
        fromBucketToBucket(GcsServer.start());
    }

    @Test
    @Tag("reference")
    void azure() throws Exception {
        fromBucketToBucket(AzureServer.start());
    }

    private static void fromBucketToBucket(PlaceServer place) throws Exception {
        ArraySpec spec = ArraySpec.builder(MAPS, DataType.UINT16).build();
        try (PlaceServer server = place) {
            String from = server.place("a");
            byte[] elements = new byte[(int) spec.bytes()];
            new Random(1).nextBytes(elements);
            try (ChunkStore source = Zarr.create(Stores.keys(from))) {
                Rechunker.from(MemoryStore.of(spec, elements))
                        .to(source)
                        .chunks("keep")
                        .maxMem("200MB")
                        .execute();
            }
            for (int round = 0; round < ROUNDS; round++) { // the first one is a warm-up
                try (FaultyProxy proxy = new FaultyProxy(
                                server.address(), LATENCY_MILLIS, BYTES_PER_SECOND, request -> Fault.NONE);
                        ChunkStore source = Stores.open(from.replace(server.address(), proxy.address()));
                        ChunkStore target = Zarr.create(Stores.keys(server.place(proxy.address(), "b")))) {
                    int before = proxy.requests();
                    long start = System.nanoTime();
                    Plan plan = Rechunker.from(source)
                            .to(target)
                            .chunks(SERIES)
                            .maxMem("200MB")
                            .plan();
                    Report report = plan.execute();
                    double time = (System.nanoTime() - start) / 1e9;
                    int requests = proxy.requests() - before;
                    double bytes = spec.bytes() / BYTES_PER_SECOND;
                    double latency = requests * LATENCY_MILLIS / 1e3 / LANES;
                    double perfect = Math.max(bytes, latency);
                    System.out.printf(
                            "%s: %.1f s, perfect %.1f s (bytes %.1f s, latency %.1f s), ratio %.2f; %d requests, at most"
                                    + " %d at once; read %.3f times; memory %,d of %,d bytes%n",
                            server.getClass().getSimpleName(),
                            time,
                            perfect,
                            bytes,
                            latency,
                            time / perfect,
                            requests,
                            proxy.mostUnderWay(),
                            report.storedBytesRead() / (double) spec.bytes(),
                            report.measuredMemory(),
                            plan.maxMem().bytes());
                    assertTrue(report.measuredMemory() <= report.projectedMemory());
                    assertTrue(report.projectedMemory() <= plan.maxMem().bytes());
                    MemoryStore arrived = new MemoryStore();
                    Rechunker.from(target)
                            .to(arrived)
                            .chunks("-1")
                            .maxMem("1GB")
                            .execute();
                    assertArrayEquals(elements, arrived.elements(""));
                }
            }
        }
    }
}
