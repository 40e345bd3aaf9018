package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A set of tasks that may run in any order, at the same time, anywhere. Task {@code i} is the window with ordinal
 * {@code i}; tasks are computed, never listed.
 *
 * @param name what it does, in a word
 * @param kind where it reads from and writes to
 * @param windows the regions of the tasks
 * @param source the chunks that are read, those of the source, or the pieces of a spill, or write units that are read
 *     back whole
 * @param units what is written whole: the target's write units or parts of them, or the pieces of a spill
 * @param band the largest part of a chunk that is read at once, null for whole chunks
 * @param unitsApart whether no read crosses a unit's border, so that it goes straight into the unit's buffer
 * @param axisOrder the axes in the order in which a window is traversed, the slowest first
 * @param memory what one process holds
 */
public record Stage(
        String name,
        Kind kind,
        ChunkGrid windows,
        ChunkGrid source,
        ChunkGrid units,
        @Nullable Shape band,
        boolean unitsApart,
        List<Integer> axisOrder,
        Memory memory) {
    /** The most windows under way at once where write units are put together from parts. */
    public static final int OPEN_WINDOWS = 2;

    /** Where a stage reads from and writes to. */
    public enum Kind {
        /** Encoded chunks from source to target. */
        ENCODED,
        /** From source to target. */
        DIRECT,
        /** From source to target, whose write units are put together from parts. */
        PARTS,
        /** From source to spill. */
        SPLIT,
        /** From one spill to the next. */
        REGROUP,
        /** From spill to target. */
        MERGE;

        /** {@return whether it reads from a spill, not from the source} */
        public boolean readsSpill() {
            return this == REGROUP || this == MERGE;
        }

        /** {@return whether it writes to a spill, not to the target} */
        public boolean writesSpill() {
            return this == SPLIT || this == REGROUP;
        }
    }

    /**
     * The memory of a stage in one process. The threads are lanes: each has a buffer for what it is reading, or for
     * what encoding takes; the rest is the ring, which holds the write units under way.
     *
     * @param lanes threads that read, decode, encode and write
     * @param readBytes the part of a lane's buffer that holds what was read and decoded
     * @param laneBytes a lane's whole buffer, with its scratch
     * @param nativeBytes what a lane holds outside of any buffer
     * @param ringBytes the units under way
     * @param wrapBytes room at the ring's end for a unit that would lie across it
     * @param segmentBytes where segments of the workspace end, unless it is shared and fits into one; where units do if
     *     they all have one size
     * @param spareBytes the largest buffer that may lie across the border of two segments
     * @param openBytes what write units hold that are being put together from parts
     * @param residentBytes the end of the workspace, which stays as it is from one stage to the next
     */
    public record Memory(
            int lanes,
            long readBytes,
            long laneBytes,
            long nativeBytes,
            long ringBytes,
            long wrapBytes,
            long segmentBytes,
            long spareBytes,
            long openBytes,
            long residentBytes) {
        /** {@return the addressable bytes of the workspace} */
        public long workspaceBytes() {
            return lanes * laneBytes + ringBytes + wrapBytes + residentBytes;
        }

        /** {@return the bytes held outside the workspace: by native codecs, and by incomplete write units} */
        public long outsideBytes() {
            return lanes * nativeBytes + openBytes;
        }

        /** {@return everything that is held} */
        public long total() {
            return Workspace.bytesFor(workspaceBytes(), segmentBytes, spareBytes) + outsideBytes();
        }
    }

    /**
     * {@return everything that is held if these stages, one after the other, have one workspace}
     *
     * <p>One may need more of its segments, another larger spares, and another more memory outside it. If they fit into
     * one segment, they have no other.
     */
    public static long totalBytes(List<Stage> stages) {
        long workspace = most(stages, Memory::workspaceBytes);
        long spaces = shareOneSegment(stages)
                ? workspace
                : Workspace.bytesFor(workspace, most(stages, Memory::segmentBytes), most(stages, Memory::spareBytes));
        return spaces + most(stages, Memory::outsideBytes);
    }

    /** {@return whether these stages have one segment for all, however they would cut a workspace of their own} */
    public static boolean shareOneSegment(List<Stage> stages) {
        return stages.size() != 1 && most(stages, Memory::workspaceBytes) <= Workspace.MAX_BUFFER;
    }

    /** {@return the most that one of these stages has of something; 0 if there is none} */
    public static long most(List<Stage> stages, ToLongFunction<Memory> size) {
        return stages.stream()
                .mapToLong(stage -> size.applyAsLong(stage.memory))
                .max()
                .orElse(0);
    }

    /** {@return this stage, with so many bytes for write units that are being put together} */
    Stage withOpenBytes(long bytes) {
        return with(bytes, memory.residentBytes);
    }

    /** {@return this stage, with so many bytes of a spill in memory} */
    Stage withResidentBytes(long bytes) {
        return with(memory.openBytes, bytes);
    }

    private Stage with(long openBytes, long residentBytes) {
        Memory changed = new Memory(
                memory.lanes,
                memory.readBytes,
                memory.laneBytes,
                memory.nativeBytes,
                memory.ringBytes,
                memory.wrapBytes,
                memory.segmentBytes,
                memory.spareBytes,
                openBytes,
                residentBytes);
        return new Stage(name, kind, windows, source, units, band, unitsApart, axisOrder, changed);
    }

    /** {@return the number of tasks} */
    public long tasks() {
        return windows.count();
    }

    /** {@return the bytes that a read has together in a chunk at most, where chunks are read in parts} */
    long readBytes(int itemSize) {
        return unitsApart ? together(bandShape().orElseThrow(), source, units) * itemSize : memory.readBytes;
    }

    /** {@return the elements of a band, cut at the borders of units, that lie together in a chunk} */
    static long together(Shape band, ChunkGrid chunks, ChunkGrid units) {
        long elements = 1;
        boolean together = true;
        for (int axis = band.rank() - 1; axis >= 0 && together; axis--) {
            long extent = Math.min(band.extent(axis), units.axis(axis).maxSize());
            elements *= extent;
            together = extent == chunks.axis(axis).maxSize();
        }
        return elements;
    }

    /** {@return the band, if chunks are read in parts} */
    public Optional<Shape> bandShape() {
        return Optional.ofNullable(band);
    }
}
