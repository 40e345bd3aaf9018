package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A store that forwards every call to another one: the base of decorators, which override what they change.
 *
 * <p>Every writer that the store returns, whichever way it was opened, comes from {@link #openWriter}; every reader
 * comes from {@link #openReader(String)} or, of elements of variable length, {@link #openReader(String, int, long)}. A
 * decorator that has to see reads or writes overrides these two and wraps the results in a {@link Reader} or
 * {@link Writer} of its own.
 *
 * <p>The store has exactly the optional interfaces of the other store. Their calls come through the methods of this
 * class: a decorator overrides those, and never wraps an interface. To hide an optional interface it overrides the
 * method that returns it. The same holds for its readers and writers; a writer that changes its traits has the
 * abilities that these declare.
 *
 * <p>The store has no descriptor unless a decorator returns one: opening the other store's descriptor would not restore
 * the decorator.
 */
public abstract class ForwardingStore
        implements ChunkStore, FormatRules, Updatable, Resumable, Joinable, Durable, ChunkStore.VariableLength {
    private static final String PARTS = "assemble units from parts";
    private static final String LENGTHS = "read elements of variable length";
    private static final String ENCODED = "read encoded units";

    private final ChunkStore delegate;

    /** Opens a writer of the other store. */
    @FunctionalInterface
    public interface Opening {
        /** {@return the writer} */
        ArrayWriter open() throws IOException;
    }

    /** Creates a store in front of {@code delegate}, which {@link #close()} closes. */
    protected ForwardingStore(ChunkStore delegate) {
        this.delegate = delegate;
    }

    /** {@return the store that calls are forwarded to} */
    protected final ChunkStore delegate() {
        return delegate;
    }

    /**
     * {@return a writer that was created, updated, resumed or joined}
     *
     * @param path of the array
     * @param opening opens the writer of the other store
     */
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        return opening.open();
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public String identity() {
        return delegate.identity();
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
    public List<String> layoutOmissions(String path) throws IOException {
        return delegate.layoutOmissions(path);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        return delegate.resolve(wanted);
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        return delegate.writeTraits(resolved);
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return delegate.readTraits(resolved);
    }

    @Override
    public boolean isVacant(String path) throws IOException {
        return delegate.isVacant(path);
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        delegate.requireFree(path, resolved, overwrite);
    }

    @Override
    public void announce(Map<String, GroupSpec> groups, Map<String, ArraySpec> arrays) throws IOException {
        delegate.announce(groups, arrays);
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        return openWriter(path, () -> delegate.create(path, spec, overwrite));
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        delegate.writeGroup(path, group, overwrite);
    }

    @Override
    public void noteCommitted(String path) throws IOException {
        delegate.noteCommitted(path);
    }

    @Override
    public Optional<ChunkStore> openFinished() throws IOException {
        return delegate.openFinished();
    }

    @Override
    public void finish(boolean consolidate) throws IOException {
        delegate.finish(consolidate);
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return delegate.places(path);
    }

    @Override
    public Optional<Path> localDirectory() {
        return delegate.localDirectory();
    }

    /** {@return this, which forwards to the rules of the other store} */
    @Override
    public FormatRules rules() {
        return this;
    }

    @Override
    public StoreLocation arrange(StoreLocation source) throws IOException {
        return delegate.rules().arrange(source);
    }

    @Override
    public boolean takesCoordinates() {
        return delegate.rules().takesCoordinates();
    }

    @Override
    public void requireName(String path) throws StoreException {
        delegate.rules().requireName(path);
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return delegate.rules().adopt(foreign);
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        return delegate.rules().resolveGroup(path, group, arrays);
    }

    @Override
    public Optional<Image> image(StoreLocation node) throws IOException {
        return delegate.rules().image(node);
    }

    @Override
    public String levelName(int level) {
        return delegate.rules().levelName(level);
    }

    @Override
    public List<String> changesInGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        return delegate.rules().changesInGroup(path, group, arrays);
    }

    /** {@return this, if the other store has the ability} */
    @Override
    public Optional<Updatable> updatable() {
        return delegate.updatable().map(theirs -> this);
    }

    @Override
    public ArrayWriter update(String path, ArraySpec spec) throws IOException {
        Updatable theirs = present(delegate.updatable(), "change arrays that exist");
        return openWriter(path, () -> theirs.update(path, spec));
    }

    @Override
    public Closeable hold(String path) throws IOException {
        return present(delegate.updatable(), "change arrays that exist").hold(path);
    }

    /** {@return this, if the other store has the ability} */
    @Override
    public Optional<Resumable> resumable() {
        return delegate.resumable().map(theirs -> this);
    }

    @Override
    public Path workDirectory(String path) throws IOException {
        return present(delegate.resumable(), "resume an array that was begun").workDirectory(path);
    }

    @Override
    public Optional<RunValues> runValues(String path) throws IOException {
        return present(delegate.resumable(), "resume an array that was begun").runValues(path);
    }

    @Override
    public long creation(String path) throws IOException {
        return present(delegate.resumable(), "resume an array that was begun").creation(path);
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        Resumable theirs = present(delegate.resumable(), "resume an array that was begun");
        return openWriter(path, () -> theirs.resume(path, spec));
    }

    /** {@return this, if the other store has the ability} */
    @Override
    public Optional<Joinable> joinable() {
        return delegate.joinable().map(theirs -> this);
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        Joinable theirs = present(delegate.joinable(), "be written by several processes");
        return openWriter(path, () -> theirs.join(path, spec));
    }

    @Override
    public Optional<SpillStore> spillStore(String path) throws IOException {
        return present(delegate.joinable(), "be written by several processes").spillStore(path);
    }

    /** {@return this, if the other store has the ability} */
    @Override
    public Optional<Durable> durable() {
        return delegate.durable().map(theirs -> this);
    }

    @Override
    public void makeDurable() {
        present(delegate.durable(), "promise that writes survive a loss of power")
                .makeDurable();
    }

    /** {@return this, if the other store has the ability} */
    @Override
    public Optional<VariableLength> variableLength() {
        return delegate.variableLength().map(theirs -> this);
    }

    @Override
    public ArrayReader openLengths(String path, long most) throws IOException {
        return present(delegate.variableLength(), LENGTHS).openLengths(path, most);
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
        return present(delegate.variableLength(), LENGTHS).openReader(path, longest, most);
    }

    private static <T> T present(Optional<T> ability, String what) {
        return ability.orElseThrow(() -> new UnsupportedOperationException("this store cannot " + what));
    }

    @Override
    public void close() throws IOException {
        delegate.close();
    }

    /** A reader that forwards every call to another one. */
    public abstract static class Reader implements ArrayReader, ArrayReader.EncodedSource, ArrayReader.EncodedChunks {
        private final ArrayReader delegate;

        /** Creates a reader in front of {@code delegate}, which {@link #close()} closes. */
        protected Reader(ArrayReader delegate) {
            this.delegate = delegate;
        }

        /** {@return the reader that calls are forwarded to} */
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

        /** {@return this, if the other reader has the ability} */
        @Override
        public Optional<EncodedSource> encoded() throws IOException {
            return delegate.encoded().map(theirs -> this);
        }

        @Override
        public String encodingIdentity() throws IOException {
            return present(delegate.encoded(), ENCODED).encodingIdentity();
        }

        @Override
        public long storedBytesRead() {
            return delegate.storedBytesRead();
        }

        @Override
        public Optional<StoredSize> storedSize(long most) throws IOException {
            return delegate.storedSize(most);
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            return present(delegate.encoded(), ENCODED).openEncoded(unit);
        }

        /**
         * {@return this, if the other reader has the ability} A reader that changes elements, or which chunks there
         * are, overrides this and {@link #encoded()}.
         */
        @Override
        public Optional<EncodedChunks> encodedChunks() throws IOException {
            return delegate.encodedChunks().map(theirs -> this);
        }

        @Override
        public String chunkEncoding() throws IOException {
            return chunks().chunkEncoding();
        }

        @Override
        public long chunkScratchBytes() throws IOException {
            return chunks().chunkScratchBytes();
        }

        @Override
        public long chunkNativeBytes() throws IOException {
            return chunks().chunkNativeBytes();
        }

        @Override
        public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
            return chunks().openChunk(chunk, scratch);
        }

        private EncodedChunks chunks() throws IOException {
            return present(delegate.encodedChunks(), "read encoded chunks");
        }

        @Override
        public void close() throws IOException {
            delegate.close();
        }
    }

    /** A writer that forwards every call to another one. */
    public abstract static class Writer
            implements ArrayWriter, ArrayWriter.PartTarget, ArrayWriter.EncodedTarget, ArrayWriter.ChunkTarget {
        private final ArrayWriter delegate;

        /** Creates a writer in front of {@code delegate}, which {@link #close()} closes. */
        protected Writer(ArrayWriter delegate) {
            this.delegate = delegate;
        }

        /** {@return the writer that calls are forwarded to} */
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

        /** {@return this, if the traits declare the ability} */
        @Override
        public Optional<PartTarget> parts() {
            return traits().parts().map(declared -> this);
        }

        @Override
        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            present(delegate.parts(), PARTS).writePart(part, data, scratch);
        }

        @Override
        public void omitPart(Region part, Scratch scratch) throws IOException {
            present(delegate.parts(), PARTS).omitPart(part, scratch);
        }

        @Override
        public void forceParts() throws IOException {
            present(delegate.parts(), PARTS).forceParts();
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

        /** {@return this, if the traits declare the ability} */
        @Override
        public Optional<EncodedTarget> encoded() {
            return traits().encoded().map(declared -> this);
        }

        @Override
        public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            present(delegate.encoded(), "write encoded units").writeEncoded(unit, encoded, scratch);
        }

        /** {@return this, if the traits declare the ability} */
        @Override
        public Optional<ChunkTarget> encodedChunks() {
            return traits().encodedChunks().map(declared -> this);
        }

        @Override
        public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
            present(delegate.encodedChunks(), "write encoded chunks").writeChunks(unit, chunks, scratch);
        }

        @Override
        public void close() throws IOException {
            delegate.close();
        }
    }
}
