package dev.rechunker.job;

import dev.rechunker.exec.SpillCodec;
import dev.rechunker.journal.PrivateFiles;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Measures the performance of the storage of a plan. A few chunks of the largest array are read, decoded, and
 * compressed as in a spill. A file is written and read back where the target is and where a spill would be.
 *
 * <p>Figures that cannot be measured are taken from the profile: the rates of remote stores, as one connection does not
 * reach them; those of reading a source without stored chunks; and those whose measurement exceeds the memory limit.
 */
final class Calibration {
    private static final long FILE_BYTES = 64L << 20;
    private static final int PIECE = 4 << 20;

    /** The smallest pieces that are measured; with smaller ones, system calls take more time than the device. */
    private static final long LEAST_PIECE = 4 << 10;

    /** The largest rate in bytes per second, that of the system's cache; larger ones cannot be measured. */
    private static final double FASTEST = 8e9;

    private final JobPlan plan;
    private final CostModel profile;

    private Calibration(JobPlan plan) {
        this.plan = plan;
        this.profile = plan.options().costModel();
    }

    /** {@return the measured cost model} */
    static CostModel of(JobPlan plan) throws IOException {
        return new Calibration(plan).measured();
    }

    private CostModel measured() throws IOException {
        CostModel reading = reading();
        Optional<Path> target = plan.target("").store().localDirectory();
        Optional<Device> writes = target.isPresent() ? device(target.get()) : Optional.empty();
        Optional<Device> spills =
                plan.options().get(Option.SPILL_STORE).isEmpty() ? spills(target, writes) : Optional.empty();
        return new CostModel(
                "measured",
                reading.readBytesPerSecond(),
                writes.map(Device::writing).orElse(profile.writeBytesPerSecond()),
                spills.map(Device::bothWays).orElse(profile.spillBytesPerSecond()),
                reading.requestSeconds(),
                reading.latencySeconds(),
                reading.codecBytesPerSecond(),
                reading.spillRatio(),
                reading.spillCodecBytesPerSecond());
    }

    /** {@return the device of a local spill; by default that of the target} */
    private Optional<Device> spills(Optional<Path> target, Optional<Device> writes) throws IOException {
        Path directory =
                plan.options().get(Option.SPILL).or(() -> target).orElse(Path.of(System.getProperty("java.io.tmpdir")));
        return writes.isPresent() && target.get().equals(directory) ? writes : device(directory);
    }

    /** {@return the performance of a device; empty if the memory limit is too small to measure it} */
    private Optional<Device> device(Path directory) throws IOException {
        long piece = Math.min(PIECE, plan.maxMem().bytes() & -Long.BYTES);
        return piece < LEAST_PIECE ? Optional.empty() : Optional.of(Device.at(directory, (int) piece));
    }

    private CostModel reading() throws IOException {
        Optional<JobArray> largest = plan.arrays().stream()
                .max(Comparator.comparingLong(array -> array.source().bytes()));
        if (largest.isEmpty()) {
            return profile;
        }
        StoreLocation from = plan.source(largest.get().path());
        try (ArrayReader reader = from.store().openReader(from.path())) {
            boolean raw = reader.traits().granularity() == Granularity.BYTES;
            boolean remote = from.store().capabilities().remote();
            Optional<SpillCodec> codec =
                    plan.options().get(Option.SPILL_STORE).isEmpty() ? SpillCodec.find() : Optional.empty();
            return ReadSample.of(reader, plan.maxMem().bytes(), codec)
                    .map(sample -> reading(sample, raw, remote))
                    .orElse(profile);
        }
    }

    private CostModel reading(ReadSample sample, boolean raw, boolean remote) {
        // A chunk of a local store that is read again comes from the system's cache, so the time is that of decoding.
        double codec = raw || remote ? profile.codecBytesPerSecond() : sample.bytes() / sample.again();
        double decoding = raw ? 0 : sample.bytes() / codec;
        double ofProfile = remote ? profile.latencySeconds() : profile.requestSeconds();
        double request = sample.request().orElse(ofProfile);
        double fetching = sample.first() - decoding - sample.chunks() * request;
        return new CostModel(
                profile.name(),
                remote ? profile.readBytesPerSecond() : sample.stored() / Math.max(fetching, sample.stored() / FASTEST),
                profile.writeBytesPerSecond(),
                profile.spillBytesPerSecond(),
                remote ? profile.requestSeconds() : request,
                remote ? request : profile.latencySeconds(),
                codec,
                sample.spill().map(SpillSample::ratio).orElse(profile.spillRatio()),
                sample.spill().map(SpillSample::bytesPerSecond).orElse(profile.spillCodecBytesPerSecond()));
    }

    /**
     * The performance of a local device, in bytes per second.
     *
     * @param writing the rate of writing, including the time to force the data to the device
     * @param reading the rate of reading what was just written
     */
    private record Device(double writing, double reading) {
        static Device at(Path directory, int pieceBytes) throws IOException {
            Path existing = directory.toAbsolutePath();
            while (existing != null && !Files.isDirectory(existing)) {
                existing = existing.getParent();
            }
            if (existing == null) {
                throw new IOException(directory + " is in no directory that exists");
            }
            Path file = existing.resolve("rechunk-" + UUID.randomUUID() + ".calibration");
            try (FileChannel channel =
                    PrivateFiles.create(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE)) {
                ByteBuffer piece = ByteBuffer.allocateDirect(pieceBytes);
                SplittableRandom random = new SplittableRandom(0);
                while (piece.hasRemaining()) {
                    piece.putLong(random.nextLong());
                }
                long start = System.nanoTime();
                for (long at = 0; at < FILE_BYTES; at += piece.capacity()) {
                    channel.write(piece.rewind(), at);
                }
                channel.force(false);
                long written = System.nanoTime();
                for (long at = 0; at < FILE_BYTES; at += piece.capacity()) {
                    channel.read(piece.rewind(), at);
                }
                return new Device(perSecond(written - start), perSecond(System.nanoTime() - written));
            }
        }

        /** {@return the bytes moved per second if half of them are written and half are read} */
        double bothWays() {
            return 2 / (1 / writing + 1 / reading);
        }

        private static double perSecond(long nanos) {
            return FILE_BYTES * 1e9 / Math.max(1, nanos);
        }
    }
}
