package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.KeyStoreContract;
import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.io.hadoop.Hadoop;
import dev.rechunker.io.hadoop.HdfsServer;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys and copies in HDFS, on a cluster in this process, and in another file system of Hadoop. */
@Timeout(300)
@TestMethodOrder(OrderAnnotation.class)
class HdfsPlaceTest extends PlaceContract {
    @TempDir
    static Path files;

    private static HdfsServer server;

    @BeforeAll
    static void start() throws Exception {
        server = HdfsServer.start(files);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    PlaceServer server() {
        return server;
    }

    private static KeyStore filled(KeyStore store, Map<String, byte[]> values) throws IOException {
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            store.put(value.getKey(), ByteBuffer.wrap(value.getValue()));
        }
        return store;
    }

    /** The keys of HDFS have no colon. */
    @Nested
    class Hdfs extends KeyStoreContract {
        @Override
        protected String oddKey() {
            return super.oddKey().replace(":", "");
        }

        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            return filled(Stores.keys(server.place("some/prefix")), values);
        }
    }

    /** A file system that neither joins files nor guarantees that two renames do not both succeed. */
    @Nested
    class Local extends KeyStoreContract {
        @TempDir
        Path directory;

        private int stores;

        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            RawLocalFileSystem local = new RawLocalFileSystem();
            local.initialize(directory.toUri(), new Configuration());
            return filled(Hadoop.keys(local, new org.apache.hadoop.fs.Path(directory + "/" + stores++)), values);
        }
    }

    @Test
    @Order(1)
    void refusalsSayWhatToDo() throws IOException {
        for (String uri : new String[] {"hdfs://me@host/x", "hdfs://host/x?y=z", "hdfs://host/x#y"}) {
            String message = String.valueOf(
                    assertThrows(StoreException.class, () -> Stores.keys(uri)).getMessage());
            assertTrue(message.contains("must have the form hdfs://host:port/path"), message);
            assertFalse(message.contains("me@"), message);
        }
        String unknown =
                String.valueOf(assertThrows(StoreException.class, () -> Stores.keys("hdfs://no-such-host.invalid/x"))
                        .getMessage());
        assertTrue(unknown.contains("no-such-host.invalid"), unknown);
        try (KeyStore store = Stores.keys(server.place("x"))) {
            String colon =
                    String.valueOf(assertThrows(StoreException.class, () -> store.put("a:b", ByteBuffer.allocate(1)))
                            .getMessage());
            assertTrue(colon.contains("colon"), colon);
        }
    }

    /**
     * A copy by several processes, of which the plan and the records are in HDFS, too, continues with the other
     * datanodes. This test is last, as the datanode stays away.
     */
    @Test
    @Order(Integer.MAX_VALUE)
    void aDatanodeIsLostInTheMiddle() throws Exception {
        String to = server.place("b.zarr");
        try (KeyStore plans = Stores.keys(server.place("plans"));
                ChunkStore source = Zarr.create(Stores.keys(server.place("a.zarr")));
                ChunkStore target = Zarr.create(Stores.keys(to))) {
            ChunkGrid chunks = ChunkGrid.regular(Shape.of(40, 360, 308), Shape.of(10, 90, 77));
            Data data = Data.of(
                    source.resolve(ArraySpec.builder(chunks, DataType.UINT16).build()));
            data.write(source, "");
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(10, 45, 308)
                    .maxMem("4MB")
                    .threads(1)
                    .workers(4)
                    .noSpill()
                    .plan();
            JobFile.save(plan, plans, "p.json");
            try (JobFile job = JobFile.open(plans, "p.json")) {
                long tasks = job.tasks().get(0);
                assertTrue(tasks > 1, plan::explain);
                job.run(0, 0, tasks / 2);
                server.kill(0);
                try (JobFile other = JobFile.open(plans, "p.json")) {
                    other.run(0, tasks / 2, tasks);
                }
                job.finish();
            }
            try (ChunkStore done = Stores.open(to)) {
                data.check(done, "");
            }
        }
    }
}
