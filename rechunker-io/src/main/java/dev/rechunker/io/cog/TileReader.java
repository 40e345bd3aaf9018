package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads tiles one by one, from the tiles beside or from the file that was made of them: in both cases in the same way,
 * and with as much memory as the plan has counted.
 */
final class TileReader implements ArrayReader {
    private static final long NATIVE = 1 << 20;
    private static final long HELD = 1 << 16;
    private static final int HELD_OF_TILE = 32;

    private final ArrayReader reader;
    private final ArraySpec image;

    private TileReader(ArrayReader reader, ArraySpec image) {
        this.reader = reader;
        this.image = image;
    }

    /** {@return a reader of an image by a reader of the same tiles} */
    static TileReader of(ArrayReader reader, ArraySpec image) throws StoreException {
        ReadTraits counted = traits(image);
        if (reader.traits().scratchBytes() + tileBytes(image) > counted.scratchBytes()) {
            throw new StoreException("reading a tile takes " + reader.traits().scratchBytes()
                    + " bytes, more than were counted: " + counted.scratchBytes());
        }
        return new TileReader(reader, image);
    }

    private static long tileBytes(ArraySpec image) {
        return image.chunks().chunkShape().elements() * image.dataType().itemSize();
    }

    /** {@return how an image is read} */
    static ReadTraits traits(ArraySpec image) {
        long tile = tileBytes(image);
        long row = tile / image.chunks().chunkShape().extent(image.shape().rank() - 2);
        return ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withScratchBytes(6 * tile + (1 << 16))
                .withNativeBytes(NATIVE + 4 * row)
                .withHeldBytes(HELD + HELD_OF_TILE * image.chunks().count());
    }

    @Override
    public ArraySpec spec() {
        return image;
    }

    @Override
    public ReadTraits traits() {
        return traits(image);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        Shape tile = image.chunks().chunkShape();
        if (!reader.traits().paddedEdges() || region.shape().equals(tile)) {
            return reader.read(region, target, scratch);
        }
        int mark = scratch.mark();
        try {
            ByteBuffer whole = scratch.take(tileBytes(image));
            if (!reader.read(region, whole.duplicate(), scratch)) {
                return false;
            }
            int rank = tile.rank();
            int row = (int) region.shape().extent(rank - 1) * image.dataType().itemSize();
            long step = tile.extent(rank - 1) * image.dataType().itemSize();
            long bands = rank == 3 ? tile.extent(0) : 1;
            for (long band = 0; band < bands; band++) {
                for (long y = 0; y < region.shape().extent(rank - 2); y++) {
                    long at = (band * tile.extent(rank - 2) + y) * step;
                    target.put(whole.slice((int) at, row));
                }
            }
            return true;
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public long storedBytesRead() {
        return reader.storedBytesRead();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
