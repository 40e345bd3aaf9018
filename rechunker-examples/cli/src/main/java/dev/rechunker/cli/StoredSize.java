package dev.rechunker.cli;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * The size of the chunks or shards of an array as they are stored. They are looked up one by one, or some of them if
 * there are many; nothing is decoded.
 *
 * @param bytes the size, without metadata
 * @param isEstimate whether it was computed from some of the chunks
 */
record StoredSize(long bytes, boolean isEstimate) {
    /** The most chunks or shards that a command looks up, which takes about half a second. */
    static final long MOST_UNITS = 8192;

    /** An index of more chunks, as HDF5 has, is not read. */
    private static final long LARGEST_INDEX = 1_000_000;

    /**
     * {@return the size; empty if it is not known, as in a remote store, where each chunk takes a request, or if chunks
     * are not stored one by one}
     *
     * @param most the most chunks or shards that are looked up
     */
    static Optional<StoredSize> of(StoreLocation place, ArraySpec spec, long most) {
        ChunkGrid units = spec.shards().orElse(spec.chunks());
        try {
            long count = units.count();
            if (place.store().capabilities().remote() || count == 0 || count > LARGEST_INDEX) {
                return Optional.empty();
            }
            try (ArrayReader reader = place.store().openReader(place.path())) {
                Optional<ArrayReader.EncodedSource> encoded = reader.encoded();
                return encoded.isEmpty() ? Optional.empty() : Optional.of(of(encoded.get(), units, most));
            }
        } catch (IOException | ArithmeticException e) {
            return Optional.empty(); // the description says why the array cannot be read
        }
    }

    private static StoredSize of(ArrayReader.EncodedSource encoded, ChunkGrid units, long most) throws IOException {
        long count = units.count();
        long step = (count + most - 1) / most;
        Random random = new Random(1);
        long bytes = 0;
        long seen = 0;
        for (long first = 0; first < count; first += step) {
            long in = Math.min(count - 1, first + (step == 1 ? 0 : random.nextLong(step)));
            Optional<EncodedUnit> unit = encoded.openEncoded(units.regionAt(in));
            if (unit.isPresent()) {
                try (EncodedUnit stored = unit.get()) {
                    bytes += stored.size();
                }
            }
            seen++;
        }
        return new StoredSize(step == 1 ? bytes : Math.round((double) bytes / seen * count), step > 1);
    }

    /** {@return how many times smaller the stored chunks are than all elements, such as {@code 2.4}} */
    String ratio(BigInteger elements) {
        return bytes == 0 ? "-" : String.format(Locale.ROOT, "%.1f", elements.doubleValue() / bytes);
    }
}
