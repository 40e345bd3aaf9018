package dev.rechunker.io.zarr;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.SharedSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.zarr.IncompleteUnit.StoredPart;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.WriteTraits.PartTraits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the write units of an array from parts, which any number of threads write in any order. A unit becomes
 * visible when its last part is written. Until then it can be resumed, by this process or another one.
 *
 * <p>Parts are stored one after the other as they are written. When the last one is, they are put in order, so that a
 * unit has the same bytes however it was assembled.
 */
final class UnitAssembly implements Closeable {
    /** What happens to incomplete units when an assembly is closed or its process ends. */
    enum Continuity {
        /** They are discarded. Several processes may assemble the same unit at the same time. */
        NONE,
        /** They are kept, and a later assembly can resume them. */
        BEGIN,
        /** This assembly resumes the units of an earlier one. Its own units are kept as with {@link #BEGIN}. */
        RESUME
    }

    /**
     * The maximum memory of an incomplete unit, in bytes, without the positions of its parts. Most of it is for names.
     */
    private static final long UNIT_BYTES = 2048;

    private final StoredArray array;
    private final UnitForm form;
    private final int itemSize;
    private final byte[] fill;
    private final Shape counts;
    private final Continuity continuity;
    private final ConcurrentMap<Long, IncompleteUnit> units = new ConcurrentHashMap<>();
    /** The complete units, of this process or of an earlier one. */
    private final BitSet complete = new BitSet();

    private @Nullable PartNotes notes;

    /**
     * Creates an assembly.
     *
     * @param continuity the handling of incomplete units
     */
    UnitAssembly(StoredArray array, UnitForm form, Continuity continuity) {
        this.array = array;
        this.form = form;
        this.continuity = continuity;
        this.itemSize = array.layout().spec().dataType().itemSize();
        this.fill = array.layout().spec().fillValue().element(itemSize);
        this.counts = form.unit().combine(form.part(), (unit, part) -> (unit + part - 1) / part);
    }

    /** {@return the form of an array's units; empty if they cannot be assembled from parts} */
    static Optional<UnitForm> form(StoredArray array) {
        boolean counted = array.layout().spec().writeUnits().count() <= Integer.MAX_VALUE;
        return array.store().sharesSinks() && counted ? UnitForm.of(array) : Optional.empty();
    }

    /** {@return the memory for all units, in bytes: one bit for each that may be complete} */
    long heldBytes() {
        return array.layout().spec().writeUnits().count() / Byte.SIZE + Long.BYTES;
    }

    PartTraits traits() {
        Codec.Needs needs = form.needs();
        long part = Math.multiplyExact(form.part().elements(), (long) itemSize);
        return PartTraits.of(form.grid())
                .withScratchBytes(part + Math.max(needs.scratchBytes(), form.headBytes()))
                .withNativeBytes(needs.nativeBytes() + array.store().sourceBytes())
                .withUnitBytes((2 * Long.BYTES + Integer.BYTES) * counts.elements() + UNIT_BYTES);
    }

    /**
     * Writes a part.
     *
     * @param data the elements of the part, dense; null if it is left out
     */
    void put(Region part, @Nullable ByteBuffer data, Scratch scratch) throws IOException {
        ChunkGrid grid = array.layout().spec().writeUnits();
        long ordinal = grid.ordinal(grid.chunksTouching(part).origin());
        try {
            PartNotes notes = notes();
            if (isComplete(ordinal)) {
                return;
            }
            IncompleteUnit unit = units.computeIfAbsent(ordinal, this::begin);
            if (isComplete(ordinal)) { // since the question above
                units.remove(ordinal, unit);
                return;
            }
            put(part, data, ordinal, unit, notes, scratch);
        } catch (IOException e) {
            throw array.explain(array.key(part), e);
        }
    }

    private void put(
            Region part, @Nullable ByteBuffer data, long ordinal, IncompleteUnit unit, PartNotes notes, Scratch scratch)
            throws IOException {
        int mark = scratch.mark();
        try {
            int index = index(part);
            Shape nominal = nominal(index);
            StoredPart stored = StoredPart.OMITTED;
            if (data != null) {
                ByteBuffer elements = data;
                if (!nominal.equals(part.shape())) {
                    elements = scratch.take(nominal.elements() * itemSize);
                    StridedCopy.pad(data.slice(), part.shape().toArray(), elements, nominal.toArray(), fill);
                }
                stored = store(part, unit, index, elements, scratch);
            }
            notes.recordPart(ordinal, index, stored.position(), stored.size());
            boolean last = unit.recordPart(index, stored);
            scratch.release(mark);
            if (last) {
                finish(part, unit, scratch);
                notes.recordComplete(ordinal);
                setComplete(ordinal);
                units.remove(ordinal);
            }
        } catch (IOException e) {
            if (!unit.isCommitted()) { // otherwise the part was written again while the last one completed the unit
                throw e;
            }
        } finally {
            scratch.release(mark);
        }
    }

    private boolean isComplete(long ordinal) {
        synchronized (complete) {
            return complete.get((int) ordinal);
        }
    }

    /** Records that a unit is complete. Parts of it that are written again are ignored, so that no new unit begins. */
    private void setComplete(long ordinal) {
        synchronized (complete) {
            complete.set((int) ordinal);
        }
    }

    private PartNotes openNotes() throws IOException {
        if (continuity == Continuity.NONE) {
            return PartNotes.none();
        }
        Path file = array.store().resumableSinksFile(array.path());
        return continuity == Continuity.RESUME && Files.exists(file)
                ? PartNotes.resume(file, new Replay())
                : PartNotes.create(file);
    }

    /** {@return the incomplete unit of a part, which is started or resumed if necessary} */
    private SharedSink sink(Region part, IncompleteUnit unit) throws IOException {
        synchronized (unit) {
            SharedSink sink = unit.sink;
            if (sink == null) {
                String key = array.key(part);
                long kept = unit.end > form.start() ? unit.end : 0;
                sink = continuity == Continuity.NONE
                        ? array.store().createShared(key)
                        : array.store()
                                .createResumable(key, unit.resumed ? OptionalLong.of(kept) : OptionalLong.empty());
                unit.sink = sink;
            }
            return sink;
        }
    }

    private synchronized PartNotes notes() throws IOException {
        PartNotes open = notes;
        if (open == null) {
            open = openNotes();
            for (Map.Entry<Long, IncompleteUnit> unit : units.entrySet()) {
                if (unit.getValue().missing == 0 && isVisible(unit.getKey(), unit.getValue())) {
                    units.remove(unit.getKey());
                    setComplete(unit.getKey());
                }
            }
            notes = open;
        }
        return open;
    }

    /** {@return whether a unit with all of its parts became visible before that could be recorded} */
    private boolean isVisible(long ordinal, IncompleteUnit unit) throws IOException {
        if (!unit.resumed) {
            return true;
        }
        Region region = array.layout().spec().writeUnits().regionAt(ordinal);
        Optional<ByteSource> stored = array.store().open(array.key(region));
        if (stored.isPresent()) {
            stored.get().close();
        }
        return stored.isPresent();
    }

    /** Reads the notes of an earlier process. */
    private final class Replay implements PartNotes.Earlier {
        @Override
        public void part(long ordinal, int part, long position, int size) {
            IncompleteUnit unit = units.computeIfAbsent(ordinal, UnitAssembly.this::begin);
            unit.resumed |= position != UnitForm.OMITTED;
            unit.end = Math.max(unit.end, position + size);
            unit.recordPart(part, new StoredPart(position, size));
        }

        @Override
        public void complete(long ordinal) {
            units.remove(ordinal);
            setComplete(ordinal);
        }
    }

    private IncompleteUnit begin(long ordinal) {
        Region unit = array.layout().spec().writeUnits().regionAt(ordinal);
        return new IncompleteUnit(
                Math.toIntExact(counts.elements()),
                form.grid().chunksTouching(unit).elements(),
                form.start());
    }

    /** Encodes the part with an index and writes it; {@return its position} */
    private StoredPart store(Region part, IncompleteUnit unit, int index, ByteBuffer elements, Scratch scratch)
            throws IOException {
        SharedSink sink = sink(part, unit);
        if (form.omitsEmptyParts() && StridedCopy.isFilled(elements, elements.position(), elements.remaining(), fill)) {
            return StoredPart.EMPTY;
        }
        ByteBuffer encoded = form.encode(elements, scratch);
        int size = encoded.remaining();
        long position;
        synchronized (unit) {
            // A part that is written again has the same position, so that a unit cannot grow without limit.
            boolean again = unit.positions[index] != UnitForm.OMITTED && size <= unit.sizes[index];
            position = again ? unit.positions[index] : form.fixedPosition(index).orElse(unit.end);
            unit.end = Math.max(unit.end, position + size);
        }
        sink.write(position, encoded);
        return new StoredPart(position, size);
    }

    /** Fills parts that were left out or are outside of the array, and makes the unit visible. */
    private void finish(Region part, IncompleteUnit unit, Scratch scratch) throws IOException {
        if (unit.sink == null && !unit.resumed) {
            return;
        }
        SharedSink sink = sink(part, unit);
        for (int index = 0; index < unit.positions.length && !form.omitsEmptyParts(); index++) {
            if (unit.positions[index] == UnitForm.OMITTED) {
                int mark = scratch.mark();
                unit.recordPart(index, store(part, unit, index, filled(nominal(index), scratch), scratch));
                scratch.release(mark);
            }
        }
        ByteBuffer head = scratch.take(form.headBytes());
        synchronized (unit) {
            if (unit.committed) {
                return;
            }
            long size;
            if (unit.isInOrder(form.start())) {
                size = form.finish(sink, unit.positions, unit.sizes, unit.end, head);
                sink.commit();
            } else {
                size = putInOrder(part, unit, sink, head, scratch);
            }
            unit.committed = true;
            unit.dirty = false;
            array.addStoredBytes(size);
        }
    }

    /** Copies the parts of a unit in order to another file, and makes that visible; {@return its size} */
    private long putInOrder(Region part, IncompleteUnit unit, SharedSink sink, ByteBuffer head, Scratch scratch)
            throws IOException {
        long size;
        try (ByteSource stored = sink.read();
                ByteSink ordered = array.create(array.key(part), scratch)) {
            size = new OrderedParts(form, unit).write(stored, ordered, head, scratch);
            ordered.commit();
        }
        discard(sink);
        return size;
    }

    private ByteBuffer filled(Shape shape, Scratch scratch) {
        ByteBuffer elements = scratch.take(shape.elements() * itemSize);
        long[] strides = StridedCopy.denseStrides(shape.toArray(), itemSize);
        StridedCopy.fill(elements, 0, strides, shape.toArray(), fill);
        return elements;
    }

    /** {@return the ordinal of a part in its unit, in C order} */
    private int index(Region part) {
        long index = 0;
        for (int axis = 0; axis < part.rank(); axis++) {
            long inUnit = part.start(axis) % form.unit().extent(axis);
            index = index * counts.extent(axis) + inUnit / form.part().extent(axis);
        }
        return (int) index;
    }

    /** {@return the encoded shape of a part} */
    private Shape nominal(int part) {
        long rest = part;
        long[] extents = new long[counts.rank()];
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            long start = rest % counts.extent(axis) * form.part().extent(axis);
            extents[axis] = Math.min(form.part().extent(axis), form.unit().extent(axis) - start);
            rest /= counts.extent(axis);
        }
        return Shape.of(extents);
    }

    /**
     * Refuses the end of the assembly while a unit is incomplete.
     *
     * @throws IllegalStateException if a unit is incomplete
     */
    void requireComplete() {
        units.forEach((key, unit) -> {
            throw new IllegalStateException(
                    array.name() + ", chunk " + key + ": " + unit.missing + " of its parts were not written");
        });
    }

    /** Makes the written parts of incomplete units durable. */
    void force() throws IOException {
        for (IncompleteUnit unit : units.values()) {
            synchronized (unit) {
                if (unit.dirty && unit.sink != null) {
                    unit.sink.force();
                    unit.dirty = false;
                }
            }
        }
        notes().force();
    }

    /** Deletes the notes for resuming units, after all units are complete. */
    void deleteNotes() throws IOException {
        if (notes != null) {
            notes.delete();
        } else if (continuity == Continuity.RESUME) {
            Files.deleteIfExists(array.store().resumableSinksFile(array.path()));
        }
    }

    /** Deletes incomplete units, as far as possible, or keeps them to be resumed. */
    @Override
    public void close() {
        for (IncompleteUnit unit : units.values()) {
            if (unit.sink != null && continuity == Continuity.NONE) {
                discard(unit.sink);
            }
        }
        units.clear();
        if (notes != null) {
            discard(notes);
        }
    }

    private static void discard(Closeable sink) {
        try {
            sink.close();
        } catch (IOException e) {
            return;
        }
    }
}
