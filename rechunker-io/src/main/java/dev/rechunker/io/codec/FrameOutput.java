package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A Blosc frame in the making: its head (header and places of blocks), and behind it its blocks, in one buffer. That
 * may be the whole frame. Or what it cannot hold goes to a sink, piece by piece, the head last; a frame that it can
 * hold goes there at once.
 */
final class FrameOutput {
    private final CodecChain.@Nullable EncodedSink sink;
    private final ByteBuffer bytes;
    private final int blockRoom;
    /** The bytes of blocks that are in the sink, and no longer in the buffer. */
    private long gone;

    private int end;
    private int headSize;

    /** Creates an output to memory: a little-endian buffer with room for the frame and what compressing takes. */
    FrameOutput(ByteBuffer frame) {
        this.sink = null;
        this.bytes = frame;
        this.blockRoom = 0;
    }

    /**
     * Creates an output to a sink.
     *
     * @param piece room for the head, and behind it for blocks; little-endian
     * @param blockRoom the most bytes that a block takes while it is being compressed
     */
    FrameOutput(CodecChain.EncodedSink sink, ByteBuffer piece, int blockRoom) {
        this.sink = sink;
        this.bytes = piece;
        this.blockRoom = blockRoom;
    }

    /** Leaves room for the head of a frame of so many blocks. */
    void begin(int blocks) {
        headSize = BloscFrame.headSize(blocks);
        end = headSize;
    }

    /** {@return the buffer that blocks are put into} */
    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return where in the buffer the next block begins} */
    int beginBlock(int block) throws IOException {
        if (sink != null && bytes.capacity() - end < blockRoom) {
            flush(sink);
        }
        bytes.putInt(BloscFrame.headSize(block), Math.toIntExact(gone + end));
        return end;
    }

    /** Notes where the block ended; {@return whether the frame is still smaller than {@code limit} bytes} */
    boolean endBlock(int blockEnd, long limit) {
        end = blockEnd;
        return gone + end < limit;
    }

    private void flush(CodecChain.EncodedSink to) throws IOException {
        to.write(gone + headSize, bytes.slice(headSize, end - headSize));
        gone += end - headSize;
        end = headSize;
    }

    /** Completes a frame of blocks; {@return its size} */
    long end(BloscFrame frame) throws IOException {
        long total = gone + end;
        frame.withFrameSize(Math.toIntExact(total)).write(bytes);
        if (sink != null) {
            if (gone > 0) {
                flush(sink);
            }
            sink.write(0, bytes.slice(0, end));
        }
        return total;
    }

    /** Makes the frame a plain copy, whatever was put out before; {@return its size} */
    long copy(BloscFrame frame, ByteBuffer in) throws IOException {
        int size = frame.decodedSize();
        int total = Math.addExact(BloscFrame.HEADER, size);
        new BloscFrame(frame.flags() | BloscFrame.COPIED, frame.typeSize(), size, frame.blockSize(), total)
                .write(bytes);
        if (sink == null || total <= bytes.capacity()) {
            bytes.put(BloscFrame.HEADER, in, 0, size);
            end = total;
        } else {
            sink.write(BloscFrame.HEADER, in.duplicate().clear());
            end = BloscFrame.HEADER;
        }
        if (sink != null) {
            sink.write(0, bytes.slice(0, end));
        }
        return total;
    }
}
