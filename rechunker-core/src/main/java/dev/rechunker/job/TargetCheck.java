package dev.rechunker.job;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Checks that nothing at the target is in the way of a plan, before anything is written. */
final class TargetCheck {
    private final JobPlan plan;
    private final boolean overwrite;

    /**
     * Creates the check of a plan.
     *
     * @param overwrite whether existing arrays are replaced
     */
    TargetCheck(JobPlan plan, boolean overwrite) {
        this.plan = plan;
        this.overwrite = overwrite;
    }

    /**
     * Checks that no node exists that would not be replaced.
     *
     * @param known accepts the numbers of arrays that an earlier run of the plan began; they may exist
     */
    void requireNothingThere(IntPredicate known) throws IOException {
        if (overwrite || isVacant()) {
            return;
        }
        for (int i = 0; i < plan.arrays().size(); i++) {
            if (!known.test(i)) {
                requireNothingAt(plan.target(plan.arrays().get(i).path()));
            }
        }
        boolean resumes = IntStream.range(0, plan.arrays().size()).anyMatch(known);
        if (!resumes) {
            for (String group : plan.hierarchy().groups().keySet()) {
                requireNothingAt(plan.target(group));
            }
        }
    }

    /** {@return whether it is certain that nothing exists where the plan writes} */
    private boolean isVacant() throws IOException {
        StoreLocation place = plan.target("");
        try {
            return place.store().isVacant(place.path());
        } catch (StoreException e) {
            throw new RefusedException(e);
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
     * {@return whether a node is a group that contains nothing, or only such groups} A failed run may have left some,
     * as some formats treat every directory as a group.
     */
    private static boolean isEmptyGroup(StoreLocation place, ChunkStore.Node node) throws IOException {
        if (!isEmpty(node)) {
            return false;
        }
        Deque<StoreLocation> groups = new ArrayDeque<>(List.of(place));
        while (!groups.isEmpty()) {
            StoreLocation group = groups.removeLast();
            for (String child : group.store().children(group.path())) {
                StoreLocation below = group.resolve(child);
                Optional<ChunkStore.Node> inner = below.store().node(below.path());
                if (inner.isPresent() && !isEmpty(inner.get())) {
                    return false;
                }
                inner.ifPresent(empty -> groups.addLast(below));
            }
        }
        return true;
    }

    /** {@return whether a node is a group that states nothing} */
    private static boolean isEmpty(ChunkStore.Node node) {
        return node instanceof ChunkStore.GroupNode group && group.spec().equals(GroupSpec.EMPTY);
    }

    /**
     * Asks the target's store whether the arrays can be created. Where nothing exists, it asks for one of them: only
     * the groups above the target can be in the way, and they are the same for all.
     *
     * @param begun accepts the numbers of arrays that an earlier run began, which are not created
     */
    void requireFree(IntPredicate begun) throws IOException {
        int[] others =
                IntStream.range(0, plan.arrays().size()).filter(begun.negate()).toArray();
        int asked = others.length > 1 && isVacant() ? 1 : others.length;
        for (int i = 0; i < asked; i++) {
            requireFree(plan.arrays().get(others[i]));
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
