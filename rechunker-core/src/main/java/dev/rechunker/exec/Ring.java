package dev.rechunker.exec;

import dev.rechunker.memory.Workspace;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * The places of write units in a workspace. A unit's place follows from its offset in an endless sequence of windows,
 * modulo the ring's size; it can be taken when nothing else is there.
 *
 * <p>A unit that would lie across the ring's end goes to a place behind it, where there is room for one. Not
 * thread-safe: used under the lock of its {@link Dataflow}.
 */
final class Ring {
    private final Workspace workspace;
    private final long size;
    private final TreeMap<Long, Long> taken = new TreeMap<>();

    Ring(Workspace workspace, long size) {
        this.workspace = workspace;
        this.size = size;
    }

    /**
     * {@return where a window of so many bytes begins that comes after {@code offset}: one that fits is not split by
     * the ring's end}
     */
    long windowStart(long offset, long windowBytes) {
        long place = offset % size;
        return windowBytes <= size && place + windowBytes > size ? offset - place + size : offset;
    }

    /** {@return the place of a unit at this offset} */
    long place(long offset, long length) {
        long place = offset % size;
        return place + length > size ? size : place;
    }

    /** {@return whether a unit could be put at this place now} */
    boolean isFree(long place, long length) {
        Map.Entry<Long, Long> before = taken.lowerEntry(place + length);
        return before == null || before.getValue() <= place;
    }

    /** Takes a free place. */
    ByteBuffer take(long place, long length) {
        taken.put(place, place + length);
        return workspace.buffer(place, length);
    }

    /** {@return whether the places in so many bytes are parts of one buffer} */
    boolean isWhole(long place, long length) {
        return workspace.isWhole(place, length);
    }

    /** {@return the memory of places that are taken and parts of one buffer} */
    ByteBuffer buffer(long place, long length) {
        return workspace.buffer(place, length);
    }

    /** Gives a place back. */
    void release(long place) {
        taken.remove(place);
    }
}
