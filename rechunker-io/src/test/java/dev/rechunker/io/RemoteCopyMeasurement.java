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
import dev.rechunker.io.bytes.WebServer;
import dev.rechunker.io.gcs.GcsServer;
import dev.rechunker.io.hadoop.Hadoop;
import dev.rechunker.io.hadoop.HdfsServer;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures copies with a latency of 50 ms and 40 MB/s in each direction. They are compared with a perfect pipeline,
 * which always reads, always writes, and always has the maximum number of requests in progress. A round without latency
 * and limit shows what the processors need. It runs only if it is selected by name.
 */
class RemoteCopyMeasurement {
    private static final int LATENCY_MILLIS = 50;
    private static final double BYTES_PER_SECOND = 40e6;
    private static final int LANES = 64;
    private static final int ROUNDS = 2;
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(2048, 256, 256), Shape.of(1, 256, 256)), DataType.UINT16)
            .build();
    private static final long[] SERIES = {128, 64, 64};

    @TempDir
    Path directory;

    private final byte[] elements = new byte[(int) SPEC.bytes()];

    RemoteCopyMeasurement() {
        new Random(1).nextBytes(elements);
    }

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

    /** Chunks of 8 KiB become chunks of 4 MiB, and chunks of 8 KiB again, with requests of 20 ms. */
    @Test
    void tinyChunks() throws Exception {
        ArraySpec tiny = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(256, 512, 512), Shape.of(16, 16, 16)), DataType.UINT16)
                .build();
        try (PlaceServer server = S3Server.startUnsigned();
                FaultyProxy proxy = new FaultyProxy(server.address(), 20, request -> Fault.NONE)) {
            String from = server.place("tiny");
            try (ChunkStore source = Zarr.create(Stores.keys(from))) {
                copyTimed(
                        "made",
                        MemoryStore.of(tiny, Arrays.copyOf(elements, (int) tiny.bytes())),
                        source,
                        proxy,
                        16,
                        16,
                        16);
            }
            try (ChunkStore source = Stores.open(from.replace(server.address(), proxy.address()));
                    ChunkStore large = Zarr.create(Stores.keys(server.place(proxy.address(), "large")));
                    ChunkStore small = Zarr.create(Stores.keys(server.place(proxy.address(), "small")))) {
                copyTimed("tiny chunks to large ones", source, large, proxy, 128, 128, 128);
                copyTimed("large chunks to tiny ones", large, small, proxy, 16, 16, 16);
            }
        }
    }

    /** A group of 300 arrays of 8 KiB in four chunks, with requests of 20 ms. */
    @Test
    void manyArrays() throws Exception {
        ArraySpec array = ArraySpec.builder(ChunkGrid.regular(Shape.of(64, 64), Shape.of(32, 32)), DataType.UINT16)
                .build();
        MemoryStore arrays = new MemoryStore();
        for (int number = 0; number < 300; number++) {
            arrays.put("a" + number, array, Arrays.copyOf(elements, (int) array.bytes()));
        }
        try (PlaceServer server = S3Server.startUnsigned();
                FaultyProxy proxy = new FaultyProxy(server.address(), 20, request -> Fault.NONE)) {
            String from = server.place("many");
            try (ChunkStore source = Zarr.create(Stores.keys(from))) {
                copyTimed("made", arrays, source, proxy, 32, 32);
            }
            try (ChunkStore source = Stores.open(from.replace(server.address(), proxy.address()));
                    ChunkStore target = Zarr.create(Stores.keys(server.place(proxy.address(), "copy")))) {
                copyTimed("many arrays", source, target, proxy, 64, 64);
            }
        }
    }

    private static void copyTimed(String name, ChunkStore source, ChunkStore target, FaultyProxy proxy, long... chunks)
            throws Exception {
        int before = proxy.requests();
        long start = System.nanoTime();
        Plan plan =
                Rechunker.from(source).to(target).chunks(chunks).maxMem("200MB").plan();
        double planning = (System.nanoTime() - start) / 1e9;
        int asked = proxy.requests() - before;
        plan.execute();
        System.out.printf(
                "%s: planned in %.1f s with %d requests, %.1f s with %d requests in all%n",
                name, planning, asked, (System.nanoTime() - start) / 1e9, proxy.requests() - before);
    }

    private void fromBucketToBucket(PlaceServer place) throws Exception {
        String name = place.getClass().getSimpleName();
        try (PlaceServer server = place) {
            String from = server.place("a");
            writeMaps(Zarr.create(Stores.keys(from)));
            for (int round = 0; round <= ROUNDS; round++) {
                try (FaultyProxy proxy = proxy(server.address(), round);
                        ChunkStore source = Stores.open(from.replace(server.address(), proxy.address()));
                        ChunkStore target = Zarr.create(Stores.keys(server.place(proxy.address(), "b")))) {
                    measure(name, round, source, target, proxy::requests);
                    assertTrue(proxy.mostUnderWay() <= LANES + 1);
                }
            }
        }
    }

    /** The source is read from a web server, and the target is a directory. */
    @Test
    void web() throws Exception {
        Path maps = directory.resolve("maps");
        writeMaps(Zarr.create(maps));
        try (WebServer server = new WebServer();
                Stream<Path> files = Files.walk(maps)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                server.put("/" + maps.relativize(file), Files.readAllBytes(file));
            }
            for (int round = 0; round <= ROUNDS; round++) {
                try (FaultyProxy proxy = proxy(server.address(), round);
                        ChunkStore source = Stores.open(proxy.address() + "/");
                        ChunkStore target = Zarr.create(directory.resolve("series" + round))) {
                    measure("web", round, source, target, proxy::requests);
                }
            }
        }
    }

    /** A cluster in this process; each operation on a file takes longer by the latency. */
    @Test
    void hdfs() throws Exception {
        try (HdfsServer server = HdfsServer.start(directory)) {
            String from = server.place("a");
            writeMaps(Zarr.create(Stores.keys(from)));
            for (int round = 0; round <= ROUNDS; round++) {
                try (SlowFiles files = new SlowFiles(from, round == 0 ? 0 : LATENCY_MILLIS);
                        ChunkStore source = Zarr.open(Hadoop.keys(files, new org.apache.hadoop.fs.Path(from)));
                        ChunkStore target =
                                Zarr.create(Hadoop.keys(files, new org.apache.hadoop.fs.Path(server.place("b"))))) {
                    measure("HDFS", round, source, target, files.operations::get);
                }
            }
        }
    }

    private void writeMaps(ChunkStore empty) throws Exception {
        try (ChunkStore source = empty) {
            Rechunker.from(MemoryStore.of(SPEC, elements))
                    .to(source)
                    .chunks("keep")
                    .maxMem("200MB")
                    .execute();
        }
    }

    private static FaultyProxy proxy(String address, int round) throws IOException {
        return round == 0
                ? new FaultyProxy(address, 0, request -> Fault.NONE)
                : new FaultyProxy(address, LATENCY_MILLIS, BYTES_PER_SECOND, request -> Fault.NONE);
    }

    private void measure(String name, int round, ChunkStore source, ChunkStore target, IntSupplier counter)
            throws Exception {
        int before = counter.getAsInt();
        long start = System.nanoTime();
        Plan plan =
                Rechunker.from(source).to(target).chunks(SERIES).maxMem("200MB").plan();
        Report report = plan.execute();
        double time = (System.nanoTime() - start) / 1e9;
        int requests = counter.getAsInt() - before;
        double bytes = SPEC.bytes() / BYTES_PER_SECOND;
        double latency = requests * LATENCY_MILLIS / 1e3 / LANES;
        double perfect = Math.max(bytes, latency);
        System.out.printf(
                "%s, round %d: %.1f s, perfect %.1f s (bytes %.1f s, latency %.1f s), ratio %.2f; %d requests; read %.3f"
                        + " times; memory %,d of %,d bytes%n",
                name,
                round,
                time,
                perfect,
                bytes,
                latency,
                time / perfect,
                requests,
                report.storedBytesRead() / (double) SPEC.bytes(),
                report.measuredMemory(),
                plan.maxMem().bytes());
        assertTrue(report.measuredMemory() <= report.projectedMemory());
        assertTrue(report.projectedMemory() <= plan.maxMem().bytes());
        MemoryStore arrived = new MemoryStore();
        Rechunker.from(target).to(arrived).chunks("-1").maxMem("1GB").execute();
        assertArrayEquals(elements, arrived.elements(""));
    }

    /**
     * A file system whose operations take longer. A file that is created is renamed later, so that is counted twice.
     */
    private static final class SlowFiles extends FilterFileSystem {
        private final AtomicInteger operations = new AtomicInteger();
        private final long latencyMillis;

        SlowFiles(String uri, long latencyMillis) throws IOException {
            super(FileSystem.newInstance(new org.apache.hadoop.fs.Path(uri).toUri(), new Configuration()));
            this.latencyMillis = latencyMillis;
        }

        private void operation() throws IOException {
            operations.incrementAndGet();
            try {
                Thread.sleep(latencyMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }

        @Override
        public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
            operation();
            return super.getFileStatus(path);
        }

        @Override
        public FSDataInputStream open(org.apache.hadoop.fs.Path path, int bufferSize) throws IOException {
            operation();
            return super.open(path, bufferSize);
        }

        @Override
        public FSDataOutputStream create(
                org.apache.hadoop.fs.Path path,
                FsPermission permission,
                boolean overwrite,
                int bufferSize,
                short replication,
                long blockSize,
                Progressable progress)
                throws IOException {
            operation();
            operation();
            return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
        }
    }
}
