package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Optional;

/** Plans the copy of one array. */
interface ArrayPlanning {
    /**
     * {@return how an array is copied; empty if it has no part in the job}
     *
     * @param path the path of the array, below source and target
     * @param place where the array is read
     * @param spec what the array is
     * @param reader a reader of it
     * @throws dev.rechunker.run.InfeasiblePlanException if the bound cannot be held
     * @throws IOException if the target cannot hold the array
     */
    Optional<JobArray> plan(String path, StoreLocation place, ArraySpec spec, ArrayReader reader) throws IOException;
}
