package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.PaddedRuns;
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
 * Reads elements that are resolved: first what is stored, then what it refers to. If the type is not measured, only
 * lengths are read.
 *
 * <p>If what is stored can only be read chunk by chunk, elements are passed on in runs, so that the padding of those of
 * a chunk takes no memory. A chunk can be read in stretches; each stretch reads all that is stored again.
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
        long chunk = Math.multiplyExact(most, (long) storedSize);
        long run = readsParts ? 0 : PaddedRuns.bufferBytes(type.itemSize());
        long scratch = theirs.scratchBytes() + elements.scratchBytes(type) + run;
        ReadTraits needs = ReadTraits.of(readsParts ? Granularity.BYTES : Granularity.STREAM)
                .withScratchBytes(Math.addExact(chunk, scratch))
                .withNativeBytes(theirs.nativeBytes() + stored.file().file().readingBytes())
                .withHeldBytes(theirs.heldBytes() + elements.heldBytes());
        this.traits = readsParts ? needs : needs.withBlockBytes(PaddedRuns.blockBytes(chunk));
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
        if (elements.type().isMeasured()) {
            return FillValue.of(
                    resolved(stored, elements, own.element(size), type).array());
        }
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
            if (readsParts) {
                return readParts(region, target, scratch);
            }
            ByteBuffer into = target.duplicate();
            return stream(region, into::put, scratch);
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

    /** Passes on elements of a chunk, or of a stretch of it, which is clipped where the array ends. */
    @Override
    public boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        if (readsParts) {
            throw new UnsupportedOperationException("any part of this array can be read");
        }
        Region chunk = spec.chunks().region(spec.chunks().chunksTouching(region).origin());
        if (!region.isContiguousIn(chunk)) {
            throw new IllegalArgumentException(region + " is not a stretch of " + chunk);
        }
        int mark = scratch.mark();
        try {
            Shape nominal = spec.chunks().chunkShape();
            ByteBuffer all = scratch.take(nominal.elements() * storedSize);
            if (!reader.read(chunk, all.duplicate(), scratch)) {
                return false;
            }
            ByteBuffer run =
                    scratch.take(PaddedRuns.bufferBytes(type.itemSize())).order(ByteOrder.LITTLE_ENDIAN);
            Resolver to = elements.resolver(stored.file(), type, bytesRead, scratch);
            Region box = Region.of(chunk.origin(), nominal);
            long row = chunk.rank() == 0 ? 1 : chunk.extent(chunk.rank() - 1);
            ChunkGrid rows = ChunkGrid.contiguous(chunk.shape(), row);
            long end = chunk.ordinalAfter(region);
            for (long at = chunk.ordinal(region.origin()); at < end; ) {
                Region of = rows.regionAt(at / row).moved(chunk.origin());
                long count = Math.min(Math.min(row - at % row, end - at), run.remaining() / type.itemSize());
                int from = (int) ((box.ordinal(of.origin()) + at % row) * storedSize);
                resolve(chunk, all.slice(from, (int) (count * storedSize)), to, run);
                at += count;
                if (!run.hasRemaining() || at == end) {
                    sink.accept(run.flip());
                    run.clear();
                }
            }
            return true;
        } finally {
            scratch.release(mark);
        }
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
