package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.Problem;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.PartTraits;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import java.util.OptionalLong;

/** States in the planner's words what it takes to copy what a reader reads to where a writer writes. */
final class Statement {
    /** A stretch has at least so many blocks, as one that it begins or ends in is decoded for its neighbour, too. */
    private static final int BLOCKS = 8;

    private Statement() {}

    /**
     * States it.
     *
     * @param stretches whether large chunks can be read in stretches where the reader offers that
     * @param target the array that is written
     * @param write how it is written
     * @param sameEncoding whether units can be copied as they are stored
     */
    static Problem of(
            ArrayReader reader, boolean stretches, ArraySpec target, WriteTraits write, boolean sameEncoding) {
        ArraySpec spec = reader.spec();
        ReadTraits read = reader.traits();
        int itemSize = spec.dataType().itemSize();
        boolean anyBytes = read.granularity() == ReadTraits.Granularity.BYTES;
        Shape decoded =
                read.paddedEdges() ? spec.chunks().chunkShape() : spec.chunks().largestChunk();
        long chunkBytes = read.granularity() != ReadTraits.Granularity.CHUNK
                        || spec.shape().isEmpty()
                ? 0
                : Math.multiplyExact(decoded.elements(), (long) itemSize);
        return new Problem(
                spec.chunks(),
                stretches ? read.stretches(spec.chunks(), itemSize, BLOCKS * read.blockBytes()) : spec.chunks(),
                target.writeUnits(),
                itemSize,
                anyBytes ? Problem.Reading.ANY_BYTES : Problem.Reading.WHOLE_CHUNKS,
                new Problem.ReaderMemory(chunkBytes, read.scratchBytes(), read.nativeBytes()),
                new Problem.WriterMemory(write.scratchBytes(), write.nativeBytes()),
                write.parts().map(Statement::parts),
                write.paddedEdges(),
                sameEncoding ? OptionalLong.of(write.scratchBytes()) : OptionalLong.empty(),
                Math.addExact(read.heldBytes(), write.heldBytes()));
    }

    private static Problem.Parts parts(PartTraits traits) {
        return new Problem.Parts(
                traits.grid(),
                new Problem.WriterMemory(traits.scratchBytes(), traits.nativeBytes()),
                traits.unitBytes());
    }
}
