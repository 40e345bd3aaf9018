package dev.rechunker.job;

import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.Retrying;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.ArrayChecksum;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.Report;
import dev.rechunker.run.VerificationException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.verify.ContentsChecksum;
import dev.rechunker.verify.UnitChecksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The checks of a run after everything is written: verification and checksums. */
final class FinalChecks {
    private final JobPlan plan;
    private final Options options;
    private final RunContext context;

    private FinalChecks(RunContext context) {
        this.plan = context.plan();
        this.options = plan.options();
        this.context = context;
    }

    /**
     * Checks everything, and reports the end of the run to the listener.
     *
     * @return the report of the run, with the results of the checks
     * @throws VerificationException if an element differs
     */
    static Report end(RunContext context) throws IOException, InterruptedException {
        FinalChecks checks = new FinalChecks(context);
        long verified = checks.verify();
        List<ArrayChecksum> checksums = checks.checksums();
        Map<String, String> contents = checks.contents();
        Report report = context.report(context.plan().losses())
                .elementsVerified(verified)
                .checksums(checksums)
                .contents(contents)
                .build();
        context.monitor().end();
        return report;
    }

    private long verify() throws IOException, InterruptedException {
        long verified = 0;
        if (options.get(Option.VERIFY) > 0) {
            int number = 0;
            for (JobArray array : plan.arrays()) {
                context.monitor().beginArray(++number, plan.arrays().size());
                context.monitor().beginComparison(array.path());
                verified += verify(plan.source(array.path()), plan.target(array.path()));
            }
        }
        return verified;
    }

    private long verify(StoreLocation from, StoreLocation to) throws IOException, InterruptedException {
        try (ArrayReader one = tolerant(from, reader(from));
                ArrayReader other = reader(to)) {
            if (one.spec().shape().isEmpty()) {
                return 0;
            }
            ByteSize bound = ByteSize.of(context.budget().capacity());
            ArrayComparison.Result result = ArrayChecks.comparison(options, one, other.spec(), other.traits(), bound)
                    .run(one, other, context.budget(), context.recycler(), context.monitor()::countCompared);
            if (result.difference().isPresent()) {
                throw new VerificationException(result.difference().get(), from.toString(), to.toString());
            }
            return result.elements();
        }
    }

    /**
     * {@return a reader that returns what was copied: the fill value for chunks that cannot be decoded, if the options
     * say so}
     */
    private ArrayReader tolerant(StoreLocation place, ArrayReader source) {
        return options.get(Option.ON_CORRUPT) == OnCorrupt.FAIL
                ? source
                : new CorruptChunks().tolerant(place.toString(), source, TaskLog.none());
    }

    private List<ArrayChecksum> checksums() throws IOException, InterruptedException {
        if (!options.get(Option.CHECKSUMS)) {
            return List.of();
        }
        Optional<Path> path = options.get(Option.CHECKSUM_FILE);
        if (path.isEmpty()) {
            return checksums(line -> {});
        }
        try (ChecksumFile file = new ChecksumFile(path.get())) {
            return checksums(file::write);
        }
    }

    private List<ArrayChecksum> checksums(UnitChecksums.Lines lines) throws IOException, InterruptedException {
        List<ArrayChecksum> checksums = new ArrayList<>();
        MemoryBudget.Reservation held = context.budget().reserve(plan.checkBytes());
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(UnitChecksums.BUFFER);
            for (JobArray array : plan.arrays()) {
                try (ArrayReader reader = reader(plan.request().target().resolve(array.path()))) {
                    Region written = array.checks()
                            .window()
                            .orElse(Region.whole(reader.spec().shape()));
                    checksums.add(UnitChecksums.of(reader, written, array.path(), buffer, lines));
                }
            }
        } finally {
            held.close();
        }
        return checksums;
    }

    /** {@return the checksums of the contents of all arrays, by path} */
    private Map<String, String> contents() throws IOException, InterruptedException {
        Map<String, String> contents = new LinkedHashMap<>();
        if (options.get(Option.CONTENTS)) {
            for (JobArray array : plan.arrays()) {
                try (ArrayReader reader = reader(plan.request().target().resolve(array.path()))) {
                    ByteSize bound = ByteSize.of(context.budget().capacity());
                    ContentsChecksum checksum = ContentsChecksum.plan(
                            reader.spec(),
                            reader.traits(),
                            bound,
                            options.executor().threads());
                    contents.put(array.path(), checksum.run(reader, context.budget(), context.recycler()));
                }
            }
        }
        return contents;
    }

    private ArrayReader reader(StoreLocation place) throws IOException {
        return Retrying.reader(
                context.attempts().get(() -> place.store().openReader(place.path())), context.attempts());
    }
}
