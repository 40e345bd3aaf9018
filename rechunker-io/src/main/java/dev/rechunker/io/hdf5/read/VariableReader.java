package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.read.StoredElements.Resolver;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads elements that refer to something in the file: first what is stored, then what it refers to. If the type is not
 * measured, only lengths are read.
 */
final class VariableReader implements ArrayReader {
    /** The bytes of stored elements that are read at once if any part of a chunk can be read. */
    private static final long PART_BYTES = 1 << 16;

    private final StoredDataset stored;
    private final Hdf5Reader reader;
    private final StoredElements elements;
    private final int storedSize;
    private final long part;
    private final ArraySpec spec;
    private final DataType type;
    private final boolean readsParts;
    private final ReadTraits traits;
    private final LongAdder bytesRead = new LongAdder();

    /**
     * Creates a reader.
     *
     * @param stored the dataset, of the elements that are stored
     * @param spec the array, whose type may be measured
     */
    VariableReader(StoredDataset stored, StoredElements elements, ArraySpec spec) throws IOException {
        this.stored = stored;
        this.reader = new Hdf5Reader(stored);
        this.elements = elements;
        this.storedSize = elements.stored().type().itemSize();
        this.part = Math.max(1, PART_BYTES / storedSize);
        this.spec = spec;
        this.type = spec.dataType();
        ReadTraits theirs = reader.traits();
        this.readsParts = theirs.granularity() == Granularity.BYTES;
        long most = readsParts ? part : spec.chunks().chunkShape().elements();
        long scratch = theirs.scratchBytes() + elements.scratchBytes(type);
        this.traits = ReadTraits.of(readsParts ? Granularity.BYTES : Granularity.CHUNK)
                .withScratchBytes(Math.addExact(Math.multiplyExact(most, (long) storedSize), scratch))
                .withNativeBytes(theirs.nativeBytes() + stored.file().file().readingBytes())
                .withHeldBytes(theirs.heldBytes() + elements.heldBytes());
    }

    /**
     * {@return the fill value of elements of a type for what is stored as fill value}
     *
     * @throws StoreException if it refers to something that cannot be read
     */
    static FillValue fillValue(StoredDataset stored, StoredElements elements, DataType type) throws IOException {
        FillValue own = stored.spec().fillValue();
        if (!own.isDefined()) {
            return FillValue.UNDEFINED;
        }
        int size = elements.stored().type().itemSize();
        int length =
                resolved(stored, elements, own.element(size), elements.type()).getInt(0);
        if (length > stored.file().file().size()) {
            throw new StoreException("its fill value has " + length + " bytes, which are not in the file");
        }
        if (!type.isMeasured() && !elements.hasLengths()) {
            return FillValue.ofContents(new byte[length]);
        }
        DataType measured = type.isMeasured() ? type : elements.type(length);
        byte[] element = resolved(stored, elements, own.element(size), measured).array();
        return elements.hasLengths() ? FillValue.ofVariable(element) : FillValue.of(element);
    }

    private static ByteBuffer resolved(StoredDataset stored, StoredElements elements, byte[] element, DataType type)
            throws IOException {
        Scratch scratch = Scratch.allocate((int) elements.scratchBytes(type));
        ByteBuffer target = ByteBuffer.allocate(type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        elements.resolver(stored.file(), type, new LongAdder(), scratch)
                .resolve(ByteBuffer.wrap(element).order(ByteOrder.LITTLE_ENDIAN), target);
        return target.flip();
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
        ChunkGrid parts = ChunkGrid.contiguous(region.shape(), part);
        ByteBuffer buffer = scratch.take(parts.largestChunk().elements() * storedSize);
        Resolver to = elements.resolver(stored.file(), type, bytesRead, scratch);
        target.order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < parts.count(); i++) {
            Region piece = parts.regionAt(i).moved(region.origin());
            ByteBuffer found = buffer.slice(0, (int) (piece.elements() * storedSize));
            if (!reader.read(piece, found.duplicate(), scratch)) {
                return false;
            }
            resolve(piece, found, to, target);
        }
        return true;
    }

    /** Reads a chunk whose elements can only be read together, and which is not clipped where the array ends. */
    private boolean readChunk(Region chunk, ByteBuffer target, Scratch scratch) throws IOException {
        Shape nominal = spec.chunks().chunkShape();
        ByteBuffer all = scratch.take(nominal.elements() * storedSize);
        if (!reader.read(chunk, all.duplicate(), scratch)) {
            return false;
        }
        Resolver to = elements.resolver(stored.file(), type, bytesRead, scratch);
        target.order(ByteOrder.LITTLE_ENDIAN);
        Shape shape = chunk.shape();
        Region box = Region.of(chunk.origin(), nominal);
        ChunkGrid rows = ChunkGrid.contiguous(shape, shape.rank() == 0 ? 1 : shape.extent(shape.rank() - 1));
        for (long i = 0; i < rows.count(); i++) {
            Region row = rows.regionAt(i).moved(chunk.origin());
            int at = (int) (box.ordinal(row.origin()) * storedSize);
            resolve(chunk, all.slice(at, (int) (row.elements() * storedSize)), to, target);
        }
        return true;
    }

    private void resolve(Region region, ByteBuffer found, Resolver to, ByteBuffer target) throws IOException {
        try {
            for (found.order(ByteOrder.LITTLE_ENDIAN); found.hasRemaining(); ) {
                to.resolve(found, target);
            }
        } catch (IOException e) {
            throw stored.explain(region, e);
        }
    }

    @Override
    public long storedBytesRead() {
        return reader.storedBytesRead() + bytesRead.sum();
    }

    @Override
    public void close() {
        reader.close();
    }
}
