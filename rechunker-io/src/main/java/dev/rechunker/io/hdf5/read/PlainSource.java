package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Reads any region of chunks without filters. A dataset without chunks is one chunk. */
final class PlainSource implements Hdf5Reader.Source {
    private final StoredDataset stored;
    private final LazyChunkIndex lazyIndex;
    private final LongAdder bytesRead;
    private final FileBytes bytes;
    private final boolean isExternal;

    PlainSource(StoredDataset stored, LazyChunkIndex lazyIndex, LongAdder bytesRead) {
        this.stored = stored;
        this.lazyIndex = lazyIndex;
        this.bytesRead = bytesRead;
        this.isExternal = stored.dataset().layout() instanceof StoredLayout.External;
        this.bytes = stored.dataset().layout() instanceof StoredLayout.External external
                ? external.files()
                : stored.file().file();
    }

    @Override
    public ReadTraits traits() {
        return ReadTraits.of(ReadTraits.Granularity.BYTES)
                .withScratchBytes(BoxReader.scratchBytes(stored.chunkBytes()))
                .withNativeBytes(bytes.readingBytes())
                .withHeldBytes(lazyIndex.heldBytes());
    }

    /** {@return the position of a chunk in the file; 0 if it was never written} */
    private long position(long[] index) throws IOException {
        if (stored.dataset().layout() instanceof StoredLayout.Whole whole) {
            return whole.address() == FileMetadata.UNDEFINED ? 0 : stored.file().position(whole.address());
        }
        return lazyIndex.get().position(stored.dataset().chunks().ordinal(index));
    }

    @Override
    public boolean read(long[] index, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        int itemSize = stored.spec().dataType().itemSize();
        stored.requireBytes(region, target.remaining(), region.elements() * itemSize);
        long position = isExternal ? 0 : position(index);
        if (position == 0 && !isExternal) {
            return false;
        }
        ChunkGrid chunks = stored.spec().chunks();
        long[] origin = region.origin();
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] -= chunks.axis(axis).start(index[axis]);
        }
        Region part = Region.of(origin, region.shape());
        Span first = BoxReader.first(chunks.chunkShape(), itemSize, part);
        try (ByteSource file = bytes.open(position + first.from(), first.length())) {
            BoxReader.Source source = (offset, buffer) -> {
                bytesRead.add(buffer.remaining());
                file.read(position + offset, buffer);
            };
            BoxReader.read(source, chunks.chunkShape(), itemSize, part, target, scratch);
        }
        return true;
    }
}
