package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Loss;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Nodes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The plan of one array of a job.
 *
 * @param path the path of the array, below source and target
 * @param source the array in the source
 * @param target the array in the target
 * @param copy the plan of the copy
 * @param checks the checks after the copy
 * @param losses what the target does not keep of the array, one sentence each
 * @param fusion the levels of a pyramid that are made while the array is written
 * @param levels when all levels of it are made; empty if it is not the first level of a pyramid
 */
public record JobArray(
        String path,
        ArraySpec source,
        ArraySpec target,
        CopyPlan copy,
        ArrayChecks checks,
        List<Loss> losses,
        Optional<Fusion> fusion,
        Optional<LevelSchedule> levels) {
    /** Copies the losses. */
    public JobArray {
        losses = List.copyOf(losses);
    }

    /** Creates the plan of an array of which no levels are made in the same pass. */
    JobArray(String path, ArraySpec source, ArraySpec target, CopyPlan copy, ArrayChecks checks, List<Loss> losses) {
        this(path, source, target, copy, checks, losses, Optional.empty(), Optional.empty());
    }

    /**
     * {@return the smallest memory limit for the checks after the copy, in bytes; 0 if there are none, or it is not
     * known}
     */
    public long checkMemory() {
        return checks.minimumMemory();
    }

    /** {@return the smallest memory limit for the copy and the checks after it, in bytes; computed on each call} */
    long minimumMemory() {
        return Math.max(fusion.map(Fusion::alone).orElse(copy).minimumMemory(), checkMemory());
    }

    /** {@return the memory of open readers and writers, such as indexes of chunks, in bytes} */
    long heldBytes() {
        return copy.stages().isEmpty() ? 0 : copy.problem().heldBytes();
    }

    /** {@return the memory that the stages use outside of the workspace, in bytes} */
    long outsideBytes() {
        return Stage.most(copy.stages(), Stage.Memory::outsideBytes);
    }

    /** {@return the number of temporary copies of the whole array} */
    int temporaryCopies() {
        return copy.strategy().copies().size();
    }

    /** {@return whether the array exists at a location as it was planned, and is therefore complete} */
    boolean isAt(StoreLocation place) throws IOException {
        return Nodes.array(place).filter(target::equals).isPresent();
    }

    /** {@return the same array with another plan of the copy} */
    JobArray by(CopyPlan other) {
        return new JobArray(path, source, target, other, checks, losses, fusion, levels);
    }

    /** {@return the same array, of which levels are made in the same pass} */
    JobArray with(Fusion made, CopyPlan other) {
        return new JobArray(path, source, target, other, checks, losses, Optional.of(made), levels);
    }

    /** {@return the same array, of which it is known when its levels are made} */
    JobArray with(LevelSchedule schedule) {
        return new JobArray(path, source, target, copy, checks, losses, fusion, Optional.of(schedule));
    }
}
