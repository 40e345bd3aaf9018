package dev.rechunker.cli;

import dev.rechunker.Comparer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.Failures;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares arrays, or all arrays of groups. */
final class VerifyCommand extends Command {
    private final Arg<String> first = argument(String.class, "0", "1", "A", Locations.FORM);
    private final Arg<String> second = argument(String.class, "1", "1", "B", Locations.FORM);
    private final BoundOption maxMem = new BoundOption(this, "256MB");
    private final ThreadsOption threads = new ThreadsOption(this);
    private final boolean terminal;

    /**
     * Makes the command.
     *
     * @param terminal whether somebody looks at its progress
     */
    VerifyCommand(boolean terminal) {
        super(
                "verify",
                "Compare two arrays, or all arrays of two groups, element by element and bit by bit.",
                "What was never written has the fill value. The order of bytes may differ; shape and type may not.",
                "Exits with 1 if there is a difference, and names the first of each array, or if something cannot be"
                        + " read.");
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        try {
            return verify(Locations.existing(first.given()), Locations.existing(second.given()), out)
                    ? Rechunk.DONE
                    : Rechunk.DIFFERENT;
        } finally {
            out.flush();
        }
    }

    private boolean verify(StoreLocation a, StoreLocation b, PrintWriter out) throws IOException, InterruptedException {
        if (threads.number() < 1) {
            throw new UsageException("--threads is " + threads.number() + "; it takes at least 1");
        }
        if (Locations.node(a) instanceof ArrayNode != Locations.node(b) instanceof ArrayNode) {
            boolean arrayFirst = Locations.node(a) instanceof ArrayNode;
            out.println("different: " + a + (arrayFirst ? " is an array, " : " is a group, ") + b
                    + (arrayFirst ? " is a group" : " is an array"));
            return false;
        }
        Locations.Arrays allOfA = Locations.arrays(a);
        Locations.Arrays allOfB = Locations.arrays(b);
        Map<String, String> refused = new TreeMap<>(allOfB.refused());
        refused.putAll(allOfA.refused());
        refused.forEach((path, why) -> out.println("not compared: " + path + ": " + why));
        Map<String, ArraySpec> inA = allOfA.arrays();
        Map<String, ArraySpec> inB = allOfB.arrays();
        TreeSet<String> paths = new TreeSet<>(inA.keySet());
        paths.addAll(inB.keySet());
        paths.removeAll(refused.keySet());
        long bytes = 0;
        for (String path : paths) {
            bytes += bytes(a.resolve(path), inA.get(path));
        }
        boolean same = refused.isEmpty();
        ConsoleProgress progress = ConsoleProgress.of(err(), terminal);
        try {
            Comparisons comparisons = new Comparisons(progress, bytes);
            for (String path : paths) {
                String found = comparisons.found(path, a.resolve(path), inA.get(path), b.resolve(path), inB.get(path));
                if (!found.isEmpty()) {
                    out.println(found);
                    same = false;
                }
            }
            comparisons.end();
        } finally {
            progress.end();
        }
        if (same) {
            out.println(
                    "identical: " + paths.size() + (paths.size() == 1 ? " array, " : " arrays, ") + bytes + " bytes");
        }
        return same;
    }

    private static long bytes(StoreLocation place, @Nullable ArraySpec spec) {
        try {
            return spec == null ? 0 : spec.bytes();
        } catch (ArithmeticException e) {
            throw new UsageException(place + " has more than 2^63 bytes, and is not compared");
        }
    }

    /** Compares one array after the other in one bound, and tells how far that has come. */
    private final class Comparisons {
        private final Comparer comparer;

        /** Begins; {@code bytes} have the arrays of one side. */
        Comparisons(ConsoleProgress progress, long bytes) {
            comparer = new Comparer(maxMem.size(), threads.number(), progress, bytes);
        }

        void end() {
            comparer.end();
        }

        /**
         * {@return what is said of an array: nothing if it is the same in both; below a group, also why it is not
         * known}
         */
        String found(
                String path, StoreLocation a, @Nullable ArraySpec specA, StoreLocation b, @Nullable ArraySpec specB)
                throws IOException, InterruptedException {
            String of = path.isEmpty() ? "" : path + ": ";
            if (specA == null || specB == null) {
                return "different: " + of + "there is no array at " + (specA == null ? a : b);
            }
            try {
                String difference = compare(path, a, specA, b, specB);
                return difference.isEmpty() ? "" : "different: " + of + difference;
            } catch (IOException e) { // also of a file that is forbidden, or a place that does not answer
                if (path.isEmpty() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                return "not compared: " + of + Failures.reason(e);
            }
        }

        /** {@return what differs, or nothing} */
        private String compare(String path, StoreLocation a, ArraySpec specA, StoreLocation b, ArraySpec specB)
                throws IOException, InterruptedException {
            if (!specA.shape().equals(specB.shape())) {
                return "the shape of " + a + " is " + specA.shape() + ", that of " + b + " is " + specB.shape();
            }
            if (!specA.dataType().equals(specB.dataType())) {
                return "the elements of " + a + " are " + specA.dataType() + ", those of " + b + " are "
                        + specB.dataType();
            }
            try {
                return comparer.compare(path, a, b)
                        .map(found -> found.of(a.toString(), b.toString()))
                        .orElse("");
            } catch (InfeasiblePlanException e) {
                throw new UsageException(e);
            }
        }
    }
}
