package dev.rechunker.exec;

import dev.rechunker.memory.Workspace;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * The places of write units in a workspace. The place of a unit is its offset in an endless sequence of windows, modulo
 * the size of the ring. It can be taken when it is free.
 *
 * <p>A unit that would cross the end of the ring has its place after the end, where there is space for one unit. Not
 * thread-safe: used under the lock of its {@link Dataflow}.
 */
final class Ring {
    private final Workspace workspace;
    private final long size;
    /** The places that are taken, with their lengths. */
    private final TreeMap<Long, Integer> taken = new TreeMap<>();

    Ring(Workspace workspace, long size) {
        this.workspace = workspace;
        this.size = size;
    }

    /**
     * {@return the offset of a window that follows after {@code offset}} A window that fits into the ring does not
     * cross its end.
     */
    long windowStart(long offset, long windowBytes) {
        long place = offset % size;
        return windowBytes <= size && place + windowBytes > size ? offset - place + size : offset;
    }

    /** {@return the place of a unit with an offset} */
    long place(long offset, long length) {
        long place = offset % size;
        return place + length > size ? size : place;
    }

    /** {@return whether a place is free now} */
    boolean isFree(long place, long length) {
        Map.Entry<Long, Integer> before = taken.lowerEntry(place + length);
        return before == null || before.getKey() + before.getValue() <= place;
    }

    /** Takes a free place. */
    void take(long place, Integer length) {
        taken.put(place, length);
    }

    /** {@return whether all places within {@code length} bytes are parts of one buffer} */
    boolean isWhole(long place, long length) {
        return workspace.isWhole(place, length);
    }

    /** {@return the memory of taken places that are parts of one buffer} */
    ByteBuffer buffer(long place, long length) {
        return workspace.buffer(place, length);
    }

    /** Frees a place. */
    void release(long place) {
        taken.remove(place);
    }
}
