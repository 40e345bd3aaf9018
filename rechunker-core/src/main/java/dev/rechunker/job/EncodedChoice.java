package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.Problem;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedChunks;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The choice whether an array is copied without decoding: by whole write units, if these are of the same bytes in both
 * stores; else by chunks, which become parts of other shards, or chunks of another format.
 */
final class EncodedChoice {
    private EncodedChoice() {}

    /**
     * {@return how an array is copied without decoding; empty if its chunks must be decoded}
     *
     * @param target the array that is written
     * @param write how it is written
     */
    static Optional<Problem.Encoded> of(Options options, ArrayReader reader, ArraySpec target, WriteTraits write) {
        boolean findsCorrupt = options.get(Option.ON_CORRUPT) != OnCorrupt.FAIL;
        if (findsCorrupt
                || options.get(Option.KEEP_EMPTY)
                || !reader.spec().chunks().equals(target.chunks())
                || !isMissingAlike(reader.spec(), target)) {
            return Optional.empty();
        }
        try {
            Optional<Problem.Encoded> units = units(reader, target, write);
            return units.isPresent() ? units : chunks(reader, write);
        } catch (IOException e) {
            return Optional.empty(); // chunks are decoded then
        }
    }

    /**
     * {@return whether the elements of a chunk that was never written are the same} Such a chunk is not written, so the
     * target must say what its elements are if the source does.
     */
    private static boolean isMissingAlike(ArraySpec source, ArraySpec target) {
        if (!target.fillValue().isDefined()) {
            return !source.fillValue().isDefined();
        }
        int itemSize = source.dataType().itemSize();
        return itemSize == target.dataType().itemSize()
                && Arrays.equals(
                        source.fillValue().element(itemSize), target.fillValue().element(itemSize));
    }

    private static Optional<Problem.Encoded> units(ArrayReader reader, ArraySpec target, WriteTraits write)
            throws IOException {
        Optional<EncodedTraits> traits = write.encoded();
        if (traits.isEmpty() || !reader.spec().writeUnits().equals(target.writeUnits())) {
            return Optional.empty();
        }
        Optional<EncodedSource> source = reader.encoded();
        return source.isPresent()
                        && source.get().encodingIdentity().equals(traits.get().identity())
                ? Optional.of(new Problem.Encoded(
                        false,
                        new Problem.WriterMemory(
                                traits.get().scratchBytes(), traits.get().nativeBytes())))
                : Optional.empty();
    }

    private static Optional<Problem.Encoded> chunks(ArrayReader reader, WriteTraits write) throws IOException {
        Optional<EncodedTraits> traits = write.encodedChunks();
        if (traits.isEmpty()) {
            return Optional.empty();
        }
        Optional<EncodedChunks> source = reader.encodedChunks();
        if (source.isEmpty()
                || !source.get().chunkEncoding().equals(traits.get().identity())) {
            return Optional.empty();
        }
        long scratch = Math.addExact(traits.get().scratchBytes(), source.get().chunkScratchBytes());
        long outside = Math.addExact(traits.get().nativeBytes(), source.get().chunkNativeBytes());
        return Optional.of(new Problem.Encoded(true, new Problem.WriterMemory(scratch, outside)));
    }
}
