package dev.rechunker;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.OnCorrupt;
import dev.rechunker.exec.Retrying;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;

/** Makes the copies of a plan's arrays as its options say: what fails is tried again, what is corrupt taken as told. */
record ArrayCopies(Plan plan, SpillPlace spills, Attempts attempts, CorruptChunks corrupt) {
    /** {@return the copy of an array between an open reader and an open writer} */
    CopyRun of(int number, TaskLog log, ArrayReader source, ArrayWriter target) {
        ArrayPlan array = plan.arrays().get(number);
        Options options = plan.options();
        String name = plan.source(array.path()).toString();
        ArrayReader whole = options.onCorrupt == OnCorrupt.FAIL ? source : corrupt.tolerant(name, source, log);
        return new CopyRun(
                new CopyRun.Subject(name, number, log),
                array.copy(),
                Retrying.reader(whole, attempts),
                Retrying.writer(target, attempts),
                spills,
                attempts,
                new CopyRun.Settings(options.keepEmpty, options.durable));
    }
}
