package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * The blocks of Blosc frames as parts: the head lists where each block begins, so they may lie in any order. A frame
 * that does not become smaller by it cannot turn into a plain copy any more; its blocks then are, each with a few bytes
 * besides.
 *
 * @param frame the frames, whose size is not known yet
 * @param needs of one block
 */
record BloscParts(BloscFrame frame, BloscBlocks blocks, Codec.Needs needs) implements PartEncoder {
    @Override
    public int headBytes() {
        return BloscFrame.headSize(frame.blocks());
    }

    @Override
    public OptionalLong place(int part) {
        return OptionalLong.empty();
    }

    @Override
    public ByteBuffer encode(ByteBuffer part, Scratch scratch) throws CodecException {
        ByteBuffer in = part.slice().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = scratch.take(blocks.room(frame.blockSize()));
        int mark = scratch.mark();
        ByteBuffer planes = scratch.take(frame.isShuffled() || frame.isBitShuffled() ? frame.blockSize() : 0);
        ByteBuffer bits = scratch.take(frame.isBitShuffled() ? frame.blockSize() : 0);
        int end = blocks.encode(frame, in, 0, in.limit(), planes, bits, out, 0);
        scratch.release(mark);
        return out.limit(end);
    }

    @Override
    public void head(long[] places, long size, ByteBuffer head) throws CodecException {
        if (size > Integer.MAX_VALUE) {
            throw new CodecException("blosc: a frame of " + size + " bytes is too large; choose smaller chunks");
        }
        frame.withFrameSize((int) size).write(head);
        for (int block = 0; block < places.length; block++) {
            head.putInt(BloscFrame.headSize(block), (int) places[block]);
        }
    }
}
