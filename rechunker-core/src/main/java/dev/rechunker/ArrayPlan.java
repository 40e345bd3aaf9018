package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.job.JobArray;
import dev.rechunker.run.Loss;
import java.util.List;

/** The part of a {@link Plan} that copies one array. */
public final class ArrayPlan {
    private final JobArray array;

    ArrayPlan(JobArray array) {
        this.array = array;
    }

    /** {@return the path of the array, below source and target} */
    public String path() {
        return array.path();
    }

    /** {@return what the array is in the source} */
    public ArraySpec source() {
        return array.source();
    }

    /** {@return what the array becomes in the target} */
    public ArraySpec target() {
        return array.target();
    }

    /** {@return how the array is copied} */
    public PlannedCopy copy() {
        return new PlannedCopy(array.copy(), array.checkMemory());
    }

    /** {@return what the target does not keep of the array, one sentence each} */
    public List<Loss> losses() {
        return array.losses();
    }
}
