package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** Parts of chunks that are not encoded. Each part is at a fixed position. */
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
    public OptionalLong position(int part) {
        return OptionalLong.of((long) part * partBytes);
    }

    @Override
    public ByteBuffer encode(ByteBuffer part, Scratch scratch) {
        return part;
    }

    @Override
    public void writeHead(long[] positions, long size, ByteBuffer head) {}
}
