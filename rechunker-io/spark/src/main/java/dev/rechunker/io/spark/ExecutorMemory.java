package dev.rechunker.io.spark;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.RefusedException;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;

/**
 * The memory of an executor's JVM for data. Each task that runs in it uses up to the bound of the plan, in direct
 * memory. A JVM has as much direct memory as heap, unless {@code -XX:MaxDirectMemorySize} is set. In the local mode of
 * Spark the executor is this JVM, so settings of executors have no effect.
 *
 * @param slots the number of tasks that run at the same time
 * @param direct the direct memory of the JVM, in bytes
 * @param setting the name of the setting for the direct memory
 * @param overhead the memory of a container in addition to the heap, in bytes; {@link Long#MAX_VALUE} without a
 *     container
 */
record ExecutorMemory(int slots, long direct, String setting, long overhead) {
    /** The direct memory for Spark's network and the JVM itself, in bytes. */
    static final long RESERVE = 64L << 20;

    private static final Pattern MASTER = Pattern.compile("local(-cluster)?\\[([0-9*]+)(?:,([0-9]+))?.*");
    private static final String MAX_DIRECT = "-XX:MaxDirectMemorySize";
    /** The option as a separate word, perhaps in quotation marks. */
    private static final Pattern DIRECT =
            Pattern.compile("(?<![^\\s\"'])" + MAX_DIRECT + "=(\\d+[kKmMgGtT]?)(?![^\\s\"'])");

    private static final double OVERHEAD_FACTOR = 0.1;
    private static final long LEAST_OVERHEAD = 384L << 20;

    /**
     * {@return the memory of a configuration}
     *
     * @throws RefusedException if the configuration does not determine how many tasks run at the same time
     */
    static ExecutorMemory of(SparkConf conf) throws RefusedException {
        int cpus = conf.getInt("spark.task.cpus", 1);
        String master = conf.get("spark.master", "");
        Matcher local = MASTER.matcher(master);
        if (master.equals("local") || (local.matches() && local.group(1) == null)) {
            int cores = master.equals("local") ? 1 : cores(local.group(2));
            long given = maxDirect(
                    String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
            long direct = given > 0 ? given : Runtime.getRuntime().maxMemory();
            return new ExecutorMemory(slots(cores, cpus), direct, MAX_DIRECT + " of this JVM", Long.MAX_VALUE);
        }
        long heap = conf.getSizeAsBytes("spark.executor.memory", "1g");
        String extra = "spark.executor.extraJavaOptions";
        long given = maxDirect(conf.get("spark.executor.defaultJavaOptions", "") + " " + conf.get(extra, ""));
        String setting = given > 0 ? MAX_DIRECT + " in " + extra : "spark.executor.memory";
        boolean container = master.startsWith("yarn") || master.startsWith("k8s");
        long overhead = container ? overhead(conf, heap) : Long.MAX_VALUE;
        return new ExecutorMemory(
                slots(executorCores(conf, local, container), cpus), given > 0 ? given : heap, setting, overhead);
    }

    /** {@return the direct memory in JVM options, in bytes, of which the last one counts; 0 if there is none} */
    private static long maxDirect(String options) {
        long given = 0;
        for (Matcher option = DIRECT.matcher(options); option.find(); ) {
            given = size(option.group(1));
        }
        return given;
    }

    private static int executorCores(SparkConf conf, Matcher local, boolean container) throws RefusedException {
        if (local.matches()) {
            return cores(local.group(3));
        }
        if (!container && !conf.contains("spark.executor.cores")) {
            throw new RefusedException(
                    "spark.executor.cores is not set, so an executor runs as many tasks as its machine has cores, and"
                            + " the memory that they need is unknown: set spark.executor.cores");
        }
        return conf.getInt("spark.executor.cores", 1);
    }

    private static long overhead(SparkConf conf, long heap) {
        long byDefault = Math.max(
                LEAST_OVERHEAD, (long) (conf.getDouble("spark.executor.memoryOverheadFactor", OVERHEAD_FACTOR) * heap));
        return conf.contains("spark.executor.memoryOverhead")
                ? conf.getSizeAsMb("spark.executor.memoryOverhead", "0") << 20
                : byDefault;
    }

    private static int slots(int cores, int cpus) {
        return Math.max(1, cores / cpus);
    }

    private static int cores(String text) {
        return text.equals("*") ? Runtime.getRuntime().availableProcessors() : Integer.parseInt(text);
    }

    /** Parses a number of bytes in the notation of JVM options. */
    private static long size(String text) {
        char unit = Character.toLowerCase(text.charAt(text.length() - 1));
        int shift = 10 * ("kmgt".indexOf(unit) + 1);
        return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
    }

    /**
     * Refuses tasks that need more memory than an executor has.
     *
     * @param bytes the maximum memory of one task
     */
    void require(long bytes) throws RefusedException {
        long needed = Math.multiplyExact(slots, bytes) + RESERVE;
        String tasks = "an executor runs " + slots
                + (slots == 1 ? " task at a time, which uses " : " tasks at the same time, which use ")
                + ByteSize.of(Math.multiplyExact(slots, bytes)) + " of direct memory";
        String or = slots == 1
                ? ", or plan with a smaller bound"
                : ", or raise spark.task.cpus, so that fewer tasks run at the same time, or plan with a smaller bound";
        if (needed > direct) {
            throw new RefusedException(tasks + ", but its JVM has " + ByteSize.of(direct) + ": set " + setting
                    + " to at least " + megabytes(needed) + "m" + or);
        }
        if (needed > overhead) {
            throw new RefusedException(tasks + ", but its container has " + ByteSize.of(overhead)
                    + " in addition to the heap: set spark.executor.memoryOverhead to at least " + megabytes(needed)
                    + "m"
                    + or);
        }
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }
}
