package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** Parts that are stored as they are, one behind the other. */
record PlainParts(int partBytes) implements PartEncoder {
    @Override
    public int headBytes() {
        return 0;
    }

    @Override
    public Codec.Needs needs() {
        return new Codec.Needs(0, 0);
    }

    @Override
    public OptionalLong place(int part) {
        return OptionalLong.of((long) part * partBytes);
    }

    @Override
    public ByteBuffer encode(ByteBuffer part, Scratch scratch) {
        return part;
    }

    @Override
    public void head(long[] places, long size, ByteBuffer head) {}
}
