package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import java.util.List;

/**
 * How one array of a job is copied.
 *
 * @param path where the array is, below source and target
 * @param source what it is
 * @param target what it becomes
 * @param copy how it is copied
 * @param afterwards the least bound, in bytes, in which there is room for what follows the copy, verification and
 *     checksums; 0 if nothing does, or that is not known
 * @param losses what the target does not keep of it, one sentence each
 */
public record JobArray(
        String path, ArraySpec source, ArraySpec target, CopyPlan copy, long afterwards, List<String> losses) {
    /** Takes a copy of the losses. */
    public JobArray {
        losses = List.copyOf(losses);
    }

    /** {@return the least maxMem that would do for the copy and what follows it; searched for whenever asked} */
    public long minimumMemory() {
        return Math.max(copy.minimumMemory(), afterwards);
    }

    /** {@return the memory that does not depend on what is being done: indexes of chunks} */
    long heldBytes() {
        return copy.stages().isEmpty() ? 0 : copy.problem().heldBytes();
    }

    /** {@return the bytes that the stages hold outside the workspace} */
    long outsideBytes() {
        return Stage.most(copy.stages(), Stage.Memory::outsideBytes);
    }

    /** {@return the same array, copied in another way} */
    JobArray by(CopyPlan other) {
        return new JobArray(path, source, target, other, afterwards, losses);
    }
}
