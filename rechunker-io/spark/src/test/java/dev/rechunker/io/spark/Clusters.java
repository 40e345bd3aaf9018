package dev.rechunker.io.spark;

import dev.rechunker.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;

/** Shared code of tests on clusters of this machine. */
final class Clusters {
    /** The version of Scala, which Spark needs to know if it is not installed as a whole. */
    static final String SCALA = "2.13";

    private Clusters() {}

    /** {@return a configuration of executors with the class path of this JVM, one core and 700 MiB} */
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

    /** {@return a directory like that of an installation of Spark, with the jars of {@link ChildJvm#classPath}} */
    static Path home(Path directory) throws IOException {
        Path home = directory.resolve("home");
        Files.createDirectories(home.resolve("jars"));
        return home;
    }
}
