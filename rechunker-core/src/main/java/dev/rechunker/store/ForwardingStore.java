package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that hands every call to another one: the base of decorators, which override what they change.
 *
 * <p>Readers and writers are those of the other store. A decorator that has to see reads or writes overrides
 * {@link #openReader}, {@link #create}, {@link #resume} or {@link #join} and wraps what they return in a {@link Reader}
 * or {@link Writer} of its own. It has no descriptor unless it says so: opening the other store would not bring it
 * back.
 */
public abstract class ForwardingStore implements ChunkStore {
    private final ChunkStore delegate;

    /** Creates a store in front of {@code delegate}, which {@link #close()} closes. */
    protected ForwardingStore(ChunkStore delegate) {
        this.delegate = delegate;
    }

    /** {@return the store that calls are handed to} */
    protected final ChunkStore delegate() {
        return delegate;
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public Capabilities capabilities() {
        return delegate.capabilities();
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        return delegate.node(path);
    }

    @Override
    public List<String> children(String path) throws IOException {
        return delegate.children(path);
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return delegate.openReader(path);
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        return delegate.omissions(path);
    }

    @Override
    public StoreLocation arrange(StoreLocation source) throws IOException {
        return delegate.arrange(source);
    }

    @Override
    public void requireName(String path) throws StoreException {
        delegate.requireName(path);
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return delegate.adopt(foreign);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        return delegate.resolve(wanted);
    }

    @Override
    public Map<String, @Nullable Object> resolveGroup(String path, Map<String, ? extends @Nullable Object> attributes)
            throws IOException {
        return delegate.resolveGroup(path, attributes);
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        return delegate.writeTraits(resolved);
    }

    @Override
    public Optional<String> encodingIdentity(ArraySpec resolved) throws StoreException {
        return delegate.encodingIdentity(resolved);
    }

    @Override
    public Optional<Path> localDirectory() {
        return delegate.localDirectory();
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        delegate.requireFree(path, resolved, overwrite);
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        return delegate.create(path, spec, overwrite);
    }

    @Override
    public ArrayWriter update(String path, ArraySpec spec) throws IOException {
        return delegate.update(path, spec);
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return delegate.readTraits(resolved);
    }

    @Override
    public Optional<Path> workDirectory(String path) throws IOException {
        return delegate.workDirectory(path);
    }

    @Override
    public Closeable hold(String path) throws IOException {
        return delegate.hold(path);
    }

    @Override
    public Optional<SpillStore> spillStore(String path) throws IOException {
        return delegate.spillStore(path);
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        return delegate.resume(path, spec);
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        return delegate.join(path, spec);
    }

    @Override
    public void makeDurable() {
        delegate.makeDurable();
    }

    @Override
    public void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes) throws IOException {
        delegate.writeGroup(path, attributes);
    }

    @Override
    public void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes, boolean overwrite)
            throws IOException {
        delegate.writeGroup(path, attributes, overwrite);
    }

    @Override
    public void recall(String path) throws IOException {
        delegate.recall(path);
    }

    @Override
    public void finish(boolean consolidate) throws IOException {
        delegate.finish(consolidate);
    }

    @Override
    public String identity() {
        return delegate.identity();
    }

    @Override
    public List<String> places(String path) throws IOException {
        return delegate.places(path);
    }

    @Override
    public void close() throws IOException {
        delegate.close();
    }

    /** A reader that hands every call to another one. */
    public abstract static class Reader implements ArrayReader {
        private final ArrayReader delegate;

        /** Creates a reader in front of {@code delegate}, which {@link #close()} closes. */
        protected Reader(ArrayReader delegate) {
            this.delegate = delegate;
        }

        /** {@return the reader that calls are handed to} */
        protected final ArrayReader delegate() {
            return delegate;
        }

        @Override
        public ArraySpec spec() {
            return delegate.spec();
        }

        @Override
        public ReadTraits traits() {
            return delegate.traits();
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            return delegate.read(region, target, scratch);
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            return delegate.stream(region, sink, scratch);
        }

        @Override
        public Optional<String> encodingIdentity() {
            return delegate.encodingIdentity();
        }

        @Override
        public long storedBytesRead() {
            return delegate.storedBytesRead();
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            return delegate.openEncoded(unit);
        }

        @Override
        public void close() throws IOException {
            delegate.close();
        }
    }

    /** A writer that hands every call to another one. */
    public abstract static class Writer implements ArrayWriter {
        private final ArrayWriter delegate;

        /** Creates a writer in front of {@code delegate}, which {@link #close()} closes. */
        protected Writer(ArrayWriter delegate) {
            this.delegate = delegate;
        }

        /** {@return the writer that calls are handed to} */
        protected final ArrayWriter delegate() {
            return delegate;
        }

        @Override
        public ArraySpec spec() {
            return delegate.spec();
        }

        @Override
        public WriteTraits traits() {
            return delegate.traits();
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            delegate.write(unit, data, scratch);
        }

        @Override
        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            delegate.writePart(part, data, scratch);
        }

        @Override
        public void omitPart(Region part, Scratch scratch) throws IOException {
            delegate.omitPart(part, scratch);
        }

        @Override
        public void forceParts() throws IOException {
            delegate.forceParts();
        }

        @Override
        public void erase(Region unit) throws IOException {
            delegate.erase(unit);
        }

        @Override
        public long storedBytesWritten() {
            return delegate.storedBytesWritten();
        }

        @Override
        public void commit() throws IOException {
            delegate.commit();
        }

        @Override
        public Optional<String> encodingIdentity() {
            return delegate.encodingIdentity();
        }

        @Override
        public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            delegate.writeEncoded(unit, encoded, scratch);
        }

        @Override
        public void close() throws IOException {
            delegate.close();
        }
    }
}
