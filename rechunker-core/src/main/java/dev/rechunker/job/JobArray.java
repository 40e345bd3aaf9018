package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.List;

/**
 * How one array of a job is copied.
 *
 * @param path the path of the array, below source and target
 * @param source what the array is
 * @param target what it becomes
 * @param copy how it is copied
 * @param checks what is checked of it afterwards
 * @param losses what the target does not keep of it, one sentence each
 */
public record JobArray(
        String path, ArraySpec source, ArraySpec target, CopyPlan copy, ArrayChecks checks, List<String> losses) {
    /** Copies the losses. */
    public JobArray {
        losses = List.copyOf(losses);
    }

    /** {@return the least bound, in bytes, for what follows the copy; 0 if nothing does, or that is not known} */
    public long afterwards() {
        return checks.least();
    }

    /** {@return the least bound, in bytes, for the copy and what follows it; computed on each call} */
    long minimumMemory() {
        return Math.max(copy.minimumMemory(), afterwards());
    }

    /** {@return the memory that does not depend on what is being done: indexes of chunks} */
    long heldBytes() {
        return copy.stages().isEmpty() ? 0 : copy.problem().heldBytes();
    }

    /** {@return the bytes that the stages hold outside the workspace} */
    long outsideBytes() {
        return Stage.most(copy.stages(), Stage.Memory::outsideBytes);
    }

    /** {@return the number of temporary copies of the whole array, of which nothing stays in memory} */
    int temporaryCopies() {
        return copy.strategy().copies().size();
    }

    /** {@return whether a place holds the array as it becomes: it is complete there} */
    boolean isAt(StoreLocation place) throws IOException {
        return place.store().node(place.path()).orElse(null) instanceof ChunkStore.ArrayNode node
                && node.spec().equals(target);
    }

    /** {@return the same array, copied in another way} */
    JobArray by(CopyPlan other) {
        return new JobArray(path, source, target, other, checks, losses);
    }
}
