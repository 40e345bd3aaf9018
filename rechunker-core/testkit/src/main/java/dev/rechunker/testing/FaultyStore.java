package dev.rechunker.testing;

import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A decorator of a store that fails or delays chosen operations.
 *
 * <p>Operations of each kind are counted from 1, over all arrays, in the order in which they start. Counts are never
 * reset.
 */
public final class FaultyStore extends ForwardingStore {
    /** The kinds of operations that can fail. */
    public enum Operation {
        /** {@link ChunkStore#node}. */
        NODE,
        /** {@link ChunkStore#openReader}. */
        OPEN_READER,
        /** {@link ArrayReader#read}. */
        READ,
        /** {@link ArrayReader.EncodedSource#openEncoded}. */
        OPEN_ENCODED,
        /**
         * {@link ChunkStore#create}, {@link dev.rechunker.store.Updatable#update} and
         * {@link dev.rechunker.store.Resumable#resume}.
         */
        CREATE,
        /** {@link ArrayWriter#write}. */
        WRITE,
        /** {@link ArrayWriter.EncodedTarget#writeEncoded}. */
        WRITE_ENCODED,
        /** {@link ArrayWriter#commit}. */
        COMMIT,
        /** {@link ChunkStore#writeGroup}. */
        WRITE_GROUP,
        /** {@link ChunkStore#finish}. */
        FINISH
    }

    /** When an operation fails: before or after it was performed. */
    private enum When {
        BEFORE,
        AFTER
    }

    private record Fault(
            Operation operation, When when, long first, long last, Function<String, ? extends Exception> exception) {
        boolean strikes(Operation kind, When moment, long number) {
            return operation == kind && when == moment && number >= first && number <= last;
        }
    }

    /** An action that is called before an operation, and may delay it or make it fail. */
    @FunctionalInterface
    public interface Hook {
        /** Is called with the number of the operation among those of its kind, from 1. */
        void before(long number) throws IOException;
    }

    private final ConcurrentMap<Operation, AtomicLong> counts = new ConcurrentHashMap<>();
    private final ConcurrentMap<Operation, Hook> hooks = new ConcurrentHashMap<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private volatile Function<String, ? extends Exception> exception = IOException::new;

    /** Creates a store without faults. */
    public FaultyStore(ChunkStore delegate) {
        super(delegate);
    }

    /**
     * Sets the exception that faults added afterwards throw, as a function of the message. By default it is an
     * {@link IOException}.
     */
    public FaultyStore throwing(Function<String, ? extends Exception> made) {
        exception = made;
        return this;
    }

    /** Makes only the n-th operation of a kind fail, before it is performed. */
    public FaultyStore failOnce(Operation operation, long n) {
        return fail(operation, When.BEFORE, n, n);
    }

    /** Makes the n-th operation of a kind and all later ones fail, before they are performed. */
    public FaultyStore failFrom(Operation operation, long n) {
        return fail(operation, When.BEFORE, n, Long.MAX_VALUE);
    }

    /** Makes the n-th operation of a kind fail after it was performed, as if a response was lost. */
    public FaultyStore failAfterOnce(Operation operation, long n) {
        return fail(operation, When.AFTER, n, n);
    }

    private FaultyStore fail(Operation operation, When when, long first, long last) {
        faults.add(new Fault(operation, when, first, last, exception));
        return this;
    }

    /** Delays every operation of a kind. An interrupt ends the delay with an {@link InterruptedIOException}. */
    public FaultyStore slow(Operation operation, Duration delay) {
        return before(operation, number -> {
            try {
                Thread.sleep(delay.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("interrupted while being slow").initCause(e);
            }
        });
    }

    /** Sets the action that is called before every operation of a kind, replacing an earlier one. */
    public FaultyStore before(Operation operation, Hook hook) {
        hooks.put(operation, hook);
        return this;
    }

    /** {@return the number of operations of a kind that were started} */
    public long count(Operation operation) {
        AtomicLong count = counts.get(operation);
        return count == null ? 0 : count.get();
    }

    /** An operation with a result. */
    @FunctionalInterface
    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T run(Operation operation, String what, Action<T> action) throws IOException {
        long number = counts.computeIfAbsent(operation, o -> new AtomicLong()).incrementAndGet();
        Hook hook = hooks.get(operation);
        if (hook != null) {
            hook.before(number);
        }
        strike(operation, When.BEFORE, number, what);
        T result = action.run();
        try {
            strike(operation, When.AFTER, number, what);
        } catch (IOException | RuntimeException e) {
            discard(result);
            throw e;
        }
        return result;
    }

    /** Closes the result of an operation that is reported as failed. */
    private static void discard(@Nullable Object result) throws IOException {
        Object inside = result instanceof Optional<?> optional ? optional.orElse(null) : result;
        if (inside instanceof Closeable open) {
            open.close();
        }
    }

    private void strike(Operation operation, When when, long number, String what) throws IOException {
        for (Fault fault : faults) {
            if (fault.strikes(operation, when, number)) {
                Exception made = fault.exception.apply("told to fail " + operation + " " + number + ": " + what);
                if (made instanceof IOException io) {
                    throw io;
                }
                if (made instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                throw new IOException(made);
            }
        }
    }

    private void act(Operation operation, String what, Effect effect) throws IOException {
        run(operation, what, () -> {
            effect.run();
            return true;
        });
    }

    /** An operation without a result. */
    @FunctionalInterface
    private interface Effect {
        void run() throws IOException;
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        return run(Operation.NODE, path, () -> super.node(path));
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return run(Operation.OPEN_READER, path, () -> new FaultyReader(path, super.openReader(path)));
    }

    @Override
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        return run(Operation.CREATE, path, () -> new FaultyWriter(path, super.openWriter(path, opening)));
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        act(Operation.WRITE_GROUP, path, () -> super.writeGroup(path, group, overwrite));
    }

    @Override
    public void finish(boolean consolidate) throws IOException {
        act(Operation.FINISH, "", () -> super.finish(consolidate));
    }

    private final class FaultyReader extends Reader {
        private final String path;

        FaultyReader(String path, ArrayReader delegate) {
            super(delegate);
            this.path = path;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            return FaultyStore.this.<Boolean>run(
                    Operation.READ, path + " " + region, () -> super.read(region, target, scratch));
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            return FaultyStore.this.<Boolean>run(
                    Operation.READ, path + " " + region, () -> super.stream(region, sink, scratch));
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            return FaultyStore.this.<Optional<EncodedUnit>>run(
                    Operation.OPEN_ENCODED, path + " " + unit, () -> super.openEncoded(unit));
        }

        @Override
        public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
            return FaultyStore.this.<Optional<EncodedUnit>>run(
                    Operation.OPEN_ENCODED, path + " " + chunk, () -> super.openChunk(chunk, scratch));
        }
    }

    private final class FaultyWriter extends Writer {
        private final String path;

        FaultyWriter(String path, ArrayWriter delegate) {
            super(delegate);
            this.path = path;
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            act(Operation.WRITE, path + " " + unit, () -> super.write(unit, data, scratch));
        }

        @Override
        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            act(Operation.WRITE, path + " " + part, () -> super.writePart(part, data, scratch));
        }

        @Override
        public void omitPart(Region part, Scratch scratch) throws IOException {
            act(Operation.WRITE, path + " " + part, () -> super.omitPart(part, scratch));
        }

        @Override
        public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            act(Operation.WRITE_ENCODED, path + " " + unit, () -> super.writeEncoded(unit, encoded, scratch));
        }

        @Override
        public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
            act(Operation.WRITE_ENCODED, path + " " + unit, () -> super.writeChunks(unit, chunks, scratch));
        }

        @Override
        public void commit() throws IOException {
            act(Operation.COMMIT, path, () -> super.commit());
        }
    }
}
