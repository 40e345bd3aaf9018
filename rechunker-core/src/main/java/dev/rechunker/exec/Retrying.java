package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Readers and writers that retry operations; see {@link Attempts}. */
public final class Retrying {
    private Retrying() {}

    /** {@return a reader that retries the operations of another one} */
    public static ArrayReader reader(ArrayReader reader, Attempts attempts) {
        return new Reader(reader, attempts);
    }

    /** {@return a writer that retries the operations of another one} */
    public static ArrayWriter writer(ArrayWriter writer, Attempts attempts) {
        return new Writer(writer, attempts);
    }

    private static final class Reader extends ForwardingStore.Reader {
        private final Attempts attempts;

        Reader(ArrayReader delegate, Attempts attempts) {
            super(delegate);
            this.attempts = attempts;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            int position = target.position();
            int limit = target.limit();
            int mark = scratch.mark();
            return attempts.<Boolean>get(() -> {
                target.limit(limit).position(position);
                scratch.release(mark);
                return super.read(region, target, scratch);
            });
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            int mark = scratch.mark();
            Resumed resumed = new Resumed(sink);
            return attempts.<Boolean>get(() -> {
                scratch.release(mark);
                resumed.startAgain();
                return super.stream(region, resumed, scratch);
            });
        }

        @Override
        public Optional<EncodedSource> encoded() throws IOException {
            return attempts.<Optional<EncodedSource>>get(super::encoded);
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            return attempts.<Optional<EncodedUnit>>get(() -> super.openEncoded(unit));
        }

        /** Does not repeat {@link #openChunk}: the unit that the chunk becomes a part of is written again. */
        @Override
        public Optional<EncodedChunks> encodedChunks() throws IOException {
            return attempts.<Optional<EncodedChunks>>get(super::encodedChunks);
        }
    }

    /** Passes only those bytes on that it has not passed on before the stream started again. */
    private static final class Resumed implements RunSink {
        private final RunSink sink;
        private long passedOn;
        private long seen;

        Resumed(RunSink sink) {
            this.sink = sink;
        }

        void startAgain() {
            seen = 0;
        }

        @Override
        public void accept(ByteBuffer run) throws IOException {
            int bytes = run.remaining();
            long known = Math.min(bytes, Math.max(0, passedOn - seen));
            seen += bytes;
            if (known < bytes) {
                passedOn = seen;
                ByteBuffer rest = run.duplicate().order(run.order());
                sink.accept(rest.position(run.position() + (int) known));
            }
        }
    }

    private static final class Writer extends ForwardingStore.Writer {
        private final Attempts attempts;

        Writer(ArrayWriter delegate, Attempts attempts) {
            super(delegate);
            this.attempts = attempts;
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            int position = data.position();
            int limit = data.limit();
            int mark = scratch.mark();
            attempts.run(() -> {
                data.limit(limit).position(position);
                scratch.release(mark);
                super.write(unit, data, scratch);
            });
        }

        @Override
        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            int position = data.position();
            int limit = data.limit();
            int mark = scratch.mark();
            attempts.run(() -> {
                data.limit(limit).position(position);
                scratch.release(mark);
                super.writePart(part, data, scratch);
            });
        }

        @Override
        public void omitPart(Region part, Scratch scratch) throws IOException {
            int mark = scratch.mark();
            attempts.run(() -> {
                scratch.release(mark);
                super.omitPart(part, scratch);
            });
        }

        @Override
        public void forceParts() throws IOException {
            attempts.run(super::forceParts);
        }

        @Override
        public void erase(Region unit) throws IOException {
            attempts.run(() -> super.erase(unit));
        }

        @Override
        public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            int mark = scratch.mark();
            attempts.run(() -> {
                scratch.release(mark);
                super.writeEncoded(unit, encoded, scratch);
            });
        }

        @Override
        public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
            int mark = scratch.mark();
            attempts.run(() -> {
                scratch.release(mark);
                super.writeChunks(unit, chunks, scratch);
            });
        }
    }
}
