package dev.rechunker.job;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The times of reading a few chunks of an array by one thread.
 *
 * @param chunks the number of chunks
 * @param bytes their uncompressed size
 * @param stored their size as they are stored; the uncompressed one if the reader does not count it
 * @param first the seconds in which they were read for the first time
 * @param again the seconds in which they were read again
 * @param request the seconds of a request for a few bytes of another chunk; empty if the source cannot read a few bytes
 * @param spill how fast and how small they are compressed, if there is a codec for spills
 */
record ReadSample(
        int chunks,
        double bytes,
        double stored,
        double first,
        double again,
        OptionalDouble request,
        Optional<SpillSample> spill) {
    private static final int SAMPLES = 8;
    private static final int REPEATS = 3;
    private static final long WARM_UP_NANOS = 100_000_000;

    /** The most bytes that are read at once if the source can read parts of chunks. */
    private static final long MOST_BYTES = 4 << 20;

    /**
     * {@return the times of chunks spread over the array; empty if none of them was written, or one exceeds the memory
     * limit}
     *
     * @param maxMem the memory limit in bytes
     * @param codec compresses the chunks, unless that exceeds the memory limit
     */
    static Optional<ReadSample> of(ArrayReader reader, long maxMem, Optional<SpillCodec> codec) throws IOException {
        ChunkGrid grid = reader.spec().chunks();
        ReadTraits traits = reader.traits();
        if (grid.count() == 0) {
            return Optional.empty();
        }
        boolean raw = traits.granularity() == Granularity.BYTES;
        long chunk = grid.largestChunk().elements() * reader.spec().dataType().itemSize();
        long bytes = raw ? Math.min(chunk, MOST_BYTES) : chunk;
        long held = bytes + traits.scratchBytes() + traits.nativeBytes() + traits.heldBytes();
        if (held > maxMem || Math.max(bytes, traits.scratchBytes()) > Workspace.MAX_BUFFER) {
            return Optional.empty();
        }
        int itemSize = reader.spec().dataType().itemSize();
        Optional<SpillSample> spill = codec.filter(c -> held + SpillSample.heldBytes(c, itemSize, bytes) <= maxMem)
                .map(c -> new SpillSample(c, itemSize, bytes));
        return new Reading(reader, (int) bytes, spill).sample();
    }

    private static final class Reading {
        private final ArrayReader reader;
        private final ChunkGrid grid;
        private final int itemSize;
        private final ByteBuffer buffer;
        private final Scratch scratch;
        private final Optional<SpillSample> spill;

        Reading(ArrayReader reader, int bytes, Optional<SpillSample> spill) {
            this.spill = spill;
            this.reader = reader;
            this.grid = reader.spec().chunks();
            this.itemSize = reader.spec().dataType().itemSize();
            this.buffer = ByteBuffer.allocateDirect(Math.max(bytes, itemSize));
            this.scratch = Scratch.allocate((int) reader.traits().scratchBytes());
        }

        Optional<ReadSample> sample() throws IOException {
            // Reads until the code is compiled, so that compilation is not measured.
            long until = System.nanoTime() + WARM_UP_NANOS;
            while (System.nanoTime() < until) {
                if (seconds(region(0)).isPresent()) {
                    compress(region(0));
                }
            }
            spill.ifPresent(SpillSample::reset);
            OptionalDouble request = requestSeconds();
            int chunks = 0;
            double bytes = 0;
            double stored = 0;
            double first = 0;
            double again = 0;
            long count = Math.min(SAMPLES, grid.count());
            for (long i = 0; i < count; i++) {
                Region region = region((2 * i + 1) * grid.count() / (2 * count));
                long before = reader.storedBytesRead();
                Optional<Double> cold = seconds(region);
                if (cold.isPresent()) {
                    chunks++;
                    bytes += (double) region.elements() * itemSize;
                    stored += before < 0
                            ? (double) region.elements() * itemSize
                            : (double) (reader.storedBytesRead() - before);
                    first += cold.get();
                    again += Math.min(cold.get(), leastSeconds(region));
                    compress(region);
                }
            }
            return chunks == 0
                    ? Optional.empty()
                    : Optional.of(new ReadSample(chunks, bytes, stored, first, again, request, spill));
        }

        /** Compresses the region that was read last. */
        private void compress(Region region) throws IOException {
            if (spill.isPresent()) {
                spill.get().add(buffer.slice(0, (int) (region.elements() * itemSize)));
            }
        }

        /** {@return the median of the seconds in which one element or one encoded byte is read} */
        private OptionalDouble requestSeconds() throws IOException {
            boolean raw = reader.traits().granularity() == Granularity.BYTES;
            if (!raw && reader.encoded().isEmpty()) {
                return OptionalDouble.empty();
            }
            ChunkGrid units = raw ? grid : reader.spec().writeUnits();
            long count = Math.min(SAMPLES, units.count());
            double[] seconds = new double[(int) count];
            for (int i = 0; i < count; i++) {
                Region unit = units.regionAt(i * units.count() / count);
                long start = System.nanoTime();
                if (raw) {
                    reader.read(element(unit), buffer.slice(0, itemSize), scratch);
                } else {
                    readByte(unit);
                }
                seconds[i] = (System.nanoTime() - start) / 1e9;
            }
            Arrays.sort(seconds);
            return OptionalDouble.of(seconds[seconds.length / 2]);
        }

        private static Region element(Region unit) {
            long[] ones = new long[unit.rank()];
            Arrays.fill(ones, 1);
            return Region.of(unit.origin(), Shape.of(ones));
        }

        private void readByte(Region unit) throws IOException {
            Optional<EncodedUnit> opened = reader.encoded().orElseThrow().openEncoded(unit);
            if (opened.isPresent()) {
                try (EncodedUnit encoded = opened.get()) {
                    encoded.read(0, buffer.slice(0, 1));
                }
            }
        }

        private double leastSeconds(Region region) throws IOException {
            double least = Double.MAX_VALUE;
            for (int i = 0; i < REPEATS; i++) {
                least = Math.min(least, seconds(region).orElse(least));
            }
            return least;
        }

        /** {@return the seconds in which a region is read; empty if it was never written} */
        private Optional<Double> seconds(Region region) throws IOException {
            Shape extents = reader.traits().paddedEdges() ? grid.nominalShape(region) : region.shape();
            ByteBuffer target = buffer.slice(0, (int) (extents.elements() * itemSize));
            int mark = scratch.mark();
            long start = System.nanoTime();
            boolean present = reader.read(region, target, scratch);
            double seconds = Math.max(1, System.nanoTime() - start) / 1e9;
            scratch.release(mark);
            return present ? Optional.of(seconds) : Optional.empty();
        }

        /**
         * {@return the region of a chunk or, if the source can read parts of chunks, as much of it as fits into the
         * buffer}
         */
        private Region region(long ordinal) {
            Region chunk = grid.regionAt(ordinal);
            long[] extents = chunk.shape().toArray();
            long left = buffer.capacity() / itemSize;
            for (int axis = extents.length - 1; axis >= 0; axis--) {
                extents[axis] = Math.min(extents[axis], left);
                left = Math.max(1, left / extents[axis]);
            }
            return Region.of(chunk.origin(), Shape.of(extents));
        }
    }
}
