package dev.rechunker.io.fuzz;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads many damaged inputs, one after the other, in one thread with a small stack. Each must end in a result or in an
 * {@link IOException} that names the place, within limits of time and memory.
 *
 * <p>The inputs are the same in each run, as their random numbers are seeded by the name of the test and the number of
 * the input. The system property {@code rechunker.fuzz} multiplies the number of inputs. A line of results is appended
 * to {@code target/fuzz.tsv}: name; numbers of inputs that were tried, read, refused, and failed; milliseconds of all
 * inputs and of the slowest one; and the largest allocation of one input in kilobytes.
 */
public final class Fuzz {
    private static final int FACTOR = Integer.getInteger("rechunker.fuzz", 1);
    private static final Path RESULTS = Path.of("target", "fuzz.tsv");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The size of the stack of the thread that reads, which must suffice for every reader, in bytes. */
    private static final int STACK = 512 << 10;

    private static final long MOST_SECONDS = 30;
    private static final int LONGEST_MESSAGE = 2000;
    private static final int SHOWN_BYTES = 1000;

    private final String name;
    private final int inputs;
    private final long mostAllocated;
    private final Map<String, String> failures = new TreeMap<>();
    private int read;
    private int failed;
    private long slowest;
    private long largest;
    private volatile int current;
    private volatile long started;
    private volatile @Nullable Throwable broken;

    /** Makes an input. */
    public interface Maker {
        /** {@return an input made with random numbers} */
        byte[] make(Random random) throws IOException;
    }

    /** Reads an input. */
    public interface Reader {
        /**
         * Reads everything in an input, and fails if the result is wrong.
         *
         * @throws IOException if the input is refused; its message must contain {@code where} of {@link Fuzz#check}
         */
        void read(byte[] input) throws IOException;
    }

    private Fuzz(String name, int inputs, long mostAllocated) {
        this.name = name;
        this.inputs = Math.multiplyExact(inputs, FACTOR);
        this.mostAllocated = mostAllocated;
    }

    /**
     * Tries a number of inputs.
     *
     * @param name the name of the test
     * @param inputs the number of inputs, which the factor multiplies
     * @param mostAllocated the maximum allocation on the heap for one input, in bytes
     * @param where the text that the message of every refusal must contain
     */
    public static void check(String name, int inputs, long mostAllocated, String where, Maker maker, Reader reader) {
        new Fuzz(name, inputs, mostAllocated).run(where, maker, reader);
    }

    private void run(String where, Maker maker, Reader reader) {
        started = System.nanoTime();
        Thread worker = new Thread(null, () -> tryAll(where, maker, reader), "fuzz " + name, STACK);
        worker.setDaemon(true);
        long start = System.nanoTime();
        worker.start();
        try {
            while (worker.isAlive()) {
                TimeUnit.MILLISECONDS.timedJoin(worker, 500);
                if (worker.isAlive() && System.nanoTime() - started > TimeUnit.SECONDS.toNanos(MOST_SECONDS)) {
                    AssertionError hang = new AssertionError(name + ", input " + current + " takes too long");
                    hang.setStackTrace(worker.getStackTrace());
                    throw hang;
                }
            }
            record(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(name, e);
        }
        if (broken != null) {
            throw new AssertionError(name + ", input " + current + " cannot be made", broken);
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failed + " of " + inputs + " failed:\n" + String.join("\n", failures.values()));
        }
    }

    private void record(long milliseconds) throws IOException {
        String line = String.format(
                "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d%n",
                name,
                inputs,
                read,
                inputs - read - failed,
                failed,
                milliseconds,
                TimeUnit.NANOSECONDS.toMillis(slowest),
                largest >> 10);
        Files.createDirectories(Path.of("target"));
        Files.writeString(RESULTS, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void tryAll(String where, Maker maker, Reader reader) {
        try {
            for (int i = 0; i < inputs; i++) {
                current = i;
                byte[] input = maker.make(new Random(31L * name.hashCode() + i));
                tryOne(input, where, reader);
            }
        } catch (IOException | RuntimeException | Error e) {
            broken = e;
        }
    }

    private void tryOne(byte[] input, String where, Reader reader) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        started = System.nanoTime();
        try {
            reader.read(input);
            read++;
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains(where)) {
                fail("does not name " + where, e, input);
            } else if (message.length() > LONGEST_MESSAGE) {
                fail("has a message of " + message.length() + " characters", e, input);
            }
        } catch (RuntimeException | Error e) {
            fail("", e, input);
        }
        slowest = Math.max(slowest, System.nanoTime() - started);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        largest = Math.max(largest, allocated);
        if (allocated > mostAllocated) {
            fail("allocates " + allocated, new IllegalStateException(), input);
        }
    }

    /** Records a failure, unless a similar one is recorded. */
    private void fail(String what, Throwable e, byte[] input) {
        failed++;
        StringBuilder trace = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            trace.append("\n  ")
                    .append(
                            String.valueOf(t),
                            0,
                            Math.min(300, String.valueOf(t).length()));
            for (int i = 0; i < Math.min(12, t.getStackTrace().length); i++) {
                trace.append("\n    ").append(t.getStackTrace()[i]);
            }
        }
        StackTraceElement[] stack = e.getStackTrace();
        String kind = what.replaceAll("\\d", "") + e.getClass() + (stack.length == 0 ? "" : stack[0]);
        String shown = HexFormat.of().formatHex(input, 0, Math.min(SHOWN_BYTES, input.length));
        failures.putIfAbsent(kind, name + ", input " + current + " " + what + trace + "\n  " + shown);
    }
}
