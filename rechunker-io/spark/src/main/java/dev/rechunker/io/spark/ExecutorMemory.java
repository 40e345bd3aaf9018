package dev.rechunker.io.spark;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.RefusedException;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;

/**
 * What the JVM of an executor has for data: tasks that run in it at once hold one bound each, in direct memory, of
 * which a JVM gives as much as its heap, unless {@code -XX:MaxDirectMemorySize} says otherwise. In the local mode of
 * Spark the executor is this JVM, which was started before any setting of executors was read.
 *
 * @param slots how many tasks run at once
 * @param direct the bytes that the JVM gives
 * @param setting what says how many bytes the JVM gives
 * @param overhead the bytes that a container has besides the heap; {@link Long#MAX_VALUE} where nobody looks
 */
record ExecutorMemory(int slots, long direct, String setting, long overhead) {
    /** What Spark's network and the JVM take besides. */
    static final long RESERVE = 64L << 20;

    private static final Pattern MASTER = Pattern.compile("local(-cluster)?\\[([0-9*]+)(?:,([0-9]+))?.*");
    private static final String MAX_DIRECT = "-XX:MaxDirectMemorySize";
    /** The option as a word of its own, perhaps in quotes. */
    private static final Pattern DIRECT =
            Pattern.compile("(?<![^\\s\"'])" + MAX_DIRECT + "=(\\d+[kKmMgGtT]?)(?![^\\s\"'])");

    private static final double OVERHEAD_FACTOR = 0.1;
    private static final long LEAST_OVERHEAD = 384L << 20;

    /**
     * {@return what a configuration gives}
     *
     * @throws RefusedException if it does not say how many tasks run at once
     */
    static ExecutorMemory of(SparkConf conf) throws RefusedException {
        int cpus = conf.getInt("spark.task.cpus", 1);
        String master = conf.get("spark.master", "");
        Matcher local = MASTER.matcher(master);
        if (master.equals("local") || (local.matches() && local.group(1) == null)) {
            int cores = master.equals("local") ? 1 : cores(local.group(2));
            long told =
                    told(String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
            long direct = told > 0 ? told : Runtime.getRuntime().maxMemory();
            return new ExecutorMemory(slots(cores, cpus), direct, MAX_DIRECT + " of this JVM", Long.MAX_VALUE);
        }
        long heap = conf.getSizeAsBytes("spark.executor.memory", "1g");
        String extra = "spark.executor.extraJavaOptions";
        long told = told(conf.get("spark.executor.defaultJavaOptions", "") + " " + conf.get(extra, ""));
        String setting = told > 0 ? MAX_DIRECT + " in " + extra : "spark.executor.memory";
        boolean container = master.startsWith("yarn") || master.startsWith("k8s");
        long overhead = container ? overhead(conf, heap) : Long.MAX_VALUE;
        return new ExecutorMemory(
                slots(executorCores(conf, local, container), cpus), told > 0 ? told : heap, setting, overhead);
    }

    /**
     * {@return the bytes of direct memory that options say: the last one counts; 0 if the JVM gives as much as heap}
     */
    private static long told(String options) {
        long told = 0;
        for (Matcher option = DIRECT.matcher(options); option.find(); ) {
            told = size(option.group(1));
        }
        return told;
    }

    private static int executorCores(SparkConf conf, Matcher local, boolean container) throws RefusedException {
        if (local.matches()) {
            return cores(local.group(3));
        }
        if (!container && !conf.contains("spark.executor.cores")) {
            throw new RefusedException(
                    "spark.executor.cores is not set, so that an executor runs as many tasks at once"
                            + " as its machine has cores, and the memory that they hold is not known: set spark.executor.cores");
        }
        return conf.getInt("spark.executor.cores", 1);
    }

    private static long overhead(SparkConf conf, long heap) {
        long usual = Math.max(
                LEAST_OVERHEAD, (long) (conf.getDouble("spark.executor.memoryOverheadFactor", OVERHEAD_FACTOR) * heap));
        return conf.contains("spark.executor.memoryOverhead")
                ? conf.getSizeAsMb("spark.executor.memoryOverhead", "0") << 20
                : usual;
    }

    private static int slots(int cores, int cpus) {
        return Math.max(1, cores / cpus);
    }

    private static int cores(String text) {
        return text.equals("*") ? Runtime.getRuntime().availableProcessors() : Integer.parseInt(text);
    }

    /** A number of bytes as the JVM takes it. */
    private static long size(String text) {
        char unit = Character.toLowerCase(text.charAt(text.length() - 1));
        int shift = 10 * ("kmgt".indexOf(unit) + 1);
        return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
    }

    /**
     * Refuses tasks that an executor has no room for.
     *
     * @param bytes what one task holds at most
     */
    void require(long bytes) throws RefusedException {
        long needed = Math.multiplyExact(slots, bytes) + RESERVE;
        String tasks = "an executor runs " + slots
                + (slots == 1 ? " task at once, which holds " : " tasks at once, which" + " hold ")
                + ByteSize.of(Math.multiplyExact(slots, bytes)) + " of direct memory";
        String or = slots == 1
                ? ", or plan with a smaller bound"
                : ", or spark.task.cpus, so that fewer tasks run at once, or plan with a smaller bound";
        if (needed > direct) {
            throw new RefusedException(tasks + ", but its JVM gives " + ByteSize.of(direct) + ": set " + setting
                    + " to at least " + megabytes(needed) + "m" + or);
        }
        if (needed > overhead) {
            throw new RefusedException(tasks + ", but its container has " + ByteSize.of(overhead)
                    + " besides the heap: set spark.executor.memoryOverhead to at least " + megabytes(needed) + "m"
                    + or);
        }
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }
}
