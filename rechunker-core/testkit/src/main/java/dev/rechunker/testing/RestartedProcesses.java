package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A simulated scheduler that runs processes, each of which does a part of the work.
 *
 * <p>Parts are done in random order, several at the same time, and one part is done twice. The first processes are
 * killed at random times, unless they end before, and their parts are done again.
 */
public final class RestartedProcesses {
    private static final int SHORTEST_LIFE_MILLIS = 500;
    private static final int KILLED = 128 + 9;

    private final Path directory;
    private final int atOnce;
    private final int kills;
    private final int longestLifeMillis;
    private final Random random;

    /** A process that does a part, and the time of {@link System#nanoTime} at which it is killed. */
    private record Running(Process process, int part, long killAt) {
        boolean mayDie() {
            return killAt != Long.MAX_VALUE;
        }
    }

    /**
     * Creates a scheduler.
     *
     * @param directory the directory for the output of the processes
     * @param atOnce the number of processes that run at the same time
     * @param kills the number of processes that are killed, unless they end before
     * @param longestLifeMillis the most milliseconds after which these are killed
     */
    public RestartedProcesses(Path directory, int atOnce, int kills, int longestLifeMillis, Random random) {
        this.directory = directory;
        this.atOnce = atOnce;
        this.kills = kills;
        this.longestLifeMillis = longestLifeMillis;
        this.random = random;
    }

    /**
     * Runs processes until all parts are done.
     *
     * @param parts the number of parts
     * @param processes a function from the number of a part to the builder of its process
     * @return the number of processes that were killed
     * @throws AssertionError if a process fails that was not killed; the message has its output
     */
    public int run(int parts, IntFunction<ProcessBuilder> processes) throws IOException, InterruptedException {
        Deque<Integer> left = order(parts);
        List<Running> running = new ArrayList<>();
        int started = 0;
        int killed = 0;
        while (!left.isEmpty() || !running.isEmpty()) {
            while (running.size() < atOnce && !left.isEmpty()) {
                int part = left.remove();
                Process process = start(processes.apply(part), part);
                running.add(new Running(process, part, started++ < kills ? killTime() : Long.MAX_VALUE));
            }
            for (Running each : List.copyOf(running)) {
                if (each.killAt < System.nanoTime() && each.process.isAlive()) {
                    each.process.destroyForcibly();
                }
                if (!each.process.isAlive()) {
                    running.remove(each);
                    int exit = each.process.exitValue();
                    assertTrue(exit == 0 || (exit == KILLED && each.mayDie()), () -> readOutput(each.part));
                    if (exit != 0) {
                        killed++;
                        left.add(each.part);
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return killed;
    }

    private Deque<Integer> order(int parts) {
        List<Integer> order = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            order.add(part);
        }
        order.add(random.nextInt(parts)); // twice, maybe at the same time
        Collections.shuffle(order, random);
        return new ArrayDeque<>(order);
    }

    private long killTime() {
        int millis = SHORTEST_LIFE_MILLIS + random.nextInt(longestLifeMillis - SHORTEST_LIFE_MILLIS);
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private Process start(ProcessBuilder builder, int part) throws IOException {
        return builder.redirectErrorStream(true)
                .redirectOutput(output(part).toFile())
                .start();
    }

    private Path output(int part) {
        return directory.resolve("output-" + part);
    }

    private String readOutput(int part) {
        try {
            return Files.readString(output(part));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
