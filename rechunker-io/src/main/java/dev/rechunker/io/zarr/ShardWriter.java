package dev.rechunker.io.zarr;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.tree.UnitFiles;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter.ChunkOpener;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes a shard, one inner chunk after the other in C order, each as soon as it is encoded. Inner chunks with only
 * fill values are left out.
 */
final class ShardWriter {
    private final StoredArray array;
    private final ShardLevel level;
    private final int itemSize;
    private final byte[] fill;
    private final long[] chunkStrides;

    ShardWriter(StoredArray array) {
        this.array = array;
        this.level = array.layout().levels().get(0);
        this.itemSize = array.layout().spec().dataType().itemSize();
        this.fill = array.layout().spec().fillValue().element(itemSize);
        this.chunkStrides = StridedCopy.denseStrides(level.inner().toArray(), itemSize);
    }

    /** {@return the bytes of scratch memory that a shard takes, in addition to those for encoding a chunk} */
    long scratchBytes() {
        return level.mostIndexSize() + array.layout().chunkBytes();
    }

    /** Writes a shard of dense elements in its nominal shape; {@return its size in bytes} */
    long write(ByteSink sink, Region shard, ByteBuffer data, Scratch scratch) throws IOException {
        long indexSize = level.indexSize(shard);
        long[] strides = StridedCopy.denseStrides(level.shard(shard).toArray(), itemSize);
        Shape counts = level.counts(shard);
        ByteBuffer index = scratch.take(indexSize);
        ByteBuffer chunk = scratch.take(array.layout().chunkBytes());
        ByteBuffer elements = data.slice();
        index.order(level.index().order());
        long at = level.index().atEnd() ? 0 : indexSize;
        long[] place = new long[counts.rank()];
        long chunks = counts.elements();
        for (long i = 0; i < chunks; i++) {
            gather(elements, strides, place, chunk);
            if (StridedCopy.isFilled(chunk, 0, chunk.capacity(), fill)) {
                index.putLong(ShardIndex.ABSENT).putLong(ShardIndex.ABSENT);
            } else {
                long size = append(sink, at, chunk, scratch);
                index.putLong(at).putLong(size);
                at += size;
            }
            advance(place, counts);
        }
        return level.index().write(sink, index, at);
    }

    /**
     * Writes a shard from its encoded chunks, with the bytes that {@link #write} makes of them. Takes the memory of an
     * index, a piece and a sink. Nothing is stored before the first chunk is found.
     *
     * @return the size of the shard in bytes; 0 if there are no chunks
     */
    long pack(String key, Region shard, ChunkOpener chunks, Scratch scratch) throws IOException {
        ByteBuffer index =
                scratch.take(level.indexSize(shard)).order(level.index().order());
        ByteBuffer piece = array.piece(scratch);
        Scratch forSink = new Scratch(scratch.take(array.sinkScratch()));
        Shape counts = level.counts(shard);
        long[] place = new long[counts.rank()];
        long at = level.index().atEnd() ? 0 : level.indexSize(shard);
        ByteSink sink = null;
        try {
            for (long i = 0; i < counts.elements(); i++) {
                int mark = scratch.mark();
                Optional<EncodedUnit> opened = open(shard, place, chunks, scratch);
                index.putLong(opened.isPresent() ? at : ShardIndex.ABSENT);
                index.putLong(opened.isPresent() ? opened.get().size() : ShardIndex.ABSENT);
                if (opened.isPresent()) {
                    try (EncodedUnit chunk = opened.get()) {
                        sink = sink == null ? array.create(key, forSink) : sink;
                        UnitFiles.append(chunk, sink, at, piece);
                        at += chunk.size();
                    }
                }
                scratch.release(mark);
                advance(place, counts);
            }
            if (sink == null) {
                return 0;
            }
            long size = level.index().write(sink, index, at);
            sink.commit();
            return size;
        } finally {
            if (sink != null) {
                sink.close();
            }
        }
    }

    /** {@return the encoded chunk at a place in a shard; empty if it is missing, or outside of the array} */
    private Optional<EncodedUnit> open(Region shard, long[] place, ChunkOpener chunks, Scratch scratch)
            throws IOException {
        ChunkGrid grid = array.layout().spec().chunks();
        Region inShard = grid.chunksTouching(shard);
        long[] index = inShard.origin();
        for (int axis = 0; axis < place.length; axis++) {
            if (place[axis] >= inShard.extent(axis)) {
                return Optional.empty();
            }
            index[axis] += place[axis];
        }
        return chunks.open(grid.region(index), scratch);
    }

    private void gather(ByteBuffer elements, long[] strides, long[] place, ByteBuffer chunk) {
        long offset = 0;
        for (int axis = 0; axis < place.length; axis++) {
            offset += place[axis] * level.inner().extent(axis) * strides[axis];
        }
        StridedCopy.copy(
                elements, offset, strides, chunk, 0, chunkStrides, level.inner().toArray(), itemSize, 1);
        chunk.clear();
    }

    private long append(ByteSink sink, long at, ByteBuffer chunk, Scratch scratch) throws IOException {
        if (array.chain().isRaw()) {
            sink.write(at, chunk);
            return chunk.capacity();
        }
        int mark = scratch.mark();
        ByteBuffer encoded = scratch.take(array.chain().maxEncodedSize());
        array.chain().encode(chunk, encoded, scratch);
        encoded.flip();
        long size = encoded.remaining();
        sink.write(at, encoded);
        scratch.release(mark);
        return size;
    }

    private static void advance(long[] place, Shape counts) {
        for (int axis = place.length - 1; axis >= 0 && ++place[axis] == counts.extent(axis); axis--) {
            place[axis] = 0;
        }
    }
}
