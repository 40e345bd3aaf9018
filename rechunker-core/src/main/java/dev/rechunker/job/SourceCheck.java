package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.exec.Attempts;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A check that missing chunks of a source were never written, and that the source was not removed while it was copied:
 * after chunks were missing, the source must still exist.
 */
final class SourceCheck {
    private final StoreLocation source;
    private final ArraySpec spec;
    private final Attempts attempts;
    private final AtomicLong missing = new AtomicLong();
    private volatile long checked;

    /**
     * Creates the check of a source.
     *
     * @param spec the source when the copy was planned
     */
    SourceCheck(StoreLocation source, ArraySpec spec, Attempts attempts) {
        this.source = source;
        this.spec = spec;
        this.attempts = attempts;
    }

    /** {@return a reader that counts missing chunks} */
    ArrayReader watch(ArrayReader reader) {
        return new Watched(reader);
    }

    /** Checks that the source still exists unchanged, if chunks were missing since the last check. */
    void checkIfMissing() throws IOException {
        long now = missing.get();
        if (now != checked) {
            requireUnchanged();
            checked = now;
        }
    }

    /**
     * Checks that the source still exists unchanged.
     *
     * @throws StoreException if it was removed or changed
     */
    void requireUnchanged() throws IOException {
        ChunkStore.Node node =
                attempts.get(() -> source.store().node(source.path())).orElse(null);
        if (!(node instanceof ChunkStore.ArrayNode now && now.spec().equals(spec))) {
            throw new StoreException(source + " was " + (node == null ? "removed" : "changed")
                    + " while it was being copied, so the copy may be incomplete or wrong; copy it again");
        }
    }

    private final class Watched extends ForwardingStore.Reader {
        Watched(ArrayReader delegate) {
            super(delegate);
        }

        private boolean counted(boolean present) {
            if (!present) {
                missing.incrementAndGet();
            }
            return present;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            return counted(super.read(region, target, scratch));
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            return counted(super.stream(region, sink, scratch));
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            Optional<EncodedUnit> encoded = super.openEncoded(unit);
            if (encoded.isEmpty()) {
                missing.incrementAndGet();
            }
            return encoded;
        }

        @Override
        public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
            Optional<EncodedUnit> encoded = super.openChunk(chunk, scratch);
            if (encoded.isEmpty()) {
                missing.incrementAndGet();
            }
            return encoded;
        }
    }
}
