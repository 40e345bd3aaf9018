package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.Stored;
import dev.rechunker.plan.Stored.Known;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.StoredSize;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.Optional;

/**
 * Finds the sizes of source and target as they are stored, as far as that takes little time. Sizes of chunks of the
 * source are looked up: all of them, or some of them if there are many. How small the target becomes is only known if
 * it has no codecs; otherwise it is estimated from the source, if that is encoded, too.
 */
final class StoredSizes {
    /** The fewest and the most chunks that are looked up, and the uncompressed bytes for each in between. */
    private static final long FEWEST = 16;

    private static final long MOST = 256;
    private static final long BYTES_PER_LOOK = 1 << 20;

    /** The chunks that are looked up in a remote store, of an array that is large enough to be worth the time. */
    private static final long MOST_REMOTE = 4;

    private static final long LARGE = 256 << 20;

    /** The bytes that a shard has for each of its chunks, in addition to them. */
    private static final long INDEX_ENTRY = 16;

    private StoredSizes() {}

    /**
     * {@return the sizes}
     *
     * @throws IOException if the storage fails; a plan without the sizes could be another one, in which a run that
     *     others have begun cannot be continued
     */
    static Stored of(ArrayReader reader, boolean isRemote, ArraySpec target, WriteTraits write) throws IOException {
        double bytes = target.bytes();
        Optional<StoredSize> source = source(reader, isRemote);
        double read = source.map(size -> (double) size.bytes())
                .orElse((double) reader.spec().bytes());
        Known ofSource = source.isEmpty() ? Known.NOT : source.get().isEstimate() ? Known.ABOUT : Known.EXACTLY;
        if (target.codecs().isEmpty()) {
            return new Stored(read, ofSource, plain(target, write), Known.EXACTLY);
        }
        boolean isEncoded = reader.traits().granularity() != Granularity.BYTES;
        return source.isPresent() && isEncoded && reader.spec().bytes() > 0
                ? new Stored(read, ofSource, bytes * read / reader.spec().bytes(), Known.ABOUT)
                : new Stored(read, ofSource, bytes, Known.NOT);
    }

    private static Optional<StoredSize> source(ArrayReader reader, boolean isRemote) throws IOException {
        long bytes = reader.spec().bytes();
        if (isRemote && bytes < LARGE && reader.traits().granularity() != Granularity.BYTES) {
            return Optional.empty();
        }
        try {
            return reader.storedSize(isRemote ? MOST_REMOTE : Math.max(FEWEST, Math.min(MOST, bytes / BYTES_PER_LOOK)));
        } catch (StoreException e) {
            return Optional.empty(); // the copy says what is wrong, if it needs the same
        }
    }

    /** {@return the size of a target without codecs} */
    private static double plain(ArraySpec target, WriteTraits write) {
        ChunkGrid units = target.writeUnits();
        double elements = write.paddedEdges()
                ? (double) units.count() * units.chunkShape().elements()
                : target.shape().elements();
        double indexes = target.shards().isPresent() ? (double) target.chunks().count() * INDEX_ENTRY : 0;
        return elements * target.dataType().itemSize() + indexes;
    }
}
