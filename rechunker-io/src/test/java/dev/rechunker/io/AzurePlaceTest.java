package dev.rechunker.io;

import dev.rechunker.io.azure.AzureServer;
import dev.rechunker.io.bytes.PlaceServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Copies from and to an emulator. */
@Tag("reference")
@Timeout(300)
class AzurePlaceTest extends BucketPlaceContract {
    private static AzureServer server;

    @BeforeAll
    static void start() throws Exception {
        server = AzureServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    PlaceServer server() {
        return server;
    }

    @Override
    List<String> settings() {
        return AzureServer.options();
    }
}
