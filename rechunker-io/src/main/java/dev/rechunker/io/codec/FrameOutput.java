package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A Blosc frame in the making: its head (header and places of blocks) and its blocks. Either both are in one buffer,
 * that of the whole frame, or the blocks go piece by piece to a sink, and the head last.
 */
final class FrameOutput {
    private final CodecChain.@Nullable EncodedSink sink;
    private final ByteBuffer head;
    private final ByteBuffer bytes;
    private final int blockRoom;
    /** The byte of the frame that is at the front of {@code bytes}. */
    private long start;

    private int end;
    private int headSize;

    /** Creates an output to memory: a little-endian buffer with room for the frame and what compressing takes. */
    FrameOutput(ByteBuffer frame) {
        this.sink = null;
        this.head = frame;
        this.bytes = frame;
        this.blockRoom = 0;
    }

    /**
     * Creates an output to a sink.
     *
     * @param head room for the head, little-endian
     * @param piece where blocks are collected, little-endian
     * @param blockRoom the most bytes that a block takes while it is being compressed
     */
    FrameOutput(CodecChain.EncodedSink sink, ByteBuffer head, ByteBuffer piece, int blockRoom) {
        this.sink = sink;
        this.head = head;
        this.bytes = piece;
        this.blockRoom = blockRoom;
    }

    /** Leaves room for the head of a frame of so many blocks. */
    void begin(int blocks) {
        headSize = BloscFrame.HEADER + Integer.BYTES * blocks;
        start = sink == null ? 0 : headSize;
        end = sink == null ? headSize : 0;
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
        head.putInt(BloscFrame.HEADER + Integer.BYTES * block, Math.toIntExact(start + end));
        return end;
    }

    /** Notes where the block ended; {@return whether the frame is still smaller than {@code limit} bytes} */
    boolean endBlock(int blockEnd, long limit) {
        end = blockEnd;
        return start + end < limit;
    }

    private void flush(CodecChain.EncodedSink to) throws IOException {
        to.write(start, bytes.duplicate().clear().limit(end));
        start += end;
        end = 0;
    }

    /** Completes a frame of blocks; {@return its size} */
    long end(BloscFrame frame) throws IOException {
        long total = start + end;
        frame.withFrameSize(Math.toIntExact(total)).write(head);
        if (sink != null) {
            flush(sink);
            sink.write(0, head.duplicate().clear().limit(headSize));
        }
        return total;
    }

    /** Makes the frame a plain copy, whatever was put out before; {@return its size} */
    long copy(BloscFrame frame, ByteBuffer in) throws IOException {
        int total = Math.addExact(BloscFrame.HEADER, frame.decodedSize());
        new BloscFrame(
                        frame.flags() | BloscFrame.COPIED,
                        frame.typeSize(),
                        frame.decodedSize(),
                        frame.blockSize(),
                        total)
                .write(head);
        if (sink == null) {
            bytes.put(BloscFrame.HEADER, in, 0, frame.decodedSize());
        } else {
            sink.write(0, head.duplicate().clear().limit(BloscFrame.HEADER));
            sink.write(BloscFrame.HEADER, in.duplicate().clear());
        }
        return total;
    }
}
