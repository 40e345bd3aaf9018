package dev.rechunker.io.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a Blosc frame: its head (header and positions of blocks), and then its blocks. Without a sink, the buffer is
 * the whole frame. With a sink, the buffer is written to it piece by piece, and the head at the end. A frame that fits
 * into the buffer is written to the sink at once.
 */
final class FrameOutput {
    private final CodecChain.@Nullable EncodedSink sink;
    private final ByteBuffer bytes;
    private final int maxBlockSize;
    /** The size of blocks that were written to the sink, and are no longer in the buffer, in bytes. */
    private long flushed;

    private int end;
    private int headSize;

    /** Creates an output to a little-endian buffer, which is large enough for the frame and for compressing a block. */
    FrameOutput(ByteBuffer frame) {
        this.sink = null;
        this.bytes = frame;
        this.maxBlockSize = 0;
    }

    /**
     * Creates an output to a sink.
     *
     * @param piece a little-endian buffer for the head and blocks
     * @param maxBlockSize the buffer size for compressing a block
     */
    FrameOutput(CodecChain.EncodedSink sink, ByteBuffer piece, int maxBlockSize) {
        this.sink = sink;
        this.bytes = piece;
        this.maxBlockSize = maxBlockSize;
    }

    /** Reserves space for the head of a frame of {@code blocks} blocks. */
    void begin(int blocks) {
        headSize = BloscFrame.headSize(blocks);
        end = headSize;
    }

    /** {@return the buffer for blocks} */
    ByteBuffer bytes() {
        return bytes;
    }

    /**
     * Starts a block, and writes the buffer to the sink if it is full; {@return the position of the block in the
     * buffer}
     */
    int beginBlock(int block) throws IOException {
        if (sink != null && bytes.capacity() - end < maxBlockSize) {
            flush(sink);
        }
        bytes.putInt(BloscFrame.headSize(block), Math.toIntExact(flushed + end));
        return end;
    }

    /** Ends a block at a position; {@return whether the frame is still smaller than {@code limit} bytes} */
    boolean endBlock(int blockEnd, long limit) {
        end = blockEnd;
        return flushed + end < limit;
    }

    private void flush(CodecChain.EncodedSink to) throws IOException {
        to.write(flushed + headSize, bytes.slice(headSize, end - headSize));
        flushed += end - headSize;
        end = headSize;
    }

    /** Completes the frame; {@return its size} */
    long end(BloscFrame frame) throws IOException {
        long total = flushed + end;
        frame.withFrameSize(Math.toIntExact(total)).write(bytes);
        if (sink != null) {
            if (flushed > 0) {
                flush(sink);
            }
            sink.write(0, bytes.slice(0, end));
        }
        return total;
    }

    /** Replaces the frame by a plain copy, also after blocks were written; {@return its size} */
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
