package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** Shards of one shape that are assembled from their chunks. */
final class ShardForm implements UnitForm {
    private final StoredArray array;
    private final ShardLevel level;

    ShardForm(StoredArray array) {
        this.array = array;
        this.level = array.layout().levels().get(0);
    }

    @Override
    public ChunkGrid grid() {
        return array.layout().spec().chunks();
    }

    @Override
    public Shape unit() {
        return level.largestShard();
    }

    @Override
    public Shape part() {
        return level.inner();
    }

    @Override
    public Codec.Needs needs() {
        Codec.Needs needs = array.chain().encodeNeeds();
        long encoded = array.chain().isRaw() ? 0 : array.chain().maxEncodedSize();
        return new Codec.Needs(needs.scratchBytes() + encoded, needs.nativeBytes());
    }

    @Override
    public long headBytes() {
        return level.mostIndexSize();
    }

    @Override
    public long start() {
        return level.index().atEnd() ? 0 : level.mostIndexSize();
    }

    @Override
    public OptionalLong fixedPosition(int part) {
        return OptionalLong.empty();
    }

    @Override
    public boolean omitsEmptyParts() {
        return true;
    }

    @Override
    public ByteBuffer encode(ByteBuffer part, Scratch scratch) throws IOException {
        if (array.chain().isRaw()) {
            return part;
        }
        ByteBuffer encoded = scratch.take(array.chain().maxEncodedSize());
        array.chain().encode(part, encoded, scratch);
        return encoded.flip();
    }

    @Override
    public long finish(ByteSink sink, long[] positions, int[] sizes, long end, ByteBuffer head) throws IOException {
        head.order(level.index().order());
        for (int part = 0; part < positions.length; part++) {
            boolean absent = sizes[part] <= 0;
            head.putLong(absent ? ShardIndex.ABSENT : positions[part]);
            head.putLong(absent ? ShardIndex.ABSENT : sizes[part]);
        }
        return level.index().write(sink, head, end);
    }
}
