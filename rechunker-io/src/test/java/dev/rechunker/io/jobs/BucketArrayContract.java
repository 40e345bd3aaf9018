package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import dev.rechunker.testing.RestartedProcesses;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes run tasks at the same time, in any order; some are killed and started again. They share only a
 * bucket, which contains source, target, spill, plan and records.
 */
@Timeout(600)
abstract class BucketArrayContract {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);
    private static final int PARTS = 4;
    private static final int KILLS_OF_STAGE = 2;
    private static final int LONGEST_LIFE_MILLIS = 3500;

    @TempDir
    Path directory;

    /** {@return the URI of a new bucket} */
    abstract String bucket() throws Exception;

    /** {@return how many processes run at the same time} */
    abstract int processes();

    /** {@return the options of a JVM that uses the bucket} */
    List<String> settings() {
        return List.of("-Xmx80m");
    }

    /** {@return the limit of the memory of each process} */
    String maxMem() {
        return "1200kB";
    }

    /** {@return the URI of something in a bucket} */
    private static String in(String bucket, String name) {
        int question = bucket.indexOf('?');
        return question < 0
                ? bucket + "/" + name
                : bucket.substring(0, question) + "/" + name + bucket.substring(question);
    }

    @Test
    void processesThatShareABucketWriteTheSameElements() throws Exception {
        Data data =
                Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(1024, 1024), Shape.of(1024, 16)), DataType.INT32)
                        .codecs(CodecSpec.parse("gzip:level=1"))
                        .build());
        long seed = new Random().nextLong();
        RestartedProcesses processes =
                new RestartedProcesses(directory, processes(), KILLS_OF_STAGE, LONGEST_LIFE_MILLIS, new Random(seed));
        String bucket = bucket();
        try (ChunkStore source = Zarr.create(Stores.keys(in(bucket, "source.zarr")));
                ChunkStore target = Zarr.create(Stores.keys(in(bucket, "target.zarr")));
                KeyStore keys = Stores.keys(bucket)) {
            data.write(source, "");
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(16, 1024)
                    .maxMem(maxMem())
                    .threads(1)
                    .workers(8)
                    .costModel(SLOW_TO_READ)
                    .plan();
            assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
            JobFile.save(plan, keys, "plan.json");
            int killed = 0;
            for (int i = 0; i < 2; i++) {
                int stage = i;
                long tasks = plan.arrays().get(0).copy().stages().get(stage).tasks();
                assertTrue(tasks >= PARTS, plan::explain);
                killed += processes.run(
                        PARTS, part -> process(bucket, stage, part * tasks / PARTS, (part + 1) * tasks / PARTS));
            }
            assertTrue(killed > 0, "no process was killed; seed " + seed);
            try (JobFile job = JobFile.open(keys, "plan.json")) {
                job.finish();
            }
            data.check(target, "");
            assertSameBytes(source, keys);
            assertEquals(List.of("plan.json"), keys.list("").values());
            assertEquals(List.of("source.zarr", "target.zarr"), keys.list("").directories());
            assertEquals(List.of("c"), keys.list("target.zarr").directories());
        }
    }

    /** Compares the target with a copy to a directory. */
    private void assertSameBytes(ChunkStore source, KeyStore keys) throws Exception {
        Path local = directory.resolve("local.zarr");
        try (ChunkStore target = Zarr.create(local)) {
            Rechunker.from(source).to(target).chunks(16, 1024).maxMem("100MB").execute();
        }
        for (Map.Entry<String, byte[]> file : FileTrees.files(local).entrySet()) {
            try (ByteSource there = keys.open("target.zarr/" + file.getKey()).orElseThrow()) {
                byte[] bytes = new byte[(int) there.size()];
                there.read(0, ByteBuffer.wrap(bytes));
                assertArrayEquals(file.getValue(), bytes, file.getKey());
            }
        }
    }

    private ProcessBuilder process(String bucket, int stage, long from, long to) {
        List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        options.addAll(settings());
        return ChildJvm.of(
                options,
                BucketWorker.class,
                bucket,
                "plan.json",
                Integer.toString(stage),
                Long.toString(from),
                Long.toString(to));
    }
}
