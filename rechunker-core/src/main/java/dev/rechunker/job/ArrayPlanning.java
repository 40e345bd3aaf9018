package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;

/** Plans the copy of one array. */
interface ArrayPlanning {
    /**
     * {@return the plan of an array; empty if the array is not copied}
     *
     * @param path the path of the array, below source and target
     * @param place the location of the array in the source
     * @param spec the array in the source, with the unlimited axes that groups above declare
     * @param reader a reader of the array
     * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit
     * @throws IOException if the target does not support the array
     */
    Optional<JobArray> plan(String path, StoreLocation place, ArraySpec spec, ArrayReader reader) throws IOException;

    /** {@return whether what the source says about a node depends on the plans of arrays before it} */
    default boolean changesSource() {
        return false;
    }
}
