package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.exec.Report;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Compares a copy from bucket to bucket, 50 ms away, with a pipeline that is perfect: as many requests at once as the
 * copy may have, and no slower than the same values are got and put where nothing is far. Not run unless it is named.
 */
class RemoteCopyMeasurement {
    private static final int LATENCY_MILLIS = 50;
    private static final int LANES = 64;
    private static final int ROUNDS = 3;
    private static final ChunkGrid MAPS = ChunkGrid.regular(Shape.of(512, 256, 256), Shape.of(1, 256, 256));
    private static final long[] SERIES = {128, 64, 64};

    @Test
    void fromBucketToBucket() throws Exception {
        ArraySpec spec = ArraySpec.builder(MAPS, DataType.UINT16).build();
        try (S3Server server = S3Server.startUnsigned()) {
            String from = "s3://" + server.bucket() + "/a?anonymous=true&endpoint=";
            byte[] elements = new byte[(int) spec.bytes()];
            new Random(1).nextBytes(elements);
            try (ChunkStore source = Zarr.create(Stores.keys(from + server.address()))) {
                Rechunker.from(MemoryStore.of(spec, elements))
                        .to(source)
                        .chunks("keep")
                        .maxMem("200MB")
                        .execute();
            }
            for (int round = 0; round < ROUNDS; round++) { // of which the first one warms up
                double near;
                try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> Fault.NONE)) {
                    near = seconds(() ->
                            moveAsTheyAre(Stores.keys(from + proxy.address()), Stores.keys(place(server, proxy))));
                }
                try (FaultyProxy proxy = new FaultyProxy(server.address(), LATENCY_MILLIS, request -> Fault.NONE);
                        ChunkStore source = Stores.open(from + proxy.address());
                        ChunkStore target = Zarr.create(Stores.keys(place(server, proxy)))) {
                    int before = proxy.requests();
                    Plan[] plan = new Plan[1];
                    Report[] report = new Report[1];
                    double time = seconds(() -> {
                        plan[0] = Rechunker.from(source)
                                .to(target)
                                .chunks(SERIES)
                                .maxMem("200MB")
                                .plan();
                        report[0] = plan[0].execute();
                    });
                    int requests = proxy.requests() - before;
                    double perfect = Math.max(near, requests * LATENCY_MILLIS / 1e3 / LANES);
                    System.out.printf(
                            "%.1f s, perfect %.1f s (bytes %.1f s, latency %.1f s), ratio %.2f; %d requests, at most"
                                    + " %d at once; memory %,d of %,d bytes%n",
                            time,
                            perfect,
                            near,
                            requests * LATENCY_MILLIS / 1e3 / LANES,
                            time / perfect,
                            requests,
                            proxy.mostUnderWay(),
                            report[0].measuredMemory(),
                            plan[0].maxMem().bytes());
                    assertTrue(report[0].measuredMemory() <= report[0].projectedMemory());
                    assertTrue(report[0].projectedMemory() <= plan[0].maxMem().bytes());
                    MemoryStore arrived = new MemoryStore();
                    Rechunker.from(target)
                            .to(arrived)
                            .chunks("-1")
                            .maxMem("400MB")
                            .execute();
                    assertArrayEquals(elements, arrived.elements(""));
                }
            }
        }
    }

    private static String place(S3Server server, FaultyProxy proxy) {
        return "s3://" + server.bucket() + "/b?anonymous=true&endpoint=" + proxy.address();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static double seconds(Work work) throws Exception {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e9;
    }

    /** Gets every chunk of the source, and puts as many bytes in values as large as the target's. */
    private static void moveAsTheyAre(KeyStore from, KeyStore to) throws Exception {
        long unit = 2 * SERIES[0] * SERIES[1] * SERIES[2];
        long chunk = 2 * 256 * 256;
        ExecutorService threads = Executors.newFixedThreadPool(LANES);
        try (from;
                to) {
            List<Future<?>> all = new ArrayList<>();
            for (long i = 0; i < MAPS.count(); i++) {
                String get = "c/" + i + "/0/0";
                boolean puts = i % (unit / chunk) == 0;
                String put = "c/" + i;
                all.add(threads.submit(() -> {
                    ByteBuffer bytes = ByteBuffer.allocateDirect((int) chunk);
                    try (ByteSource source = from.open(get).orElseThrow()) {
                        source.read(0, bytes);
                    }
                    if (puts) {
                        to.put(put, ByteBuffer.allocateDirect((int) unit));
                    }
                    return get;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
