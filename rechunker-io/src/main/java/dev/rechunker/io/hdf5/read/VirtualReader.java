package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a virtual dataset from its sources. */
final class VirtualReader implements ArrayReader {
    /** The memory of an open source in addition to what its reader declares, at most, in bytes. */
    private static final long SOURCE_BYTES = 1 << 13;

    /** The memory of a part, at most, in bytes. */
    private static final long PART_BYTES = 1 << 10;

    private final StoredDataset stored;
    private final Map<ReadableDataset, ArrayReader> readers = new LinkedHashMap<>();
    private final List<PartReader> parts = new ArrayList<>();
    private final PartIndex index;
    private final ReadTraits traits;
    private final long pieceBytes;
    private final byte[] fill;
    private volatile boolean closed;

    VirtualReader(StoredDataset stored, VirtualArray array) throws IOException {
        this.stored = stored;
        this.fill = stored.spec().fillValue().element(stored.spec().dataType().itemSize());
        long scratch = 0;
        long piece = 0;
        long nativeBytes = 0;
        this.index = new PartIndex(array.parts(), array.shape().rank());
        long held = PART_BYTES * array.parts().size();
        Set<FileMetadata> files = new HashSet<>();
        try {
            for (VirtualPart part : array.parts()) {
                ArrayReader reader = readers.get(part.source());
                if (reader == null) {
                    reader = part.source().open();
                    readers.put(part.source(), reader);
                    ReadTraits its = reader.traits();
                    FileMetadata file = part.source().stored().file();
                    files.add(file);
                    // Codecs of a source may stay in memory after they were used.
                    held = Math.addExact(held, SOURCE_BYTES + its.heldBytes() - file.heldBytes() + its.nativeBytes());
                    nativeBytes = Math.max(nativeBytes, its.nativeBytes());
                }
                PartReader open = new PartReader(part, reader, stored.spec());
                parts.add(open);
                scratch = Math.max(scratch, reader.traits().scratchBytes());
                piece = Math.max(piece, open.pieceBytes());
            }
        } catch (IOException | RuntimeException | Error e) {
            closeReaders();
            throw e;
        }
        files.add(stored.file());
        held = files.stream().mapToLong(FileMetadata::heldBytes).reduce(held, Math::addExact);
        this.pieceBytes = piece;
        this.traits = ReadTraits.of(array.isPlain() ? ReadTraits.Granularity.BYTES : ReadTraits.Granularity.CHUNK)
                .withScratchBytes(Math.addExact(scratch, piece))
                .withNativeBytes(nativeBytes)
                .withHeldBytes(held);
    }

    @Override
    public ArraySpec spec() {
        return stored.spec();
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (closed) {
            throw new IllegalStateException(stored.name() + " was closed");
        }
        ChunkGrid grid = spec().chunks();
        Region touched = grid.chunksTouching(region);
        boolean isPlain = traits.granularity() == ReadTraits.Granularity.BYTES;
        if (touched.elements() != 1
                || !(isPlain || grid.region(touched.origin()).equals(region))) {
            throw new IllegalArgumentException(region + " is not in one chunk of " + grid);
        }
        stored.requireBytes(region, target.remaining(), region.elements() * fill.length);
        int mark = scratch.mark();
        try {
            return read(region, new Box(region, target.slice(), fill.length), scratch);
        } catch (IOException e) {
            throw stored.explain(region, e);
        } finally {
            scratch.release(mark);
        }
    }

    /** A region and the buffer for its elements. */
    static final class Box {
        private final Region region;
        private final ByteBuffer elements;
        private final long[] strides;

        Box(Region region, ByteBuffer elements, int itemSize) {
            this.region = region;
            this.elements = elements;
            this.strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        }

        Region region() {
            return region;
        }

        ByteBuffer elements() {
            return elements;
        }

        /** {@return the distance of neighbours on an axis, in bytes} */
        long stride(int axis) {
            return strides[axis];
        }

        void fill(byte[] element) {
            StridedCopy.fill(elements, 0, strides, region.shape().toArray(), element);
        }
    }

    private boolean read(Region region, Box box, Scratch scratch) throws IOException {
        List<PartReader> touched = new ArrayList<>();
        for (int number : index.find(region)) {
            if (parts.get(number).touches(region)) {
                touched.add(parts.get(number));
            }
        }
        if (touched.isEmpty()) {
            return false;
        }
        if (touched.size() == 1 && touched.get(0).canReadDirectly(region)) {
            return touched.get(0).readDirectly(box, scratch);
        }
        box.fill(fill);
        boolean found = false;
        PartReader.Piece piece = new PartReader.Piece(scratch.take(pieceBytes));
        for (PartReader part : touched) {
            found |= part.read(box, piece, scratch);
        }
        return found;
    }

    @Override
    public long storedBytesRead() {
        return readers.values().stream().mapToLong(ArrayReader::storedBytesRead).sum();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            closeReaders();
        }
    }

    private void closeReaders() throws IOException {
        for (ArrayReader reader : readers.values()) {
            reader.close();
        }
    }
}
