package dev.rechunker.io.jobs;

import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.run.Report;

/**
 * A process that runs tasks of a plan in a bucket. Arguments: bucket, key, stage, first task (inclusive), last task
 * (exclusive).
 */
final class BucketWorker {
    private BucketWorker() {}

    public static void main(String[] args) throws Exception {
        try (KeyStore keys = Stores.keys(args[0]);
                JobFile job = JobFile.open(keys, args[1])) {
            Report report = job.run(Integer.parseInt(args[2]), Long.parseLong(args[3]), Long.parseLong(args[4]));
            if (report.measuredMemory() > job.plan().maxMem().bytes()) {
                throw new IllegalStateException(report.toString());
            }
        }
    }
}
