package dev.rechunker.io.jobs;

import dev.rechunker.io.hadoop.HdfsServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share a directory of HDFS. */
class HdfsArrayTest extends BucketArrayContract {
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
    String bucket() throws Exception {
        return server.place("some/where");
    }

    @Override
    int processes() {
        return 2;
    }

    @Override
    List<String> settings() {
        return List.of("-Xmx120m");
    }

    @Override
    String maxMem() {
        return "2800kB";
    }
}
