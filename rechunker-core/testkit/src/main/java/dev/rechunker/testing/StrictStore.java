package dev.rechunker.testing;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import dev.rechunker.store.WriteTraits.PartTraits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A decorator of a store that fails if it is used in a way that the interface does not allow, or that a correct engine
 * never needs: two writes of one unit, partial units, buffers of a wrong size, padding that is not the fill value,
 * regions outside the grid, reads of chunks that were never written, use after closing.
 *
 * <p>A violation is thrown where it happens, as an {@link AssertionError}, or as an {@link IllegalStateException} for
 * use after closing. {@link #assertClosed()} throws it again, so that none is lost if the first exception is caught.
 * The decorated store receives exactly the scratch that it declared.
 */
public final class StrictStore extends ForwardingStore {
    private final Set<Handle> open = ConcurrentHashMap.newKeySet();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private volatile boolean missingAllowed;
    private volatile boolean repeatsAllowed;

    /** Creates a decorator of a store. */
    public StrictStore(ChunkStore delegate) {
        super(delegate);
    }

    /** Allows reading chunks that were never written. */
    public StrictStore allowMissing() {
        missingAllowed = true;
        return this;
    }

    /** Allows writing a unit again, but not twice at the same time. */
    public StrictStore allowRepeats() {
        repeatsAllowed = true;
        return this;
    }

    /** {@return the violations so far} */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /**
     * Checks that there were no violations and that everything is closed; to be called at the end of a test.
     *
     * @throws AssertionError if there was a violation, or a reader, writer or encoded unit is still open
     */
    public void assertClosed() {
        if (!violations.isEmpty()) {
            throw new AssertionError("misused: " + String.join("; ", violations));
        }
        if (!open.isEmpty()) {
            throw new AssertionError(
                    "still open: " + open.stream().map(Handle::what).sorted().toList());
        }
    }

    private AssertionError violation(String what) {
        violations.add(what);
        return new AssertionError(what);
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return new StrictReader(super.openReader(path), new Handle("reader of " + at(path)));
    }

    @Override
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        return new StrictWriter(super.openWriter(path, opening), new Handle("writer of " + at(path)));
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        if (!spec.equals(resolve(spec))) {
            throw violation("the spec of " + at(path) + " is not resolved: " + spec);
        }
        return super.create(path, spec, overwrite);
    }

    /** A reader, writer or encoded unit that must be closed. */
    private final class Handle {
        private final String what;

        Handle(String what) {
            this.what = what;
            open.add(this);
        }

        String what() {
            return what;
        }

        void requireOpen() {
            if (!open.contains(this)) {
                throw new IllegalStateException(violation(what + " is used after it was closed"));
            }
        }

        void close(Closeable delegate) throws IOException {
            open.remove(this);
            delegate.close();
        }

        void require(boolean condition, String complaint) {
            if (!condition) {
                throw violation(what + ": " + complaint);
            }
        }

        /** {@return the region of the cell of a grid in which a region starts} */
        Region partOf(ChunkGrid grid, Region region) {
            require(region.rank() == grid.rank(), region + " has another rank than " + grid);
            require(region.elements() > 0, region + " is empty");
            require(Region.whole(grid.shape()).contains(region), region + " leaves " + grid);
            return grid.region(grid.chunksTouching(region).origin());
        }

        /** {@return a scratch of the declared size, which is released together with the outer one} */
        Scratch limited(Scratch scratch, long declared) {
            require(scratch.available() >= declared, scratch.available() + " bytes of scratch, declared: " + declared);
            return new Scratch(scratch.take(declared));
        }

        void requireSize(ByteBuffer buffer, Region region, boolean padded, ChunkGrid grid, int itemSize) {
            long bytes = (padded ? grid.nominalShape(region) : region.shape()).elements() * itemSize;
            require(
                    buffer.remaining() == bytes,
                    "the buffer has " + buffer.remaining() + " bytes, but " + region + " takes " + bytes);
        }
    }

    private final class StrictReader extends Reader {
        private final Handle handle;

        StrictReader(ArrayReader delegate, Handle handle) {
            super(delegate);
            this.handle = handle;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            handle.requireOpen();
            Region chunk = handle.partOf(spec().chunks(), region);
            switch (traits().granularity()) {
                case CHUNK, STREAM ->
                    handle.require(chunk.equals(region), region + " is not one chunk, as " + chunk + " is");
                case BYTES -> handle.require(chunk.contains(region), region + " is not part of one chunk");
            }
            handle.require(!target.isReadOnly(), "the buffer is read-only");
            handle.requireSize(
                    target,
                    region,
                    traits().paddedEdges(),
                    spec().chunks(),
                    spec().dataType().itemSize());
            int mark = scratch.mark();
            try {
                boolean found = super.read(region, target, handle.limited(scratch, traits().scratchBytes()));
                handle.require(found || missingAllowed, region + " was never written");
                return found;
            } finally {
                scratch.release(mark);
            }
        }

        @Override
        public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
            handle.requireOpen();
            handle.require(traits().granularity() == ReadTraits.Granularity.STREAM, "chunks are not streamed");
            Region chunk = handle.partOf(spec().chunks(), region);
            handle.require(
                    traits().blockBytes() > 0 ? region.isContiguousIn(chunk) : chunk.equals(region),
                    region + " is neither a chunk nor a part that can be streamed");
            int itemSize = spec().dataType().itemSize();
            long[] left = {Data.streamed(spec().chunks(), chunk, region, traits().paddedEdges()) * itemSize};
            int mark = scratch.mark();
            try {
                RunSink counting = run -> {
                    handle.require(run.remaining() % itemSize == 0, "a run of " + run.remaining() + " bytes");
                    left[0] -= run.remaining();
                    handle.require(left[0] >= 0, "the stream has more than a chunk");
                    sink.accept(run);
                };
                boolean found = super.stream(region, counting, handle.limited(scratch, traits().scratchBytes()));
                handle.require(left[0] == 0 || !found, "the stream has less than a chunk");
                handle.require(found || missingAllowed, region + " was never written");
                return found;
            } finally {
                scratch.release(mark);
            }
        }

        @Override
        public Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
            handle.requireOpen();
            handle.require(handle.partOf(spec().writeUnits(), unit).equals(unit), unit + " is not a write unit");
            Optional<EncodedUnit> encoded = super.openEncoded(unit);
            handle.require(encoded.isPresent() || missingAllowed, unit + " was never written");
            return encoded.map(e -> new StrictUnit(e, new Handle("encoded " + unit + " from the " + handle.what)));
        }

        @Override
        public Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException {
            handle.requireOpen();
            handle.require(handle.partOf(spec().chunks(), chunk).equals(chunk), chunk + " is not a chunk");
            Optional<EncodedUnit> encoded = super.openChunk(chunk, handle.limited(scratch, chunkScratchBytes()));
            handle.require(encoded.isPresent() || missingAllowed, chunk + " was never written");
            return encoded.map(e -> new StrictUnit(e, new Handle("encoded " + chunk + " from the " + handle.what)));
        }

        @Override
        public void close() throws IOException {
            handle.close(delegate());
        }
    }

    private record StrictUnit(EncodedUnit delegate, Handle handle) implements EncodedUnit {
        @Override
        public long size() {
            return delegate.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            handle.requireOpen();
            delegate.read(offset, target);
        }

        @Override
        public void close() throws IOException {
            handle.close(delegate);
        }
    }

    /** An operation on a part of a unit. */
    @FunctionalInterface
    private interface PartAction {
        void run(Scratch scratch) throws IOException;
    }

    private final class StrictWriter extends Writer {
        private final Handle handle;
        private final Set<Long> writing = ConcurrentHashMap.newKeySet();
        private final Set<Long> written = ConcurrentHashMap.newKeySet();
        private final Set<Region> writtenParts = ConcurrentHashMap.newKeySet();
        private volatile boolean committed;

        StrictWriter(ArrayWriter delegate, Handle handle) {
            super(delegate);
            this.handle = handle;
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            long ordinal = enter(unit);
            int mark = scratch.mark();
            try {
                ChunkGrid units = spec().writeUnits();
                boolean padded = traits().paddedEdges();
                handle.requireSize(data, unit, padded, units, spec().dataType().itemSize());
                if (padded) {
                    requireFill(unit, data);
                }
                ByteBuffer copy = ByteBuffer.allocate(data.remaining())
                        .put(data.duplicate())
                        .flip();
                ByteBuffer same = data.duplicate();
                super.write(unit, data, handle.limited(scratch, traits().scratchBytes()));
                handle.require(same.equals(copy), "writing " + unit + " changed the buffer");
                written.add(ordinal);
            } finally {
                scratch.release(mark);
                writing.remove(ordinal);
            }
        }

        @Override
        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
            int itemSize = spec().dataType().itemSize();
            handle.requireSize(data, part, false, partTraits().grid(), itemSize);
            ByteBuffer copy =
                    ByteBuffer.allocate(data.remaining()).put(data.duplicate()).flip();
            ByteBuffer same = data.duplicate();
            part(part, scratch, limited -> super.writePart(part, data, limited));
            handle.require(same.equals(copy), "writing " + part + " changed the buffer");
        }

        @Override
        public void omitPart(Region part, Scratch scratch) throws IOException {
            part(part, scratch, limited -> super.omitPart(part, limited));
        }

        private void part(Region part, Scratch scratch, PartAction action) throws IOException {
            handle.requireOpen();
            handle.require(!committed, part + " is written after the commit");
            handle.require(handle.partOf(partTraits().grid(), part).equals(part), part + " is not a part");
            handle.require(writtenParts.add(part) || repeatsAllowed, part + " is written a second time");
            int mark = scratch.mark();
            try {
                action.run(handle.limited(scratch, partTraits().scratchBytes()));
            } finally {
                scratch.release(mark);
            }
        }

        private PartTraits partTraits() {
            return traits().parts().orElseThrow(() -> violation(handle.what + ": units have no parts"));
        }

        @Override
        public void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
            long ordinal = enter(unit);
            int mark = scratch.mark();
            try {
                super.writeEncoded(
                        unit, encoded, handle.limited(scratch, encodedTraits().scratchBytes()));
                written.add(ordinal);
            } finally {
                scratch.release(mark);
                writing.remove(ordinal);
            }
        }

        @Override
        public void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
            long ordinal = enter(unit);
            int mark = scratch.mark();
            try {
                EncodedTraits traits = traits().encodedChunks()
                        .orElseThrow(() -> violation(handle.what + ": encoded chunks are not accepted"));
                ChunkGrid grid = spec().chunks();
                Scratch limited = handle.limited(scratch, traits.scratchBytes());
                int opened = scratch.mark();
                super.writeChunks(
                        unit,
                        (chunk, working) -> {
                            handle.require(unit.contains(chunk), chunk + " is not in " + unit);
                            handle.require(handle.partOf(grid, chunk).equals(chunk), chunk + " is not a chunk");
                            scratch.release(opened);
                            return chunks.open(chunk, scratch);
                        },
                        limited);
                written.add(ordinal);
            } finally {
                scratch.release(mark);
                writing.remove(ordinal);
            }
        }

        private EncodedTraits encodedTraits() {
            return traits().encoded().orElseThrow(() -> violation(handle.what + ": encoded units are not accepted"));
        }

        private long enter(Region unit) {
            handle.requireOpen();
            handle.require(!committed, unit + " is written after the commit");
            ChunkGrid units = spec().writeUnits();
            handle.require(handle.partOf(units, unit).equals(unit), unit + " is not a write unit");
            long ordinal = units.ordinal(units.chunksTouching(unit).origin());
            handle.require(repeatsAllowed || !written.contains(ordinal), unit + " is written a second time");
            handle.require(writing.add(ordinal), unit + " is written by two threads at the same time");
            if (!capabilities().concurrentWriters() && writing.size() > 1) {
                writing.remove(ordinal);
                throw violation(
                        handle.what + ": two units are written at the same time, but the store does not allow that");
            }
            return ordinal;
        }

        /** Checks that elements outside of the array have the fill value. */
        private void requireFill(Region unit, ByteBuffer data) {
            Region layout = Region.whole(spec().writeUnits().nominalShape(unit));
            byte[] fill = spec().fillValue().element(spec().dataType().itemSize());
            byte[] element = new byte[fill.length];
            long[] index = new long[unit.rank()];
            for (int at = data.position(); at < data.limit(); at += fill.length) {
                boolean outside = false;
                for (int axis = 0; axis < index.length; axis++) {
                    outside |= index[axis] >= unit.extent(axis);
                }
                data.get(at, element);
                handle.require(
                        !outside || Arrays.equals(element, fill), "the padding of " + unit + " is not the fill value");
                Data.advance(index, layout);
            }
        }

        @Override
        public void commit() throws IOException {
            handle.requireOpen();
            handle.require(!committed, "committed twice");
            handle.require(writing.isEmpty(), "committed while units are being written");
            super.commit();
            committed = true;
        }

        @Override
        public void close() throws IOException {
            handle.require(writing.isEmpty(), "closed while units are being written");
            handle.close(delegate());
        }
    }
}
