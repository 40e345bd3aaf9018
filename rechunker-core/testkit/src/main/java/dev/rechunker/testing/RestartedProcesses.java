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
 * What a scheduler does: processes that each do a part, several at once and in any order; one part is done twice. The
 * first of them are killed, if they live that long, and their parts are done again.
 */
public final class RestartedProcesses {
    private static final int SHORTEST_LIFE_MILLIS = 500;
    private static final int KILLED = 128 + 9;

    private final Path directory;
    private final int atOnce;
    private final int kills;
    private final int longestLifeMillis;
    private final Random random;

    /** A process that does a part, killed at a time of {@link System#nanoTime}, or never. */
    private record Running(Process process, int part, long killAt) {
        boolean mayDie() {
            return killAt != Long.MAX_VALUE;
        }
    }

    /**
     * Creates it.
     *
     * @param directory takes what the processes say
     * @param atOnce how many run at once
     * @param kills how many are killed
     * @param longestLifeMillis when they are killed at the latest
     */
    public RestartedProcesses(Path directory, int atOnce, int kills, int longestLifeMillis, Random random) {
        this.directory = directory;
        this.atOnce = atOnce;
        this.kills = kills;
        this.longestLifeMillis = longestLifeMillis;
        this.random = random;
    }

    /**
     * Does all parts.
     *
     * @param processes makes the process of a part, which is not started yet
     * @return how many processes did not end by themselves
     * @throws AssertionError if a process fails that was not killed
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
                    assertTrue(exit == 0 || (exit == KILLED && each.mayDie()), () -> said(each.part));
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
        return directory.resolve("said-" + part);
    }

    private String said(int part) {
        try {
            return Files.readString(output(part));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
