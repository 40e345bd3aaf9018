package dev.rechunker.io;

import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.io.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Copies from and to a server that speaks the protocol of S3. */
@Timeout(300)
class S3PlaceTest extends PlaceContract {
    private static S3Server server;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.startUnsigned();
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
