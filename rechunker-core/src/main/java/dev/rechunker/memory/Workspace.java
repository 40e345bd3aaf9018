package dev.rechunker.memory;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.threads.Team;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The direct memory of a run: an address space of a fixed size, in which each stage of a plan has its own layout.
 *
 * <p>A buffer is given by offset and length, and has at most {@link #MAX_BUFFER} bytes. The space may be larger: it
 * consists of segments. A buffer cannot cross the border between two segments, so for each border there is a spare
 * buffer, as large as the largest buffer that a stage uses there. {@link #bytesFor} counts the spare buffers.
 */
public final class Workspace {
    /** The most bytes that one buffer can have. */
    public static final int MAX_BUFFER = Integer.MAX_VALUE - 15;

    private final List<ByteBuffer> segments;
    private final List<ByteBuffer> spares;
    private final long size;
    private final long segmentBytes;
    private final long spareBytes;

    /** Allocates the space in the calling thread; see {@link #Workspace(long, long, long, int)}. */
    public Workspace(long size, long segmentBytes, long spareBytes) {
        this(size, segmentBytes, spareBytes, 1);
    }

    /**
     * Allocates the space.
     *
     * @param size the addressable bytes
     * @param segmentBytes the size of a segment; at most {@link #MAX_BUFFER}
     * @param spareBytes the size of the largest buffer that crosses the border of two segments
     * @param threads the number of threads that allocate segments at the same time; the JVM fills new memory with
     *     zeros, which may take one thread a second or two per gigabyte
     * @throws DirectMemoryException if the JVM cannot provide that much direct memory
     */
    public Workspace(long size, long segmentBytes, long spareBytes, int threads) {
        this.size = size;
        this.segmentBytes = segmentBytes;
        this.spareBytes = spareBytes;
        List<Integer> sizes = new ArrayList<>();
        for (long offset = 0; offset < size; offset += segmentBytes) {
            sizes.add((int) Math.min(size - offset, segmentBytes));
        }
        int borders = Math.max(0, sizes.size() - 1);
        try {
            segments = allocate(sizes, threads);
            spares = allocate(Collections.nCopies(borders, (int) Math.min(spareBytes, MAX_BUFFER)), threads);
        } catch (OutOfMemoryError e) {
            throw new DirectMemoryException(
                    "this JVM cannot provide " + ByteSize.of(bytesFor(size, segmentBytes, spareBytes))
                            + " of direct memory; start it with -XX:MaxDirectMemorySize of at least that, or lower maxMem",
                    e);
        }
    }

    private static List<ByteBuffer> allocate(List<Integer> sizes, int threads) {
        int together = Math.min(threads, sizes.size());
        if (together < 2) {
            return sizes.stream().map(ByteBuffer::allocateDirect).toList();
        }
        @Nullable ByteBuffer[] buffers = new ByteBuffer[sizes.size()];
        AtomicInteger next = new AtomicInteger();
        try (Team team = new Team(together)) {
            team.togetherUninterruptibly(together, () -> {
                for (int i = next.getAndIncrement(); i < buffers.length; i = next.getAndIncrement()) {
                    buffers[i] = ByteBuffer.allocateDirect(sizes.get(i));
                }
            });
        }
        return Arrays.stream(buffers).map(Objects::requireNonNull).toList();
    }

    /** {@return the size of the largest segment that is a multiple of {@code borderBytes}} */
    public static long segmentBytes(long borderBytes) {
        return MAX_BUFFER / borderBytes * borderBytes;
    }

    /** {@return the bytes that a workspace with these sizes takes, spare buffers included} */
    public static long bytesFor(long size, long segmentBytes, long spareBytes) {
        long borders = size <= 0 ? 0 : (size - 1) / segmentBytes;
        return size + borders * Math.min(spareBytes, MAX_BUFFER);
    }

    /** {@return whether it has this size, and segments and spare buffers of these sizes} */
    boolean isLaidOut(long otherSize, long otherSegmentBytes, long otherSpareBytes) {
        return size == otherSize && segmentBytes == otherSegmentBytes && spareBytes == otherSpareBytes;
    }

    /** {@return whether it has only one segment, so that no buffer crosses a border} */
    boolean isSegment() {
        return segments.size() == 1;
    }

    /** {@return the addressable bytes} */
    public long size() {
        return size;
    }

    /**
     * {@return whether a buffer is in one segment, so that its memory is also that of the buffers within it} A buffer
     * that crosses a border is a spare buffer instead.
     */
    public boolean isWhole(long offset, long length) {
        return length <= MAX_BUFFER && offset % segmentBytes + length <= segmentBytes;
    }

    /**
     * {@return the buffer of {@code length} bytes at {@code offset}, little-endian, with undefined content}
     *
     * <p>The caller makes sure that buffers in use do not overlap.
     *
     * @throws IndexOutOfBoundsException if the buffer is not within the space
     */
    public ByteBuffer buffer(long offset, long length) {
        if (offset < 0 || length < 0 || length > MAX_BUFFER || offset + length > size) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + offset + " are not in a workspace of " + size + " bytes");
        }
        if (length == 0) {
            return ByteBuffer.allocateDirect(0);
        }
        int segment = (int) (offset / segmentBytes);
        int start = (int) (offset % segmentBytes);
        ByteBuffer buffer = isWhole(offset, length)
                ? segments.get(segment).slice(start, (int) length)
                : spares.get(segment).slice(0, (int) length);
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Copies the remaining {@code bytes} to {@code offset}, across borders of segments, without spare buffers. */
    public void put(long offset, ByteBuffer bytes) {
        long at = offset;
        while (bytes.hasRemaining()) {
            ByteBuffer segment = segments.get((int) (at / segmentBytes));
            int start = (int) (at % segmentBytes);
            int length = Math.min(bytes.remaining(), segment.capacity() - start);
            segment.put(start, bytes, bytes.position(), length);
            bytes.position(bytes.position() + length);
            at += length;
        }
    }

    /** Fills the rest of {@code target} from {@code offset}, to which {@link #put} has copied it. */
    public void get(long offset, ByteBuffer target) {
        long at = offset;
        while (target.hasRemaining()) {
            ByteBuffer segment = segments.get((int) (at / segmentBytes));
            int start = (int) (at % segmentBytes);
            int length = Math.min(target.remaining(), segment.capacity() - start);
            target.put(target.position(), segment, start, length);
            target.position(target.position() + length);
            at += length;
        }
    }
}
