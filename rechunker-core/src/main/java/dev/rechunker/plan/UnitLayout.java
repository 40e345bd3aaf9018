package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import java.math.RoundingMode;

/**
 * How the buffers of units lie in a workspace. If all have one size, its multiples can be where segments end and where
 * the ring wraps around, so that none ever lies across; else there must be room for one that does.
 *
 * @param unitBytes the buffer of the largest unit
 * @param borderBytes segments of the workspace end at multiples of it
 * @param even whether all units have the same size, of which segments are multiples
 * @param mostUnits the most units of the largest size that are under way at once
 */
record UnitLayout(long unitBytes, long borderBytes, boolean even, long mostUnits) {
    /** Less than so much is made by one thread. */
    private static final long LEAST_SEGMENT = 16 << 20;

    /** Spares take at most this part of what they are besides. */
    private static final long MOST_SPARES = 8;

    /** {@return the layout of a problem's write units in a workspace of their own} */
    static UnitLayout of(Problem problem) {
        return of(problem.target(), problem.itemSize(), problem.mostUnits());
    }

    /** {@return the layout of these units in a workspace of their own} */
    static UnitLayout of(ChunkGrid units, int itemSize, long mostUnits) {
        long bytes = itemSize;
        boolean even = true;
        for (Partition axis : units.axes()) {
            bytes = Math.multiplyExact(bytes, axis.maxSize());
            even &= axis.count() <= 1 || (axis.isRegular() && axis.length() % axis.step() == 0);
        }
        even &= bytes > 0 && bytes <= Workspace.MAX_BUFFER;
        return new UnitLayout(bytes, even ? bytes : Workspace.MAX_BUFFER, even, mostUnits);
    }

    /** {@return the layout of these units in the workspace of others} */
    UnitLayout inside(UnitLayout other) {
        long segment = other.segmentBytes();
        return new UnitLayout(unitBytes, segment, even && segment % unitBytes == 0, mostUnits);
    }

    private long segmentBytes() {
        return Workspace.segmentBytes(borderBytes);
    }

    /** {@return so many bytes, or the next number of bytes at which a unit ends, if they are even} */
    long roundUp(long bytes) {
        return even ? (bytes + unitBytes - 1) / unitBytes * unitBytes : bytes;
    }

    /** {@return so many bytes, or the last number of bytes at which a unit ends, if they are even} */
    long roundDown(long bytes) {
        return even ? bytes / unitBytes * unitBytes : bytes;
    }

    /** {@return the room that the ring needs at its end} */
    long wrapBytes() {
        return even ? 0 : unitBytes;
    }

    /** {@return the largest buffer that can lie across the border of two segments} */
    long spareBytes(Lane lane) {
        return even ? lane.bufferBytes() : Math.max(lane.bufferBytes(), unitBytes);
    }

    /**
     * {@return what a bound leaves for the ring when so many lanes have their buffers; negative if not even those fit,
     * or one of them is larger than a buffer can be}
     */
    long ringLimit(Lane lane, int lanes, long maxMem) {
        if (lane.bufferBytes() > Workspace.MAX_BUFFER) {
            return -1;
        }
        long ring = addressable(maxMem - lanes * lane.nativeBytes(), spareBytes(lane)) - lanes * lane.bufferBytes();
        return unitBytes > Long.MAX_VALUE / mostUnits ? ring : Math.min(ring, mostUnits * unitBytes);
    }

    /** {@return the size of the largest workspace that holds at most so many bytes, its spares included} */
    private long addressable(long bytes, long spare) {
        if (bytes <= Workspace.MAX_BUFFER) {
            return bytes;
        }
        long segment = segmentBytes();
        long borders = (bytes - 1) / (segment + spare);
        return Math.max(Workspace.MAX_BUFFER, Math.min((borders + 1) * segment, bytes - borders * spare));
    }

    /** {@return the memory of a stage with so many lanes, in the largest segments} */
    Stage.Memory memory(Lane lane, int lanes, long ringBytes, long wrapBytes) {
        return memory(lane, lanes, ringBytes, wrapBytes, segmentBytes(), spareBytes(lane));
    }

    /**
     * {@return the memory of a stage that has its workspace for itself, in about one segment for each lane, so that
     * they are made at the same time; in one, if it is small, or no segments fit into the bound whose borders only
     * units can lie across; or, if it is too large for one, in the largest}
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

    /** {@return what a ring leaves to the spares of {@link #memoryOfItsOwn}} */
    long sparesOf(long ringBytes, int lanes) {
        return even ? 0 : (segments(lanes, ringBytes) - 1) * unitBytes;
    }

    /** {@return in how many segments so much is made; 1 for what is small} */
    private long segments(int lanes, long bytes) {
        long most = even ? lanes : 1 + bytes / MOST_SPARES / Math.max(1, unitBytes);
        return bytes > Workspace.MAX_BUFFER ? 1 : Math.max(1, Math.min(Math.min(lanes, most), bytes / LEAST_SEGMENT));
    }
}
