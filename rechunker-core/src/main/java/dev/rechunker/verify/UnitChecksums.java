package dev.rechunker.verify;

import com.google.common.base.Joiner;
import com.google.common.primitives.Longs;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.Odometer;
import dev.rechunker.run.ArrayChecksum;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Computation of the checksums of stored write units. Memory does not grow with the number of units. */
public final class UnitChecksums {
    /** The size of the buffer that {@link #of} needs, in bytes. */
    public static final int BUFFER = 1 << 16;

    private UnitChecksums() {}

    /** A receiver of the lines from which a checksum is computed, one per stored unit. */
    @FunctionalInterface
    public interface Lines {
        /** Receives a line, which ends with a line feed. */
        void accept(String line) throws IOException;
    }

    /**
     * {@return the checksum of the write units that a region touches}
     *
     * @param reader a reader of an array whose encoded units can be read
     * @param region a region of the array
     * @param path the path of the array in lines
     * @param buffer a buffer of {@link #BUFFER} bytes
     * @param lines receives each line
     * @throws IOException if a unit cannot be read
     * @throws InterruptedException if the thread was interrupted
     */
    public static ArrayChecksum of(ArrayReader reader, Region region, String path, ByteBuffer buffer, Lines lines)
            throws IOException, InterruptedException {
        MessageDigest digest = sha256();
        long stored = 0;
        long bytes = 0;
        EncodedSource source = reader.encoded().orElseThrow();
        ChunkGrid grid = reader.spec().writeUnits();
        Odometer units = new Odometer(region.shape().isEmpty() ? region : grid.chunksTouching(region));
        while (units.next()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted");
            }
            Optional<EncodedUnit> opened = source.openEncoded(grid.region(units.index()));
            if (opened.isPresent()) {
                try (EncodedUnit unit = opened.get()) {
                    String line = String.format(Locale.ROOT, "%08x", crc(unit, buffer)) + " " + unit.size() + " " + path
                            + " " + Joiner.on(',').join(Longs.asList(units.index())) + "\n";
                    digest.update(line.getBytes(StandardCharsets.UTF_8));
                    lines.accept(line);
                    stored++;
                    bytes += unit.size();
                }
            }
        }
        return new ArrayChecksum(path, stored, bytes, HexFormat.of().formatHex(digest.digest()));
    }

    private static long crc(EncodedUnit unit, ByteBuffer buffer) throws IOException {
        CRC32C sum = new CRC32C();
        for (long at = 0; at < unit.size(); at += buffer.capacity()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), unit.size() - at));
            unit.read(at, buffer);
            sum.update(buffer.flip());
        }
        return sum.getValue();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
