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
 * Runs into nodes above a target, or below it, that write one of its arrays too. Their directories are others, so that
 * no lock keeps them out.
 *
 * <p>A run looks for them before it begins, and when its own journal says which arrays it writes: of two that come at
 * the same moment, one at least sees the other.
 */
final class OverlappingRuns {
    private final StoreLocation target;
    private final List<JobArray> arrays;
    private final Path node;
    private final Path name;

    /** Creates it for a target whose directory the run has taken. */
    OverlappingRuns(RunDirectory directory, StoreLocation target, List<JobArray> arrays) throws IOException {
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
                            : new RefusedException(target + " has an array in common with an unfinished run, which has"
                                    + " left what it has done in " + work
                                    + "; go on with that one, or remove this directory");
                }
            }
        }
    }

    /**
     * What is known of the run that a directory is of.
     *
     * @param run what it is, if it has a journal, and is at work or would be gone on with
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
            // Who writes into arrays that exist has no journal, but the directory of the array itself.
            return (isAtWork && path.isEmpty()) || (run.isPresent() && run.get().hasArray(path));
        }
    }

    /** {@return a path below a node as stores have it} */
    private static String path(Path below) {
        List<String> names = new ArrayList<>();
        below.forEach(each -> names.add(each.toString()));
        return String.join("/", names);
    }
}
