package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.azure.AzureServer;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Processes that share a container of Azure, an emulator, to which many requests fail. */
@Tag("reference")
class AzureArrayTest extends BucketArrayContract {
    private static final Fault[] FAULTS = {Fault.BUSY, Fault.RESET, Fault.TRUNCATED, Fault.SLOW};

    private static AzureServer server;
    private static FaultyProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        server = AzureServer.start();
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
        return server.place(proxy.address(), "some/where");
    }

    @Override
    List<String> settings() {
        List<String> settings = new ArrayList<>(AzureServer.options());
        settings.add("-Xmx100m");
        return settings;
    }

    @Override
    String maxMem() {
        return "1500kB";
    }

    @Override
    int processes() {
        return 4;
    }
}
