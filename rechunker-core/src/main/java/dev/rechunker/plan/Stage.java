package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A set of tasks that may run in any order, at the same time, and in any process. Task {@code i} is the window with
 * ordinal {@code i}. Tasks are computed from their numbers, and never listed.
 *
 * @param name the name of the stage: what it does, in a word
 * @param kind where the stage reads from and writes to
 * @param windows the regions of the tasks
 * @param source the chunks that are read: those of the source, or pieces of a spill, or write units that are read back
 *     as a whole
 * @param units the regions that are written as a whole: write units of the target, parts of them, or pieces of a spill
 * @param band the largest part of a chunk that is read at once; null for whole chunks
 * @param unitsApart whether no read crosses the border of a unit, so that data are read straight into the unit's buffer
 * @param axisOrder the axes in the order in which a window is traversed, the slowest first
 * @param memory the memory of the stage in one process
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
    /** The most unfinished windows at the same time if write units are assembled from parts. */
    public static final int OPEN_WINDOWS = 2;

    /** Where a stage reads from and writes to. */
    public enum Kind {
        /** Encoded write units from source to target, as a whole. */
        ENCODED,
        /** Encoded chunks from source to target, of whose write units they become a part. */
        PACKED,
        /** From source to target. */
        DIRECT,
        /** From source to target, whose write units are assembled from parts. */
        PARTS,
        /** From source to spill. */
        SPLIT,
        /** From one spill to the next. */
        REGROUP,
        /** From spill to target. */
        MERGE;

        /** {@return whether nothing is decoded} */
        public boolean isEncoded() {
            return this == ENCODED || this == PACKED;
        }

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
     * The memory of a stage in one process. Each thread is a lane: it has a buffer for reading and encoding. The rest
     * is the ring, which contains the unfinished write units.
     *
     * @param lanes the number of threads that read, decode, encode and write
     * @param readBytes the part of a lane's buffer for data that were read and decoded
     * @param laneBytes the whole buffer of a lane, with its scratch
     * @param nativeBytes the bytes that a lane uses outside of any buffer
     * @param ringBytes the size of the ring
     * @param wrapBytes the space at the end of the ring for a unit that would cross it
     * @param segmentBytes the size of the segments of the workspace, unless it is shared and fits into one segment; a
     *     multiple of the size of units if they all have the same size
     * @param spareBytes the size of the largest buffer that may cross the border of two segments
     * @param openBytes the bytes of write units that are being assembled from parts
     * @param residentBytes the part at the end of the workspace that keeps its content from one stage to the next
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

        /** {@return the bytes in use outside the workspace: by native codecs, and by write units that are assembled} */
        public long outsideBytes() {
            return lanes * nativeBytes + openBytes;
        }

        /** {@return all bytes in use} */
        public long total() {
            return Workspace.bytesFor(workspaceBytes(), segmentBytes, spareBytes) + outsideBytes();
        }
    }

    /**
     * {@return all bytes in use by stages that share a workspace, one after the other}
     *
     * <p>One stage may need more segments, another one larger spare buffers, and another one more memory outside the
     * workspace. If all fit into one segment, there is no other.
     */
    public static long totalBytes(List<Stage> stages) {
        long workspace = most(stages, Memory::workspaceBytes);
        long spaces = shareOneSegment(stages)
                ? workspace
                : Workspace.bytesFor(workspace, most(stages, Memory::segmentBytes), most(stages, Memory::spareBytes));
        return spaces + most(stages, Memory::outsideBytes);
    }

    /** {@return whether stages share a workspace of one segment, also if each alone would have several} */
    public static boolean shareOneSegment(List<Stage> stages) {
        return stages.size() != 1 && most(stages, Memory::workspaceBytes) <= Workspace.MAX_BUFFER;
    }

    /** {@return the largest size of a kind that a stage has; 0 if there is no stage} */
    public static long most(List<Stage> stages, ToLongFunction<Memory> size) {
        return stages.stream()
                .mapToLong(stage -> size.applyAsLong(stage.memory))
                .max()
                .orElse(0);
    }

    /** {@return this stage with a number of bytes for write units that are assembled from parts} */
    Stage withOpenBytes(long bytes) {
        return with(bytes, memory.residentBytes);
    }

    /** {@return this stage with a number of bytes of a spill that stay in memory} */
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

    /** {@return the most bytes of a read that are contiguous in a chunk, if chunks are read in parts} */
    long readBytes(int itemSize) {
        return unitsApart ? together(bandShape().orElseThrow(), source, units) * itemSize : memory.readBytes;
    }

    /** {@return the number of contiguous elements of a chunk in a band that is cut at the borders of units} */
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
