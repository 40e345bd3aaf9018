package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What works in every place with a web protocol: latency is hidden, and failed requests are repeated. */
abstract class BucketPlaceContract extends PlaceContract {
    @Test
    void failedRequestsAreRepeated() throws Exception {
        Random random = new Random(5);
        Fault[] kinds = {Fault.BUSY, Fault.RESET, Fault.TRUNCATED, Fault.SLOW};
        try (FaultyProxy proxy = new FaultyProxy(server().address(), 0, request -> {
                    synchronized (random) {
                        return random.nextInt(8) == 0 ? kinds[random.nextInt(kinds.length)] : Fault.NONE;
                    }
                });
                ChunkStore source = Zarr.create(Stores.keys(server().place(proxy.address(), "a.zarr")));
                ChunkStore target = Zarr.create(Stores.keys(server().place(proxy.address(), "b.zarr")))) {
            Data data = Data.of(source.resolve(spec("zstd")
                    .shards(ChunkGrid.regular(SHAPE, Shape.of(14, 40, 77)))
                    .build()));
            data.write(source, "", unit -> true);
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(40, 9, 11)
                    .maxMem("100MB")
                    .shards("none")
                    .plan();
            assertWithinLimit(plan, plan.execute());
            data.check(target, "");
            for (Fault kind : kinds) {
                assertTrue(proxy.count(kind) > 0, kind.toString());
            }
        }
    }

    /** Every chunk is read and written by one request, many of them at the same time. */
    @Test
    void latencyIsHidden() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(8, 9, 11)), DataType.UINT16)
                .build();
        String from = server().place("a.zarr");
        Data data;
        try (ChunkStore source = Zarr.create(Stores.keys(from))) {
            data = Data.of(source.resolve(spec));
            data.write(source, "", unit -> true);
        }
        try (FaultyProxy proxy = new FaultyProxy(server().address(), 50, request -> Fault.NONE);
                ChunkStore source = Stores.open(from.replace(server().address(), proxy.address()));
                ChunkStore target = Zarr.create(Stores.keys(server().place(proxy.address(), "b.zarr")))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(40, 45, 11)
                    .maxMem("100MB")
                    .plan();
            int before = proxy.requests();
            assertWithinLimit(plan, plan.execute());
            assertTrue(proxy.mostUnderWay() >= 32, "in progress: " + proxy.mostUnderWay());
            long units = 2 * 7;
            long others = 60; // for metadata, and the journal of the run, which is stored every 2 seconds
            int requests = proxy.requests() - before;
            assertTrue(requests <= spec.chunks().count() + units + others, "requests: " + requests);
            data.check(target, "");
        }
    }
}
