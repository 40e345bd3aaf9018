package dev.rechunker.job;

import static java.util.Objects.requireNonNull;

import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.run.RefusedException;
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
 * Other runs that write an array of a target, as their own target is above or below it. They lock other directories, so
 * the lock of the target does not keep them out.
 *
 * <p>A run looks for them before it begins, and again when its own journal lists its arrays. Of two runs that begin at
 * the same moment, at least one sees the other.
 */
final class OverlappingRuns {
    private final StoreLocation target;
    private final List<JobArray> arrays;
    private final Path node;
    private final Path name;

    /** Creates it for a target whose directory the run has locked. */
    OverlappingRuns(RunDirectory directory, StoreLocation target, List<JobArray> arrays) throws IOException {
        Path work = directory.path().toRealPath();
        this.target = target;
        this.arrays = arrays;
        this.node = requireNonNull(work.getParent(), "a directory below a node");
        this.name = requireNonNull(work.getFileName(), "the name of a directory");
    }

    /**
     * Checks that no other run is writing the arrays, and that no unfinished run could be resumed.
     *
     * @throws RefusedException if there is such a run
     */
    void refuse() throws IOException {
        Map<Path, Other> others = new HashMap<>();
        for (JobArray array : arrays) {
            Path place = node.resolve(array.path()).normalize();
            for (Path above = place; above != null; above = above.getParent()) {
                if (above.equals(node)) {
                    continue; // this run's own
                }
                Path work = above.resolve(name);
                Other other = others.get(work);
                if (other == null) {
                    other = Other.in(work);
                    others.put(work, other);
                }
                if (other.writes(path(above.relativize(place)))) {
                    throw other.isAtWork
                            ? Recovery.inUse(work, target)
                            : new RefusedException(target + " has an array in common with an unfinished run, whose"
                                    + " files are in " + work + "; resume that run, or remove this directory");
                }
            }
        }
    }

    /**
     * What is known of the run that a directory belongs to.
     *
     * @param run the fingerprint of the run, if it has a journal, and is in progress or can be resumed
     * @param isAtWork whether a run is in progress
     */
    private record Other(Optional<Fingerprint> run, boolean isAtWork) {
        static Other in(Path work) throws IOException {
            if (!Files.isDirectory(work)) {
                return new Other(Optional.empty(), false);
            }
            Optional<Journal> journal = RunDirectory.read(work);
            boolean isAtWork = RunDirectory.isInUse(work);
            boolean isWorthKeeping = journal.isPresent() && journal.get().isWorthKeeping();
            return new Other(
                    journal.map(Journal::header)
                            .map(Fingerprint::parse)
                            .filter(run -> isAtWork || isWorthKeeping || run.isShared()),
                    isAtWork);
        }

        /** {@return whether it writes an array, by its path below the node of the directory} */
        boolean writes(String path) {
            // A run that writes into an existing array has no journal, but locks the directory of the array.
            return (isAtWork && path.isEmpty()) || (run.isPresent() && run.get().hasArray(path));
        }
    }

    /** {@return a path below a node, with slashes} */
    private static String path(Path below) {
        List<String> names = new ArrayList<>();
        below.forEach(each -> names.add(each.toString()));
        return String.join("/", names);
    }
}
