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
 * Sees to it that chunks of a source are missing because they were never written, and not because the source was
 * removed while it was copied: after some were missing, the source must still be there.
 */
final class SourceCheck {
    private final StoreLocation source;
    private final ArraySpec spec;
    private final Attempts attempts;
    private final AtomicLong missing = new AtomicLong();
    private volatile long explained;

    /** Creates it. {@code spec} is what the source was when the copy was planned. */
    SourceCheck(StoreLocation source, ArraySpec spec, Attempts attempts) {
        this.source = source;
        this.spec = spec;
        this.attempts = attempts;
    }

    /** {@return the same reader, whose missing chunks are noticed} */
    ArrayReader watch(ArrayReader reader) {
        return new Watched(reader);
    }

    /** Refuses to go on if chunks were missing since it was asked last, and the source is not there any more. */
    void explainMissing() throws IOException {
        long now = missing.get();
        if (now != explained) {
            require();
            explained = now;
        }
    }

    /**
     * Refuses to go on if the source is not there any more.
     *
     * @throws StoreException if it was removed, or is another one
     */
    void require() throws IOException {
        ChunkStore.Node node =
                attempts.get(() -> source.store().node(source.path())).orElse(null);
        if (!(node instanceof ChunkStore.ArrayNode now && now.spec().equals(spec))) {
            throw new StoreException(source + " was " + (node == null ? "removed" : "changed")
                    + " while it was being copied; what was copied is not to be trusted, so begin anew");
        }
    }

    private final class Watched extends ForwardingStore.Reader {
        Watched(ArrayReader delegate) {
            super(delegate);
        }

        private boolean noticed(boolean present) {
            if (!present) {
                missing.incrementAndGet();
            }
            return present;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            return noticed(super.read(region, target, scratch));
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            return noticed(super.stream(region, sink, scratch));
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            Optional<EncodedUnit> encoded = super.openEncoded(unit);
            noticed(encoded.isPresent());
            return encoded;
        }
    }
}
