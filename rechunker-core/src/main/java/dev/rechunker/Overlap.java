package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs into nodes above a target, or below it, that write one of its arrays too. Their directories are others, so that
 * no lock keeps them out.
 *
 * <p>A run looks for them before it begins, and when its own journal says which arrays it writes: of two that come at
 * the same moment, one at least sees the other.
 */
final class Overlap {
    private final StoreLocation target;
    private final List<ArrayPlan> arrays;
    private final Path node;
    private final Path name;

    /** Creates it for a target whose directory the run has taken. */
    Overlap(RunDirectory directory, StoreLocation target, List<ArrayPlan> arrays) throws IOException {
        Path work = directory.path().toRealPath();
        this.target = target;
        this.arrays = arrays;
        this.node = requireNonNull(work.getParent(), "a directory below a node");
        this.name = requireNonNull(work.getFileName(), "the name of a directory");
    }

    /**
     * Refuses arrays that another run is writing, or of which one has left what can be gone on with.
     *
     * @throws RefusedException if there is one
     */
    void refuse() throws IOException {
        Map<Path, Optional<Fingerprint>> runs = new HashMap<>();
        for (ArrayPlan array : arrays) {
            Path place = node.resolve(array.path()).normalize();
            for (Path above = place; above != null; above = above.getParent()) {
                Path work = above.resolve(name);
                Optional<Fingerprint> run = runs.get(work);
                if (run == null) {
                    run = above.equals(node) || !Files.isDirectory(work) ? Optional.empty() : run(work);
                    runs.put(work, run);
                }
                // Who writes into arrays that exist has no journal.
                boolean here = above.equals(place) && !place.equals(node) && RunDirectory.isUsed(work);
                if (here || (run.isPresent() && run.get().hasArray(path(above.relativize(place))))) {
                    throw RunDirectory.isUsed(work)
                            ? Recovery.inUse(work, target)
                            : new RefusedException(target + " has an array in common with an unfinished run, which has"
                                    + " left what it has done in " + work
                                    + "; go on with that one, or remove this directory");
                }
            }
        }
    }

    /** {@return what a run is that is alive, or would be gone on with} */
    private static Optional<Fingerprint> run(Path work) throws IOException {
        Optional<Journal> journal = RunDirectory.read(work);
        if (journal.isEmpty()) {
            return Optional.empty();
        }
        Fingerprint run = Fingerprint.parse(journal.get().header());
        boolean counts = journal.get().isWorthKeeping() || run.isShared() || RunDirectory.isUsed(work);
        return counts ? Optional.of(run) : Optional.empty();
    }

    /** {@return a path below a node as stores have it} */
    private static String path(Path below) {
        List<String> names = new ArrayList<>();
        below.forEach(each -> names.add(each.toString()));
        return String.join("/", names);
    }
}
