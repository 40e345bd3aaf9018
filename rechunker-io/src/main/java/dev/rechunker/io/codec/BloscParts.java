package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * Encodes the blocks of a Blosc frame as parts. The head has the position of each block, so blocks can be in any order.
 * A frame that does not become smaller cannot be replaced by a plain copy; instead each block is copied, with a few
 * additional bytes.
 *
 * @param frame the header of the frame, without the frame size
 * @param needs the memory for encoding one block
 */
record BloscParts(BloscFrame frame, BloscBlocks blocks, Codec.Needs needs) implements PartEncoder {
    @Override
    public int headBytes() {
        return BloscFrame.headSize(frame.blocks());
    }

    @Override
    public OptionalLong position(int part) {
        return OptionalLong.empty();
    }

    @Override
    public ByteBuffer encode(ByteBuffer part, Scratch scratch) throws CodecException {
        ByteBuffer in = part.slice().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = scratch.take(blocks.maxBlockSize(frame.blockSize()));
        int mark = scratch.mark();
        ByteBuffer planes = scratch.take(frame.isShuffled() || frame.isBitShuffled() ? frame.blockSize() : 0);
        ByteBuffer bits = scratch.take(frame.isBitShuffled() ? frame.blockSize() : 0);
        int end = blocks.encode(frame, in, 0, in.limit(), planes, bits, out, 0);
        scratch.release(mark);
        return out.limit(end);
    }

    @Override
    public void writeHead(long[] positions, long size, ByteBuffer head) throws CodecException {
        if (size > Integer.MAX_VALUE) {
            throw new CodecException("blosc: a frame of " + size + " bytes is too large; choose smaller chunks");
        }
        frame.withFrameSize((int) size).write(head);
        for (int block = 0; block < positions.length; block++) {
            head.putInt(BloscFrame.headSize(block), (int) positions[block]);
        }
    }
}
