package dev.rechunker.io.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.run.RefusedException;
import dev.rechunker.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configurations with enough memory for a plan, and those that are refused with the setting to change. */
class ExecutorMemoryTest {
    private static final long MIB = 1 << 20;

    private static SparkConf conf(String... settings) {
        SparkConf conf = new SparkConf(false);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    private static String refusal(SparkConf conf, long bytes) {
        RefusedException e = assertThrows(
                RefusedException.class, () -> ExecutorMemory.of(conf).require(bytes));
        return String.valueOf(e.getMessage());
    }

    @Test
    void memoryOfConcurrentTasksMustFit() throws RefusedException {
        String[] two = {
            "spark.master", "spark://host:7077", "spark.executor.cores", "2", "spark.executor.memory", "700m"
        };
        ExecutorMemory memory = ExecutorMemory.of(conf(two));
        assertEquals(2, memory.slots());
        memory.require(318 * MIB);
        String message = refusal(conf(two), 450 * MIB);
        assertTrue(message.contains("2 tasks at the same time"), message);
        assertTrue(message.contains("set spark.executor.memory to at least 964m, or raise spark.task.cpus"), message);

        SparkConf one = conf(two).set("spark.task.cpus", "2");
        ExecutorMemory.of(one).require(450 * MIB);
    }

    @Test
    void directMemoryMayBeSet() throws RefusedException {
        SparkConf conf = conf(
                "spark.master",
                "spark://host:7077",
                "spark.executor.cores",
                "1",
                "spark.executor.extraJavaOptions",
                "-Xss1m -XX:MaxDirectMemorySize=3g");
        ExecutorMemory.of(conf).require(3000 * MIB);
        assertTrue(refusal(conf, 3010 * MIB)
                .contains("set -XX:MaxDirectMemorySize in spark.executor.extraJavaOptions to at least 3074m"));
    }

    /** The JVM uses the last of several equal options; 0 means its default. */
    @ParameterizedTest
    @CsvSource({
        "-XX:MaxDirectMemorySize=3g -XX:MaxDirectMemorySize=1g, 1024",
        "-XX:MaxDirectMemorySize=1g -Xss1m \"-XX:MaxDirectMemorySize=3g\", 3072",
        "-XX:MaxDirectMemorySize=3g -XX:MaxDirectMemorySize=0, 700",
        "-Dlog=-XX:MaxDirectMemorySize=9g, 700",
    })
    void theLastOptionCounts(String options, long megabytes) throws RefusedException {
        SparkConf conf = conf(
                "spark.master",
                "spark://host:7077",
                "spark.executor.cores",
                "1",
                "spark.executor.memory",
                "700m",
                "spark.executor.extraJavaOptions",
                options);
        assertEquals(megabytes * MIB, ExecutorMemory.of(conf).direct());
    }

    /** Spark's default options come before those of a job. */
    @Test
    void defaultOptionsComeFirst() throws RefusedException {
        SparkConf conf = conf(
                "spark.master",
                "spark://host:7077",
                "spark.executor.cores",
                "1",
                "spark.executor.defaultJavaOptions",
                "-XX:MaxDirectMemorySize=2g");
        assertEquals(2048 * MIB, ExecutorMemory.of(conf).direct());
        conf.set("spark.executor.extraJavaOptions", "-XX:MaxDirectMemorySize=1g");
        assertEquals(1024 * MIB, ExecutorMemory.of(conf).direct());
    }

    /** Prints the memory of this JVM for tasks. */
    public static void main(String[] args) throws RefusedException {
        for (String master : args) {
            ExecutorMemory memory = ExecutorMemory.of(conf(
                    "spark.master",
                    master,
                    "spark.executor.memory",
                    "900g",
                    "spark.executor.extraJavaOptions",
                    "-XX:MaxDirectMemorySize=900g"));
            System.out.println(master + "=" + memory.slots() + " " + memory.direct());
        }
    }

    /** The driver's JVM is the executor, so settings for executors have no effect. */
    @Test
    void locallyThisJvmIsTheExecutor(@TempDir Path temporary) throws Exception {
        ChildJvm.Outcome told = ChildJvm.run(
                ChildJvm.of(
                        List.of("-Xmx200m", "-XX:MaxDirectMemorySize=90m", "-XX:MaxDirectMemorySize=64m"),
                        ExecutorMemoryTest.class,
                        "local",
                        "local[3]",
                        "local[3,2]"),
                temporary.resolve("said"),
                Duration.ofMinutes(1));
        assertEquals("1 " + 64 * MIB, told.value("local"));
        assertEquals("3 " + 64 * MIB, told.value("local[3]"));
        assertEquals("3 " + 64 * MIB, told.value("local[3,2]"));
        String message =
                refusal(conf("spark.master", "local"), Runtime.getRuntime().maxMemory() + 1);
        assertTrue(message.contains("set -XX:MaxDirectMemorySize of this JVM to at least"), message);
        assertFalse(message.contains("spark.executor.memory"), message);
    }

    @Test
    void containersNeedMemoryInAdditionToTheHeap() throws RefusedException {
        SparkConf conf = conf("spark.master", "yarn", "spark.executor.memory", "8g", "spark.executor.cores", "4");
        String message = refusal(conf, 1000 * MIB);
        assertTrue(message.contains("set spark.executor.memoryOverhead to at least 4064m"), message);
        ExecutorMemory.of(conf.set("spark.executor.memoryOverhead", "4064m")).require(1000 * MIB);
    }

    @Test
    void theNumberOfConcurrentTasksMustBeKnown() {
        String message = refusal(conf("spark.master", "spark://host:7077"), MIB);
        assertTrue(message.contains("set spark.executor.cores"), message);
    }

    @Test
    void rangesContainEveryTaskOnce() {
        for (long tasks : new long[] {1, 7, 8, 100, 1_000_003}) {
            List<long[]> ranges = SparkExecutor.ranges(tasks, 8);
            assertEquals(Math.min(8, tasks), ranges.size());
            long next = 0;
            for (long[] range : ranges) {
                assertEquals(next, range[0]);
                assertTrue(range[1] > range[0]);
                next = range[1];
            }
            assertEquals(tasks, next);
        }
        assertArrayEquals(new long[] {0, 2}, SparkExecutor.ranges(5, 3).get(0));
    }
}
