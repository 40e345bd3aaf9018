package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem.ReaderMemory;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.Problem.WriterMemory;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Problems that are small enough to try all plans. */
final class SmallProblems {
    private SmallProblems() {}

    /**
     * {@return a problem of 1 to 3 axes}
     *
     * @param most the most chunks or units on an axis
     */
    static Problem of(Cases cases, long most, Reading reading) {
        List<Partition> source = new ArrayList<>();
        List<Partition> target = new ArrayList<>();
        for (long rank = cases.between(1, 3); rank > 0; rank--) {
            long length = cases.between(1, 3 * most);
            long least = (length + most - 1) / most;
            source.add(Partition.regular(length, cases.between(least, length)));
            target.add(Partition.regular(length, cases.between(least, length + 1)));
        }
        ChunkGrid chunks = ChunkGrid.of(source);
        int itemSize = cases.oneOf(1, 4);
        long chunkBytes =
                reading == Reading.ANY_BYTES ? 0 : chunks.largestChunk().elements() * itemSize;
        return new Problem(
                chunks,
                ChunkGrid.of(target),
                itemSize,
                reading,
                new ReaderMemory(chunkBytes, cases.between(0, 20), 0),
                new WriterMemory(cases.between(0, 20), 0),
                Optional.empty(),
                cases.random().nextBoolean(),
                Optional.empty(),
                0);
    }

    /** {@return a problem of any size whose chunks are read whole and whose units need no memory to be written} */
    static Problem compressed(ChunkGrid source, ChunkGrid target, int itemSize) {
        return new Problem(
                source,
                target,
                itemSize,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(source.largestChunk().elements() * itemSize, 0, 0),
                WriterMemory.NONE,
                Optional.empty(),
                false,
                Optional.empty(),
                0);
    }

    /** {@return all combinations of one choice per axis} */
    static <T> List<List<T>> combinations(List<? extends Collection<T>> axes) {
        List<List<T>> all = List.of(List.of());
        for (Collection<T> choices : axes) {
            List<List<T>> longer = new ArrayList<>();
            for (List<T> before : all) {
                for (T choice : choices) {
                    List<T> next = new ArrayList<>(before);
                    next.add(choice);
                    longer.add(next);
                }
            }
            all = longer;
        }
        return all;
    }
}
