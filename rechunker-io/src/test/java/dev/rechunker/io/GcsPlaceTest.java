package dev.rechunker.io;

import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.io.gcs.GcsServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Copies from and to an emulator. */
@Tag("reference")
@Timeout(300)
class GcsPlaceTest extends BucketPlaceContract {
    private static GcsServer server;

    @BeforeAll
    static void start() throws Exception {
        server = GcsServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    PlaceServer server() {
        return server;
    }
}
