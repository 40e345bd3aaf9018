package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.gcs.GcsServer;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Processes that share a bucket of Google Cloud Storage, an emulator, to which many requests fail. */
@Tag("reference")
class GcsArrayTest extends BucketArrayContract {
    private static final Fault[] FAULTS = {Fault.BUSY, Fault.RESET, Fault.TRUNCATED, Fault.SLOW};

    private static GcsServer server;
    private static FaultyProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        server = GcsServer.start();
        Random random = new Random(7);
        proxy = new FaultyProxy(server.address(), 0, request -> {
            synchronized (random) {
                return random.nextInt(40) == 0 ? FAULTS[random.nextInt(FAULTS.length)] : Fault.NONE;
            }
        });
    }

    @AfterAll
    static void stop() {
        for (Fault fault : FAULTS) {
            assertTrue(proxy.count(fault) > 0, fault.toString());
        }
        proxy.close();
        server.close();
    }

    @Override
    String bucket() throws Exception {
        return "gs://" + server.bucket() + "?anonymous=true&endpoint=" + proxy.address();
    }

    @Override
    int processes() {
        return 4;
    }
}
