package dev.rechunker.cli;

import dev.rechunker.Comparer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The command {@code verify}, which compares two arrays or groups. */
final class VerifyCommand extends Command {
    private final Arg<String> first = argument(String.class, "0", "1", "A", Locations.FORM);
    private final Arg<String> second = argument(String.class, "1", "1", "B", Locations.FORM);
    private final BoundOption maxMem = new BoundOption(this, "256MB");
    private final ThreadsOption threads = new ThreadsOption(this);
    private final LinksOption links = new LinksOption(this);
    private final QuietOption quiet;

    /**
     * Creates the command.
     *
     * @param terminal whether progress goes to a terminal
     */
    VerifyCommand(boolean terminal) {
        super(
                "verify",
                "Compare the elements of two arrays, or of all arrays of two groups, bit by bit.",
                "Elements that were never written have the fill value. The byte order may differ; shape and type must"
                        + " be the same.",
                "Prints the first difference of each array. Exits with 1 if there is a difference, or if an array of a"
                        + " group cannot be read.");
        quiet = new QuietOption(this, terminal);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        try {
            return verify(existing(first), existing(second), out) ? Rechunk.DONE : Rechunk.DIFFERENT;
        } finally {
            out.flush();
        }
    }

    private StoreLocation existing(Arg<String> argument) throws IOException {
        return Locations.existing(argument.given(), links.follow());
    }

    private boolean verify(StoreLocation a, StoreLocation b, PrintWriter out) throws IOException, InterruptedException {
        if (threads.number() < 1) {
            throw new UsageException("--threads is " + threads.number() + "; it must be at least 1");
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
        refused.forEach((path, why) -> out.println(Printable.of("not compared: " + path + ": " + why)));
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
        ConsoleProgress progress = quiet.progress();
        try {
            Comparisons comparisons = new Comparisons(progress, bytes);
            for (String path : paths) {
                String found = comparisons.found(path, a.resolve(path), inA.get(path), b.resolve(path), inB.get(path));
                if (!found.isEmpty()) {
                    out.println(Printable.of(found));
                    same = false;
                }
            }
            comparisons.end();
        } finally {
            progress.end();
        }
        if (same && !quiet.isGiven()) {
            out.println(
                    "identical: " + paths.size() + (paths.size() == 1 ? " array, " : " arrays, ") + bytes + " bytes");
        }
        return same;
    }

    private static long bytes(StoreLocation place, @Nullable ArraySpec spec) {
        try {
            return spec == null ? 0 : spec.bytes();
        } catch (ArithmeticException e) {
            throw new UsageException(place + " has more than 2^63 bytes, and cannot be compared");
        }
    }

    /** The comparisons of all arrays, one after the other, with a common memory budget and progress. */
    private final class Comparisons {
        private final Comparer comparer;

        /** Starts the comparisons; {@code bytes} is the size of the arrays of one side. */
        Comparisons(ConsoleProgress progress, long bytes) {
            comparer = new Comparer(maxMem.size(), threads.number(), progress, bytes);
        }

        void end() {
            comparer.end();
        }

        /**
         * {@return the line to print for an array, empty if it is equal on both sides. For an array of a group, the
         * line may also say why the array could not be compared}
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
            } catch (IOException e) { // also if a file may not be read, or a server does not respond
                if (path.isEmpty() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                return "not compared: " + of + Wording.of(e);
            }
        }

        /** {@return the difference as text, or an empty text} */
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
