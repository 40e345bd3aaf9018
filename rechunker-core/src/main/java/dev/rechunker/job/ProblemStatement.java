package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.Problem;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.PartTraits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** States the copy from a reader to a writer as a problem of the planner. */
final class ProblemStatement {
    /**
     * The blocks of the largest stretches at least. Blocks at the ends of a stretch are also decoded for the next one.
     */
    private static final int BLOCKS = 8;

    private ProblemStatement() {}

    /**
     * {@return the problem}
     *
     * @param reader the reader of the source
     * @param isRemote whether the source is remote, so that looking up the size of a chunk takes long
     * @param stretches whether large chunks may be read in stretches if the reader supports that
     * @param target the array that is written
     * @param write how it is written
     * @param encoded how units are copied without decoding; empty if they must be decoded
     * @throws IOException if the sizes of chunks cannot be looked up
     */
    static Problem of(
            ArrayReader reader,
            boolean isRemote,
            boolean stretches,
            ArraySpec target,
            WriteTraits write,
            Optional<Problem.Encoded> encoded)
            throws IOException {
        ArraySpec spec = reader.spec();
        ReadTraits read = reader.traits();
        int itemSize = spec.dataType().itemSize();
        boolean raw = read.granularity() == ReadTraits.Granularity.BYTES;
        boolean anyBytes = raw && read.axisOrder().isEmpty();
        List<Problem.Way> ways = anyBytes
                ? List.of(Problem.Way.inBands(spec.chunks(), target.writeUnits(), itemSize))
                : raw
                        ? bands(spec, target, read)
                        : stretches ? ways(spec, read) : List.of(new Problem.Way(spec.chunks(), 1));
        Shape decoded =
                read.paddedEdges() ? spec.chunks().chunkShape() : spec.chunks().largestChunk();
        Shape piece = raw ? ways.get(0).grid().largestChunk() : decoded;
        boolean inPlace = anyBytes || read.granularity() == ReadTraits.Granularity.STREAM;
        long chunkBytes = inPlace || spec.shape().isEmpty() ? 0 : Math.multiplyExact(piece.elements(), (long) itemSize);
        return new Problem(
                spec.chunks(),
                ways,
                target.writeUnits(),
                itemSize,
                anyBytes ? Problem.Reading.ANY_BYTES : Problem.Reading.WHOLE_CHUNKS,
                new Problem.ReaderMemory(chunkBytes, read.scratchBytes(), read.nativeBytes()),
                new Problem.WriterMemory(write.scratchBytes(), write.nativeBytes()),
                write.parts().map(ProblemStatement::parts),
                write.paddedEdges(),
                encoded,
                Math.addExact(read.heldBytes(), write.heldBytes()),
                StoredSizes.of(reader, isRemote, target, write));
    }

    private static List<Problem.Way> bands(ArraySpec spec, ArraySpec target, ReadTraits read) {
        int itemSize = spec.dataType().itemSize();
        return List.of(
                new Problem.Way(StoredBands.of(spec.chunks(), target.writeUnits(), read.axisOrder(), itemSize), 1));
    }

    /** {@return the ways to read an array: in the largest useful stretches, and in smaller ones down to one block} */
    private static List<Problem.Way> ways(ArraySpec spec, ReadTraits read) {
        int itemSize = spec.dataType().itemSize();
        List<Problem.Way> ways = new ArrayList<>();
        for (int halves = 2 * BLOCKS; halves >= 2; halves--) {
            ChunkGrid grid = StoredBands.inOrder(
                    stretches(
                            StoredBands.inOrder(spec.chunks(), read.axisOrder()),
                            itemSize,
                            halves * read.blockBytes() / 2),
                    StoredBands.inverse(read.axisOrder()));
            if (ways.isEmpty() || !grid.equals(ways.get(ways.size() - 1).grid())) {
                ways.add(new Problem.Way(grid, grid.equals(spec.chunks()) ? 1 : decoded(grid, itemSize, read)));
            }
        }
        return ways;
    }

    /**
     * {@return the smallest stretches that divide chunks evenly, or the chunks, if there are none}
     *
     * @param chunks the chunks of the source
     * @param itemSize the size of an element in bytes
     * @param leastBytes the least size of a stretch; 0 if chunks have no blocks
     */
    private static ChunkGrid stretches(ChunkGrid chunks, int itemSize, long leastBytes) {
        if (leastBytes == 0 || !chunks.isRegular()) {
            return chunks;
        }
        long[] extents = chunks.chunkShape().toArray();
        long bytes = itemSize;
        int cut = extents.length - 1;
        while (cut >= 0 && bytes * extents[cut] < leastBytes) {
            bytes *= extents[cut--];
        }
        if (cut < 0) {
            return chunks;
        }
        long parts = extents[cut] / ((leastBytes + bytes - 1) / bytes);
        while (extents[cut] % parts != 0) {
            parts--;
        }
        extents[cut] /= parts;
        Arrays.fill(extents, 0, cut, 1);
        return ChunkGrid.regular(chunks.shape(), Shape.of(extents));
    }

    private static double decoded(ChunkGrid stretches, int itemSize, ReadTraits read) {
        long bytes = stretches.chunkShape().elements() * itemSize;
        return 1 + (double) read.additionalBytes(bytes) / bytes;
    }

    private static Problem.Parts parts(PartTraits traits) {
        return new Problem.Parts(
                traits.grid(),
                new Problem.WriterMemory(traits.scratchBytes(), traits.nativeBytes()),
                traits.unitBytes());
    }
}
