package dev.rechunker.io.spark;

import dev.rechunker.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;

/** What tests on clusters of this machine have in common. */
final class Clusters {
    /** The version of Scala that Spark asks for, where it is not installed as a whole. */
    static final String SCALA = "2.13";

    private Clusters() {}

    /** {@return a configuration whose executors have the class path of this JVM, one core, and 700 MiB} */
    static SparkConf conf(Path directory) {
        return new SparkConf()
                .setAppName("rechunk")
                .set("spark.executor.extraClassPath", ChildJvm.classPath())
                .set("spark.executor.memory", "700m")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.local.dir", directory.resolve("local").toString())
                .set("spark.ui.enabled", "false");
    }

    /**
     * {@return a directory that looks as if Spark were installed there; its jars are those of
     * {@link ChildJvm#classPath}}
     */
    static Path home(Path directory) throws IOException {
        Path home = directory.resolve("home");
        Files.createDirectories(home.resolve("jars"));
        return home;
    }
}
