package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.verify.ContentsChecksum;
import dev.rechunker.verify.UnitChecksums;
import java.util.Optional;

/**
 * The plan of the checks of an array after it is written.
 *
 * @param window the part of an existing array that is written; empty for a new array
 * @param comparison the comparison of the array with its source, if it can be planned before the array is written
 * @param bytes the memory that the checks use, in bytes
 * @param bytesToCompare the uncompressed bytes of both sides that are compared, approximate for a sample
 * @param minimumMemory the smallest memory limit for the checks, in bytes, as far as it is known
 */
record ArrayChecks(
        Optional<Region> window,
        Optional<ArrayComparison> comparison,
        long bytes,
        double bytesToCompare,
        long minimumMemory) {
    /**
     * {@return the checks of an array}
     *
     * @param target the location of the array
     * @param spec the array in the target
     * @param traits how it will be read back, if that is known
     * @param window the part of an existing array that is written; empty for a new array
     * @param refusals gets a refusal if the memory limit is too small for a check
     */
    static ArrayChecks of(
            JobRequest request,
            StoreLocation target,
            ArrayReader source,
            ArraySpec spec,
            Optional<ReadTraits> traits,
            Optional<Region> window,
            MemoryRefusals refusals)
            throws StoreException {
        Options options = request.options();
        long maxMem = request.maxMem().bytes();
        Optional<ArrayComparison> comparison = Optional.empty();
        long bytes = 0;
        double bytesToCompare = 0;
        long least = 0;
        if (options.get(Option.VERIFY) > 0 && !spec.shape().isEmpty()) {
            bytesToCompare = 2 * options.get(Option.VERIFY) * source.spec().bytes();
            bytes = maxMem;
            if (traits.isPresent()) {
                comparison = refusals.attempt(() -> comparison(options, source, spec, traits.get(), request.maxMem()));
                bytes = comparison.map(ArrayComparison::bytes).orElse(0L);
                least = comparison.map(ArrayComparison::minimumMemory).orElse(0L);
            }
        }
        if (options.get(Option.CHECKSUMS)) {
            if (window.isEmpty() && target.store().writeTraits(spec).encoded().isEmpty()) {
                throw new StoreException(
                        "checksums need the stored bytes of write units, which cannot be read from " + target,
                        Advice.of("verify", "compare elements with verify()"));
            }
            long reading = UnitChecksums.BUFFER
                    + traits.map(t -> t.heldBytes() + t.nativeBytes()).orElse(0L);
            if (reading > maxMem) {
                refusals.add(
                        new InfeasiblePlanException("reading stored chunks for checksums takes more", maxMem, reading));
            }
            bytes = Math.max(bytes, reading);
            least = Math.max(least, reading);
        }
        if (options.get(Option.CONTENTS)) {
            Optional<ContentsChecksum> contents = traits.isPresent()
                    ? refusals.attempt(() -> ContentsChecksum.plan(
                            spec,
                            traits.get(),
                            request.maxMem(),
                            options.executor().threads()))
                    : Optional.empty();
            bytes = Math.max(bytes, contents.map(ContentsChecksum::bytes).orElse(traits.isPresent() ? 0L : maxMem));
            least = Math.max(
                    least, contents.map(ContentsChecksum::minimumMemory).orElse(0L));
        }
        return new ArrayChecks(window, comparison, bytes, bytesToCompare, least);
    }

    /** {@return the comparison of an array with its source} */
    static ArrayComparison comparison(
            Options options, ArrayReader source, ArraySpec spec, ReadTraits traits, ByteSize bound) {
        ReadTraits read = source.traits();
        return ArrayComparison.plan(
                source.spec(),
                options.get(Option.ON_CORRUPT) == OnCorrupt.FAIL ? read : read.withBlockBytes(0),
                spec,
                traits,
                bound,
                options.executor().threads(),
                options.get(Option.VERIFY));
    }
}
