package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.Retrying;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.ArrayChecksum;
import dev.rechunker.run.ChecksumFileException;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.VerificationException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.verify.UnitChecksums;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a job does once everything is written, inside its bound: verification and checksums. */
final class FinalChecks {
    private final StoreLocation target;
    private final ByteSize maxMem;
    private final Options options;
    /** The arrays by path, and the part of each that is written. */
    private final Map<String, Optional<Region>> arrays = new LinkedHashMap<>();

    /** How each array is compared whose way of being read back is known. */
    private final Map<String, ArrayComparison> comparisons = new LinkedHashMap<>();

    private long bytes;
    private double bytesToCompare;

    /** Starts without arrays; {@code target} is where they are in the end. */
    FinalChecks(StoreLocation target, ByteSize maxMem, Options options) {
        this.target = target;
        this.maxMem = maxMem;
        this.options = options;
    }

    /**
     * Adds an array.
     *
     * @param traits how it will be read back, if that is known
     * @param window what of an array that exists is written; null for all of a new one
     * @param refusals to which is added what the bound is too small for
     * @return the least bound, in bytes, in which there is room for it, as far as that is known
     */
    long add(
            String path,
            ArrayReader source,
            ArraySpec spec,
            Optional<ReadTraits> traits,
            @Nullable Region window,
            MemoryRefusals refusals)
            throws StoreException {
        arrays.put(path, Optional.ofNullable(window));
        long least = 0;
        if (options.get(Option.VERIFY) > 0 && !spec.shape().isEmpty()) {
            bytesToCompare += 2 * options.get(Option.VERIFY) * source.spec().bytes();
            if (traits.isPresent()) {
                Optional<ArrayComparison> comparison =
                        refusals.attempt(() -> comparison(source, spec, traits.get(), maxMem));
                if (comparison.isPresent()) {
                    comparisons.put(path, comparison.get());
                    bytes = Math.max(bytes, comparison.get().bytes());
                    least = comparison.get().minimumMemory();
                }
            } else {
                bytes = maxMem.bytes();
            }
        }
        if (options.get(Option.CHECKSUMS)) {
            if (window == null && target.store().writeTraits(spec).encoded().isEmpty()) {
                throw new StoreException("checksums are of units as they are stored, which cannot be read from "
                        + target + "; verify() compares elements");
            }
            long reading = UnitChecksums.BUFFER
                    + traits.map(t -> t.heldBytes() + t.nativeBytes()).orElse(0L);
            if (reading > maxMem.bytes()) {
                refusals.add(new InfeasiblePlanException("reading for checksums takes more", maxMem.bytes(), reading));
            }
            bytes = Math.max(bytes, reading);
            least = Math.max(least, reading);
        }
        return least;
    }

    private ArrayComparison comparison(ArrayReader source, ArraySpec spec, ReadTraits traits, ByteSize bound) {
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

    /** {@return the bytes that it holds} */
    long bytes() {
        return bytes;
    }

    /** {@return the uncompressed bytes of both sides that are compared; of a sample, about so many} */
    long bytesToCompare() {
        return (long) bytesToCompare;
    }

    /** {@return how an array is compared, as far as that is known before it is written} */
    Optional<String> comparison(String path) {
        return Optional.ofNullable(comparisons.get(path)).map(ArrayComparison::explain);
    }

    /**
     * Refuses a file for the checksums that is a part of an array.
     *
     * @throws StoreException if it is in one of the places of a node
     */
    void requireApart(StoreLocation node, List<DataPlace> places) throws StoreException {
        Path file = options.get(Option.CHECKSUM_FILE).orElse(null);
        if (file != null
                && !Files.isDirectory(file)
                && places.stream().anyMatch(place -> place.overlaps(DataPlace.ofFile(file)))) {
            throw new StoreException("checksums cannot be written to " + file + ", which is inside " + node
                    + "; name a file outside of it");
        }
    }

    /**
     * Refuses a file for the checksums that cannot be written, as far as that can be told.
     *
     * @throws RefusedException if so
     */
    void requirePlace() throws RefusedException {
        Path file = options.get(Option.CHECKSUM_FILE).orElse(null);
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new RefusedException("checksums cannot be written to " + file
                    + ", which cannot be a file; name one in an existing directory");
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new RefusedException("checksums cannot be written to " + file + ": permission denied");
        }
    }

    /**
     * Does it.
     *
     * @param from where each array was read
     * @param to where each array is read back as it was written
     * @param recycler where memory comes from
     * @param monitor is told what is compared
     * @param attempts by which is opened and read again what fails in a way that may pass
     * @param report of all that was done, asked for once it is
     * @return the report with what was found
     * @throws VerificationException if an element differs
     */
    Report run(
            StoreLocation from,
            StoreLocation to,
            MemoryBudget budget,
            WorkspaceRecycler recycler,
            Monitor monitor,
            Attempts attempts,
            Supplier<Report.Builder> report)
            throws IOException, InterruptedException {
        long verified = 0;
        if (options.get(Option.VERIFY) > 0) {
            for (String path : arrays.keySet()) {
                monitor.beginComparison(path);
                verified += verify(from.resolve(path), to.resolve(path), budget, recycler, monitor, attempts);
            }
        }
        List<ArrayChecksum> checksums = options.get(Option.CHECKSUMS) ? checksums(budget, attempts) : List.of();
        return report.get().elementsVerified(verified).checksums(checksums).build();
    }

    private long verify(
            StoreLocation from,
            StoreLocation to,
            MemoryBudget budget,
            WorkspaceRecycler recycler,
            Monitor monitor,
            Attempts attempts)
            throws IOException, InterruptedException {
        try (ArrayReader one = tolerant(from, reader(from, attempts));
                ArrayReader other = reader(to, attempts)) {
            if (one.spec().shape().isEmpty()) {
                return 0;
            }
            ArrayComparison.Result result = comparison(
                            one, other.spec(), other.traits(), ByteSize.of(budget.capacity()))
                    .run(one, other, budget, recycler, monitor::compared);
            if (result.difference().isPresent()) {
                throw new VerificationException(result.difference().get(), from.toString(), to.toString());
            }
            return result.elements();
        }
    }

    /**
     * {@return a reader that finds what the copy has found: the fill value in chunks that cannot be decoded, if asked}
     */
    private ArrayReader tolerant(StoreLocation place, ArrayReader source) {
        return options.get(Option.ON_CORRUPT) == OnCorrupt.FAIL
                ? source
                : new CorruptChunks().tolerant(place.toString(), source, TaskLog.none());
    }

    private List<ArrayChecksum> checksums(MemoryBudget budget, Attempts attempts)
            throws IOException, InterruptedException {
        Optional<Path> path = options.get(Option.CHECKSUM_FILE);
        if (path.isEmpty()) {
            return checksums(budget, attempts, line -> {});
        }
        try (ChecksumFile file = new ChecksumFile(path.get())) {
            return checksums(budget, attempts, file::write);
        }
    }

    /** The file for the checksums, whose failures name it: they are none of the copy. */
    private static final class ChecksumFile implements Closeable {
        private final Path path;
        private final Writer writer;

        ChecksumFile(Path path) throws ChecksumFileException {
            this.path = path;
            try {
                DataPlace.keepOtherNames(path);
                writer = Files.newBufferedWriter(path);
            } catch (IOException e) {
                throw new ChecksumFileException(path, e);
            }
        }

        void write(String line) throws ChecksumFileException {
            try {
                writer.write(line);
            } catch (IOException e) {
                throw new ChecksumFileException(path, e);
            }
        }

        @Override
        public void close() throws ChecksumFileException {
            try {
                writer.close();
            } catch (IOException e) {
                throw new ChecksumFileException(path, e);
            }
        }
    }

    private List<ArrayChecksum> checksums(MemoryBudget budget, Attempts attempts, UnitChecksums.Lines lines)
            throws IOException, InterruptedException {
        List<ArrayChecksum> checksums = new ArrayList<>();
        MemoryBudget.Reservation held = budget.reserve(bytes);
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(UnitChecksums.BUFFER);
            for (Map.Entry<String, Optional<Region>> array : arrays.entrySet()) {
                try (ArrayReader reader = reader(target.resolve(array.getKey()), attempts)) {
                    Region written =
                            array.getValue().orElse(Region.whole(reader.spec().shape()));
                    checksums.add(UnitChecksums.of(reader, written, array.getKey(), buffer, lines));
                }
            }
        } finally {
            held.close();
        }
        return checksums;
    }

    private static ArrayReader reader(StoreLocation place, Attempts attempts) throws IOException {
        return Retrying.reader(attempts.get(() -> place.store().openReader(place.path())), attempts);
    }
}
