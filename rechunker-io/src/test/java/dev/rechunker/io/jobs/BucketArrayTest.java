package dev.rechunker.io.jobs;

import dev.rechunker.io.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Processes that share a bucket of S3. */
class BucketArrayTest extends BucketArrayContract {
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
    String bucket() {
        return "s3://" + server.bucket() + "?endpoint=" + server.address() + "&anonymous=true";
    }

    @Override
    int processes() {
        return 3;
    }
}
