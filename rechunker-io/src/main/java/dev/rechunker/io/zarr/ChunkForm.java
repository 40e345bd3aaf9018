package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.io.codec.PartEncoder;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Chunks that are assembled from bands. A band is a number of adjacent rows, planes or volumes in C order, of the size
 * that the codec processes best.
 *
 * @param grid the bands
 * @param unit the nominal shape of a chunk
 * @param part the nominal shape of a band
 */
record ChunkForm(ChunkGrid grid, Shape unit, Shape part, PartEncoder encoder) implements UnitForm {
    /**
     * Bands may be smaller than the codec's preferred size by this factor, so that a chunk consists of a whole number
     * of bands.
     */
    private static final long LEAST = 4;

    /** {@return the form of an array's chunks; empty unless its codecs work on bands and a chunk has more than one} */
    static Optional<UnitForm> of(StoredArray array) {
        ChunkGrid chunks = array.layout().spec().chunks();
        long band = array.layout().spec().dataType().itemSize();
        long most = array.chain().partBytes();
        int axis = chunks.rank() - 1;
        for (; axis >= 0 && band * chunks.axis(axis).step() <= most; axis--) {
            band *= chunks.axis(axis).step();
        }
        if (axis < 0 || band > most) {
            return Optional.empty();
        }
        long rows = rows(chunks, axis, most / band);
        if (rows == 0) {
            return Optional.empty();
        }
        long[] extents = chunks.chunkShape().toArray();
        Arrays.fill(extents, 0, axis, 1);
        extents[axis] = rows;
        return array.chain().parts((int) (rows * band)).map(encoder -> form(chunks, Shape.of(extents), encoder));
    }

    /**
     * {@return the number of rows of a band: a divisor of the number of rows of a chunk, or any number if the array has
     * only one chunk of these rows; 0 if there is no suitable number}
     */
    private static long rows(ChunkGrid chunks, int axis, long most) {
        long extent = chunks.axis(axis).step();
        for (long rows = most; rows >= Math.max(1, most / LEAST); rows--) {
            if (extent % rows == 0) {
                return rows;
            }
        }
        boolean alone = chunks.axis(axis).count() == 1;
        for (int before = 0; before < axis; before++) {
            alone &= chunks.axis(before).step() == 1;
        }
        return alone ? most : 0;
    }

    private static ChunkForm form(ChunkGrid chunks, Shape band, PartEncoder encoder) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < chunks.rank(); axis++) {
            axes.add(Partition.regular(chunks.axis(axis).length(), band.extent(axis)));
        }
        return new ChunkForm(ChunkGrid.of(axes), chunks.chunkShape(), band, encoder);
    }

    @Override
    public Codec.Needs needs() {
        return encoder.needs();
    }

    @Override
    public long headBytes() {
        return encoder.headBytes();
    }

    @Override
    public long start() {
        return encoder.headBytes();
    }

    @Override
    public OptionalLong fixedPosition(int part) {
        return encoder.position(part);
    }

    @Override
    public boolean omitsEmptyParts() {
        return false;
    }

    @Override
    public ByteBuffer encode(ByteBuffer band, Scratch scratch) throws IOException {
        return encoder.encode(band, scratch);
    }

    @Override
    public long finish(ByteSink sink, long[] positions, int[] sizes, long end, ByteBuffer head) throws IOException {
        encoder.writeHead(positions, end, head);
        if (head.hasRemaining()) {
            sink.write(0, head);
        }
        return end;
    }
}
