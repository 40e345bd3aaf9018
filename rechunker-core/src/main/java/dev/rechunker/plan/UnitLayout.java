package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import java.math.RoundingMode;

/**
 * The layout of the buffers of units in a workspace. If all units have the same size, segments and the ring end at
 * multiples of it, so that no buffer crosses an end. Otherwise there must be space for one that does.
 *
 * @param unitBytes the size of the buffer of the largest unit
 * @param borderBytes the number of which the size of segments is a multiple
 * @param even whether all units have the same size, of which segments are multiples
 * @param mostUnits the most units of the largest size that may be unfinished at the same time
 */
record UnitLayout(long unitBytes, long borderBytes, boolean even, long mostUnits) {
    /**
     * The most units that may be unfinished at the same time. With more units, which would be tiny, their bookkeeping
     * would take more memory than their elements.
     */
    private static final long MOST_UNITS = 1 << 17;

    /** The least size of a segment for a thread to allocate. */
    private static final long LEAST_SEGMENT = 16 << 20;

    /** Spare buffers have at most this part of the size of the ring. */
    private static final long MOST_SPARES = 8;

    /** {@return the layout of a problem's write units in a workspace of their own} */
    static UnitLayout of(Problem problem) {
        return of(problem.target(), problem.itemSize());
    }

    /** {@return the layout of these units in a workspace of their own} */
    static UnitLayout of(ChunkGrid units, int itemSize) {
        long bytes = itemSize;
        boolean even = true;
        for (Partition axis : units.axes()) {
            bytes = Math.multiplyExact(bytes, axis.maxSize());
            even &= axis.count() <= 1 || (axis.isRegular() && axis.length() % axis.step() == 0);
        }
        even &= bytes > 0 && bytes <= Workspace.MAX_BUFFER;
        return new UnitLayout(bytes, even ? bytes : Workspace.MAX_BUFFER, even, MOST_UNITS);
    }

    /** {@return the layout of these units in the workspace of others} */
    UnitLayout inside(UnitLayout other) {
        long segment = other.segmentBytes();
        return new UnitLayout(unitBytes, segment, even && segment % unitBytes == 0, mostUnits);
    }

    private long segmentBytes() {
        return Workspace.segmentBytes(borderBytes);
    }

    /** {@return a number of bytes, rounded up to a multiple of units if they are even} */
    long roundUp(long bytes) {
        return even ? (bytes + unitBytes - 1) / unitBytes * unitBytes : bytes;
    }

    /** {@return a number of bytes, rounded down to a multiple of units if they are even} */
    long roundDown(long bytes) {
        return even ? bytes / unitBytes * unitBytes : bytes;
    }

    /** {@return the space that the ring needs at its end, in bytes} */
    long wrapBytes() {
        return even ? 0 : unitBytes;
    }

    /** {@return the size of the largest buffer that can cross the border of two segments} */
    long spareBytes(Lane lane) {
        return even ? lane.bufferBytes() : Math.max(lane.bufferBytes(), unitBytes);
    }

    /**
     * {@return the largest size of the ring with a number of lanes in a memory limit; negative if not even the buffers
     * of the lanes fit, or one of them exceeds the largest possible buffer}
     */
    long ringLimit(Lane lane, int lanes, long maxMem) {
        if (lane.bufferBytes() > Workspace.MAX_BUFFER) {
            return -1;
        }
        long ring = addressable(maxMem - lanes * lane.nativeBytes(), spareBytes(lane)) - lanes * lane.bufferBytes();
        return unitBytes > Long.MAX_VALUE / mostUnits ? ring : Math.min(ring, mostUnits * unitBytes);
    }

    /** {@return the size of the largest workspace that takes at most {@code bytes}, spare buffers included} */
    private long addressable(long bytes, long spare) {
        if (bytes <= Workspace.MAX_BUFFER) {
            return bytes;
        }
        long segment = segmentBytes();
        long borders = (bytes - 1) / (segment + spare);
        return Math.max(Workspace.MAX_BUFFER, Math.min((borders + 1) * segment, bytes - borders * spare));
    }

    /** {@return the memory of a stage with a number of lanes, in the largest segments} */
    Stage.Memory memory(Lane lane, int lanes, long ringBytes, long wrapBytes) {
        return memory(lane, lanes, ringBytes, wrapBytes, segmentBytes(), spareBytes(lane));
    }

    /**
     * {@return the memory of a stage that does not share its workspace}
     *
     * <p>There is about one segment for each lane, so that they are allocated at the same time. There is one segment
     * only if the workspace is small, or if in the memory limit there are no segments whose borders only units can
     * cross. A workspace that is too large for one segment has segments of the largest size.
     */
    Stage.Memory memoryOfItsOwn(Lane lane, int lanes, long ringBytes, long wrapBytes, long maxMem) {
        Stage.Memory largest = memory(lane, lanes, ringBytes, wrapBytes);
        long size = largest.workspaceBytes();
        long border = even ? unitBytes : 1;
        long spare = even ? 0 : unitBytes;
        for (long parts = segments(lanes, size); parts > 1; parts--) {
            long segment = LongMath.divide(size, parts * border, RoundingMode.CEILING) * border;
            Stage.Memory cut = memory(lane, lanes, ringBytes, wrapBytes, segment, spare);
            if ((parts - 1) * segment <= ringBytes && cut.total() <= maxMem) {
                return cut;
            }
        }
        return size <= Workspace.MAX_BUFFER
                ? memory(lane, lanes, ringBytes, wrapBytes, Workspace.MAX_BUFFER, 0)
                : largest;
    }

    private static Stage.Memory memory(
            Lane lane, int lanes, long ringBytes, long wrapBytes, long segmentBytes, long spareBytes) {
        return new Stage.Memory(
                lanes,
                lane.readBytes(),
                lane.bufferBytes(),
                lane.nativeBytes(),
                ringBytes,
                wrapBytes,
                segmentBytes,
                spareBytes,
                0,
                0);
    }

    /** {@return the bytes of the spare buffers in {@link #memoryOfItsOwn}} */
    long sparesOf(long ringBytes, int lanes) {
        return even ? 0 : (segments(lanes, ringBytes) - 1) * unitBytes;
    }

    /** {@return the number of segments in which memory is allocated; 1 if it is small} */
    private long segments(int lanes, long bytes) {
        long most = even ? lanes : 1 + bytes / MOST_SPARES / Math.max(1, unitBytes);
        return bytes > Workspace.MAX_BUFFER ? 1 : Math.max(1, Math.min(Math.min(lanes, most), bytes / LEAST_SEGMENT));
    }
}
