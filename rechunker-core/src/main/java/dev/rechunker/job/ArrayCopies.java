package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.Retrying;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Makes the copies of the arrays of a plan. The readers and writers of a copy repeat operations that fail, and treat
 * corrupt chunks as the options say.
 */
record ArrayCopies(JobPlan plan, SpillPlace spills, Attempts attempts, CorruptChunks corrupt) {
    /** {@return the copy of an array between an open reader and an open writer} */
    CopyRun of(int number, TaskLog log, ArrayReader source, ArrayWriter target) {
        JobArray array = plan.arrays().get(number);
        Options options = plan.options();
        String name = plan.source(array.path()).toString();
        ArrayReader whole =
                options.get(Option.ON_CORRUPT) == OnCorrupt.FAIL ? source : corrupt.tolerant(name, source, log);
        return new CopyRun(
                new CopyRun.Subject(name, number, log),
                array.copy(),
                Retrying.reader(whole, attempts),
                Retrying.writer(concurrent(target, array), attempts),
                spills,
                attempts,
                new CopyRun.Settings(options.get(Option.KEEP_EMPTY), options.get(Option.DURABLE)));
    }

    /** {@return a writer that several threads may use, even if the store does not support that} */
    ArrayWriter concurrent(ArrayWriter writer, JobArray array) {
        boolean can = plan.target(array.path()).store().capabilities().concurrentWriters();
        return can ? writer : new OneAtATime(writer);
    }

    /** A writer in which only one thread writes at a time. */
    private static final class OneAtATime extends ForwardingStore.Writer {
        OneAtATime(ArrayWriter delegate) {
            super(delegate);
        }

        @Override
        public synchronized void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            super.write(unit, data, scratch);
        }

        @Override
        public synchronized void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            super.writePart(part, data, scratch);
        }

        @Override
        public synchronized void omitPart(Region part, Scratch scratch) throws IOException {
            super.omitPart(part, scratch);
        }

        @Override
        public synchronized void forceParts() throws IOException {
            super.forceParts();
        }

        @Override
        public synchronized void erase(Region unit) throws IOException {
            super.erase(unit);
        }

        @Override
        public synchronized void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            super.writeEncoded(unit, encoded, scratch);
        }

        @Override
        public synchronized void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
            super.writeChunks(unit, chunks, scratch);
        }
    }
}
