package dev.rechunker.job;

import dev.rechunker.exec.Monitor;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Difference;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.verify.ContentsChecksum;
import dev.rechunker.view.MeasuredView;
import java.io.IOException;
import java.util.Optional;

/** Compares stored arrays, one after the other, within a memory limit. */
public final class StoredComparison {
    private final MemoryBudget budget;
    private final int threads;
    private final Monitor monitor;
    private final WorkspaceRecycler recycler = new WorkspaceRecycler();

    /**
     * Creates a comparison, and starts to measure its time.
     *
     * @param bytes the uncompressed size of all arrays that will be compared, each pair counted once
     */
    public StoredComparison(ByteSize maxMem, int threads, ProgressListener listener, long bytes) {
        this.budget = MemoryBudget.of(maxMem);
        this.threads = threads;
        this.monitor = new Monitor(listener, budget, 0, 2 * bytes, budget.capacity());
    }

    /** {@return the first element that differs; empty if the arrays are the same} */
    public Optional<Difference> compare(String name, StoreLocation one, StoreLocation other)
            throws IOException, InterruptedException {
        monitor.beginComparison(name);
        CommonLengths lengths = CommonLengths.of(one, other, ByteSize.of(budget.capacity()));
        try (ArrayReader first = reader(lengths.one());
                ArrayReader second = reader(lengths.other())) {
            return ArrayComparison.plan(
                            first.spec(),
                            first.traits(),
                            second.spec(),
                            second.traits(),
                            ByteSize.of(budget.capacity()),
                            threads,
                            1)
                    .run(first, second, budget, recycler, monitor::countCompared)
                    .difference();
        }
    }

    /** {@return the checksum of the contents of an array} */
    public String contents(StoreLocation place) throws IOException, InterruptedException {
        try (ArrayReader reader = reader(MeasuredView.at(place, budget.capacity()))) {
            return ContentsChecksum.plan(reader.spec(), reader.traits(), ByteSize.of(budget.capacity()), threads)
                    .run(reader, budget, recycler);
        }
    }

    private static ArrayReader reader(StoreLocation place) throws IOException {
        return place.store().openReader(place.path());
    }

    /** Notes that everything has been compared. */
    public void end() {
        monitor.end();
    }
}
