package dev.rechunker.job;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The places at its target that a plan needs: what is in the way there refuses the run before it writes anything. */
final class TargetCheck {
    private final JobPlan plan;
    private final boolean overwrite;

    /** Creates it; {@code overwrite} if arrays that are there are replaced. */
    TargetCheck(JobPlan plan, boolean overwrite) {
        this.plan = plan;
        this.overwrite = overwrite;
    }

    /** Refuses nodes that are there and not replaced, but for arrays that are known to be of an earlier run. */
    void requireNothingThere(IntPredicate known) throws IOException {
        if (overwrite) {
            return;
        }
        for (int i = 0; i < plan.arrays().size(); i++) {
            if (!known.test(i)) {
                requireNothingAt(plan.target(plan.arrays().get(i).path()));
            }
        }
        boolean goesOn = IntStream.range(0, plan.arrays().size()).anyMatch(known);
        if (!goesOn) {
            for (String group : plan.hierarchy().groups().keySet()) {
                requireNothingAt(plan.target(group));
            }
        }
    }

    private static void requireNothingAt(StoreLocation place) throws IOException {
        boolean isThere;
        try {
            Optional<ChunkStore.Node> node = place.store().node(place.path());
            isThere = node.isPresent() && !isEmptyGroup(place, node.get());
        } catch (StoreException e) {
            throw new RefusedException(e);
        }
        if (isThere) {
            throw new RefusedException("the target " + place + " exists", Advice.ELSEWHERE, Advice.OVERWRITE);
        }
    }

    /**
     * {@return whether a node is a group with nothing in it but such groups} A run that has failed may have left some:
     * some formats take every directory for a group.
     */
    private static boolean isEmptyGroup(StoreLocation place, ChunkStore.Node node) throws IOException {
        if (!(node instanceof ChunkStore.GroupNode group) || !group.spec().equals(GroupSpec.EMPTY)) {
            return false;
        }
        for (String child : place.store().children(place.path())) {
            StoreLocation below = place.resolve(child);
            Optional<ChunkStore.Node> inner = below.store().node(below.path());
            if (inner.isPresent() && !isEmptyGroup(below, inner.get())) {
                return false;
            }
        }
        return true;
    }

    /** Refuses what the target's store refuses, be it a node or not, but for arrays that an earlier run has begun. */
    void requireFree(IntPredicate begun) throws IOException {
        for (int i = 0; i < plan.arrays().size(); i++) {
            if (!begun.test(i)) {
                requireFree(plan.arrays().get(i));
            }
        }
    }

    private void requireFree(JobArray array) throws IOException {
        StoreLocation place = plan.target(array.path());
        try {
            place.store().requireFree(place.path(), array.target(), overwrite);
        } catch (StoreException e) {
            throw new RefusedException(e);
        }
    }
}
