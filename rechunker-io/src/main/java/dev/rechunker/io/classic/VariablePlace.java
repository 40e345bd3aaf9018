package dev.rechunker.io.classic;

import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of a variable are. Those of one without records are one slice; of others, each record has a slice,
 * and between two are those of other variables. An offset counts the bytes of the elements alone.
 *
 * @param begin the position of the first slice in the file
 * @param slice the bytes of a slice
 * @param stride the distance of two slices
 */
record VariablePlace(long begin, long slice, long stride) {
    /** Slices up to this size are read or written together with what is between them. */
    private static final int SHORT = 1 << 12;

    /** The most bytes that are read at once for short slices. */
    private static final int BLOCK = 1 << 16;

    /** The most scratch memory that reading takes, in bytes. */
    static final int MOST_SCRATCH = BLOCK;

    /** The whole range of a part is requested at once if it has at most this many bytes ... */
    private static final long LITTLE = 1 << 22;

    /** ... or at most this many times the bytes of the part. */
    private static final int NOT_MUCH_MORE = 4;

    /** {@return the placement of elements without gaps} */
    static VariablePlace whole(long begin, long bytes) {
        return new VariablePlace(begin, bytes, bytes);
    }

    boolean hasGaps() {
        return stride > slice;
    }

    /** {@return the position in the file of the byte at an offset} */
    long position(long offset) {
        return hasGaps() ? begin + offset / slice * stride + offset % slice : begin + offset;
    }

    /** {@return the scratch memory that reading takes at most, in bytes} */
    int scratchBytes() {
        return isTogether(slice) ? BLOCK : 0;
    }

    private boolean isTogether(long bytes) {
        return hasGaps() && bytes <= SHORT && stride <= BLOCK / 4;
    }

    /** {@return the range of the file to request first for a range of offsets} */
    Span request(Span offsets) {
        long from = position(offsets.from());
        long length = position(offsets.from() + offsets.length() - 1) + 1 - from;
        boolean isTogether = length <= LITTLE || length / NOT_MUCH_MORE <= offsets.length();
        return new Span(from, isTogether ? length : Math.min(offsets.length(), slice - offsets.from() % slice));
    }

    /** Writes the remaining bytes of a buffer from an offset on. */
    void write(PartFile file, long offset, ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        for (long at = offset; bytes.position() < end; ) {
            int left = end - bytes.position();
            int count = hasGaps() ? (int) Math.min(left, slice - at % slice) : left;
            bytes.limit(bytes.position() + count);
            file.write(position(at), bytes);
            at += count;
        }
        bytes.limit(end);
    }

    /**
     * Reads from an offset until the buffer is full.
     *
     * @param scratch memory for short slices; null to read each by itself
     */
    void read(BoxReader.Source file, long offset, ByteBuffer target, @Nullable Scratch scratch) throws IOException {
        if (!hasGaps()) {
            file.read(begin + offset, target);
            return;
        }
        if (scratch == null || !isTogether(slice)) {
            read(file, offset, target, (ByteBuffer) null);
            return;
        }
        int mark = scratch.mark();
        read(file, offset, target, scratch.take(BLOCK));
        scratch.release(mark);
    }

    private void read(BoxReader.Source file, long offset, ByteBuffer target, @Nullable ByteBuffer block)
            throws IOException {
        int end = target.limit();
        long at = offset;
        while (target.position() < end) {
            int left = end - target.position();
            long in = at % slice;
            int count = (int) Math.min(left, slice - in);
            if (block == null || count == left) {
                target.limit(target.position() + count);
                file.read(position(at), target);
                target.limit(end);
                at += count;
                continue;
            }
            at += readTogether(file, at, target, block);
        }
    }

    /** Reads several slices with what is between them; {@return the bytes of the slices} */
    private long readTogether(BoxReader.Source file, long at, ByteBuffer target, ByteBuffer block) throws IOException {
        long from = position(at);
        long most = position(at + target.remaining() - 1) + 1 - from;
        block.clear().limit((int) Math.min(block.capacity(), most));
        file.read(from, block);
        long done = 0;
        while (target.hasRemaining()) {
            long start = position(at + done) - from;
            int count = (int) Math.min(target.remaining(), slice - (at + done) % slice);
            if (start + count > block.limit()) {
                break;
            }
            target.put(block.slice((int) start, count));
            done += count;
        }
        return done;
    }
}
