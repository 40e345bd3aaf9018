package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads elements of variable length, which a dataset refers to: first references, then what they refer to. If the type
 * is not measured, only lengths are read, which the references have.
 */
final class VariableReader implements ArrayReader {
    private static final int REFERENCE = VariableType.REFERENCE.type().itemSize();
    /** The most references that are read at once if any part of a chunk can be read. */
    private static final long PART = 1 << 12;

    private final StoredDataset stored;
    private final Hdf5Reader references;
    private final VariableType elements;
    private final ArraySpec spec;
    private final DataType type;
    private final boolean readsParts;
    private final ReadTraits traits;
    private final LongAdder bytesRead = new LongAdder();

    /**
     * Creates a reader.
     *
     * @param stored the dataset of references
     * @param spec the array, whose type may be measured
     */
    VariableReader(StoredDataset stored, VariableType elements, ArraySpec spec) throws IOException {
        this.stored = stored;
        this.references = new Hdf5Reader(stored);
        this.elements = elements;
        this.spec = spec;
        this.type = spec.dataType();
        ReadTraits theirs = references.traits();
        this.readsParts = theirs.granularity() == Granularity.BYTES;
        long most = readsParts ? PART : spec.chunks().chunkShape().elements();
        long heap = type.isMeasured() ? HeapObjects.SCRATCH_BYTES : 0;
        this.traits = ReadTraits.of(readsParts ? Granularity.BYTES : Granularity.CHUNK)
                .withScratchBytes(
                        Math.addExact(Math.multiplyExact(most, (long) REFERENCE), theirs.scratchBytes() + heap))
                .withNativeBytes(theirs.nativeBytes() + stored.file().file().readingBytes())
                .withHeldBytes(theirs.heldBytes());
    }

    /** {@return the value that elements have whose reference is a fill value} */
    static FillValue contents(StoredDataset stored, VariableType elements, FillValue reference) throws IOException {
        if (!reference.isDefined()) {
            return FillValue.UNDEFINED;
        }
        ByteBuffer bytes = ByteBuffer.wrap(reference.element(REFERENCE)).order(ByteOrder.LITTLE_ENDIAN);
        int length = bytes.getInt(0);
        if (length == 0) {
            return FillValue.ofContents(new byte[0]);
        }
        DataType type = elements.type().upTo((length & 0xFFFFFFFFL) * elements.itemSize());
        ArraySpec one = ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), type)
                .build();
        ByteBuffer element = ByteBuffer.allocate(type.itemSize());
        try (VariableReader reader = new VariableReader(stored, elements, one)) {
            Scratch scratch = Scratch.allocate((int) HeapObjects.SCRATCH_BYTES);
            reader.new Elements(element, scratch).add(bytes.getInt(), bytes.getLong(), bytes.getInt());
        }
        return FillValue.ofVariable(element.array());
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        stored.requireBytes(region, target.remaining(), region.elements() * type.itemSize());
        int mark = scratch.mark();
        try {
            return readsParts ? readParts(region, target, scratch) : readChunk(region, target, scratch);
        } finally {
            scratch.release(mark);
        }
    }

    private boolean readParts(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        ChunkGrid parts = ChunkGrid.contiguous(region.shape(), PART);
        ByteBuffer buffer = scratch.take(parts.largestChunk().elements() * REFERENCE);
        Elements to = new Elements(target, scratch);
        for (long i = 0; i < parts.count(); i++) {
            Region part = parts.regionAt(i).moved(region.origin());
            ByteBuffer found = buffer.slice(0, (int) (part.elements() * REFERENCE));
            if (!references.read(part, found.duplicate(), scratch)) {
                return false;
            }
            copy(part, found, to);
        }
        return true;
    }

    /** Reads a chunk whose references can only be read together, and which is not clipped where the array ends. */
    private boolean readChunk(Region chunk, ByteBuffer target, Scratch scratch) throws IOException {
        Shape nominal = spec.chunks().chunkShape();
        ByteBuffer all = scratch.take(nominal.elements() * REFERENCE);
        if (!references.read(chunk, all.duplicate(), scratch)) {
            return false;
        }
        Elements to = new Elements(target, scratch);
        Shape shape = chunk.shape();
        Region box = Region.of(chunk.origin(), nominal);
        ChunkGrid rows = ChunkGrid.contiguous(shape, shape.rank() == 0 ? 1 : shape.extent(shape.rank() - 1));
        for (long i = 0; i < rows.count(); i++) {
            Region row = rows.regionAt(i).moved(chunk.origin());
            int at = (int) (box.ordinal(row.origin()) * REFERENCE);
            copy(chunk, all.slice(at, (int) (row.elements() * REFERENCE)), to);
        }
        return true;
    }

    private void copy(Region region, ByteBuffer found, Elements to) throws IOException {
        try {
            for (found.order(ByteOrder.LITTLE_ENDIAN); found.hasRemaining(); ) {
                to.add(found.getInt(), found.getLong(), found.getInt());
            }
        } catch (IOException e) {
            throw stored.explain(region, e);
        }
    }

    /** Elements that are written one after the other. */
    private final class Elements {
        private final ByteBuffer target;
        private final @Nullable HeapObjects heap;

        Elements(ByteBuffer target, Scratch scratch) {
            this.target = target.order(ByteOrder.LITTLE_ENDIAN);
            this.heap = type.isMeasured() ? new HeapObjects(stored.file(), bytesRead, scratch) : null;
        }

        void add(int items, long address, int object) throws IOException {
            boolean isEmpty = items == 0 || address == 0 || address == FileMetadata.UNDEFINED;
            long bytes = isEmpty ? 0 : (items & 0xFFFFFFFFL) * elements.itemSize();
            if (bytes > DataType.LONGEST) {
                throw new StoreException("an element of " + bytes + " bytes is not supported");
            }
            if (heap == null) {
                target.putInt((int) bytes);
                return;
            }
            if (bytes > type.longest()) {
                throw new StoreException("an element has " + bytes + " bytes, but the longest had " + type.longest()
                        + " when the plan was made; the file has changed, so make a new plan");
            }
            int start = target.position();
            target.putInt((int) bytes);
            if (bytes > 0) {
                heap.read(address, object, (int) bytes, target);
                finish(start, (int) bytes);
            }
            while (target.position() < start + type.itemSize()) {
                target.put((byte) 0);
            }
        }

        /** Ends text at the first zero, as C does, and changes the byte order of numbers. */
        private void finish(int start, int bytes) {
            int from = start + DataType.LENGTH_SIZE;
            if (type.kind() == DataType.Kind.TEXT) {
                int length = 0;
                while (length < bytes && target.get(from + length) != 0) {
                    length++;
                }
                target.putInt(start, length).position(from + length);
                return;
            }
            int word = elements.swappedWord();
            for (int at = from; word > 1 && at < from + bytes; at += word) {
                for (int i = 0; i < word / 2; i++) {
                    byte first = target.get(at + i);
                    target.put(at + i, target.get(at + word - 1 - i)).put(at + word - 1 - i, first);
                }
            }
        }
    }

    @Override
    public long storedBytesRead() {
        return references.storedBytesRead() + bytesRead.sum();
    }

    @Override
    public void close() {
        references.close();
    }
}
