package dev.rechunker.exec;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The write units under way, and the places that reads need to begin others.
 *
 * <p>Reads are admitted in order, and a read keeps the places it has found while it waits for the rest: nobody else can
 * be before it. Not thread-safe: used under the lock of its {@link Dataflow}.
 */
final class Admission {
    private final Stage stage;
    private final int itemSize;
    private final Ring ring;
    private final Map<Long, Unit> units = new HashMap<>();
    private final Map<Region, Long> unitsLeft = new HashMap<>();
    private ReadPlan.@Nullable Window window;
    private long windowOffset;
    private long offsetBehind;
    /** The units of the read that is waiting, from the first that has no place. */
    private @Nullable Odometer touched;

    private List<Unit> receivers = new ArrayList<>();

    Admission(Stage stage, int itemSize, Workspace workspace) {
        this.stage = stage;
        this.itemSize = itemSize;
        this.ring = new Ring(workspace, stage.memory().ringBytes());
    }

    /**
     * {@return the units that receive the read, row-major by index; or null as long as there is no room for all of
     * those it begins}
     *
     * @param read the read after the last one admitted, the same until it is
     */
    @Nullable
    List<Unit> admit(ReadPlan.Read read) {
        Odometer index = touched;
        if (index == null) {
            if (!open(read)) {
                return null;
            }
            index = new Odometer(stage.units().chunksTouching(read.part()));
            index.next();
            touched = index;
            receivers = new ArrayList<>();
        }
        do {
            Unit unit = unit(read.window(), index.index());
            if (unit == null) {
                return null;
            }
            receivers.add(unit);
        } while (index.next());
        touched = null;
        return receivers;
    }

    /** {@return whether the read's window is under way, or could be begun} */
    private boolean open(ReadPlan.Read read) {
        if (read.window() != window) {
            if (stage.kind() == Stage.Kind.PARTS && unitsLeft.size() >= Stage.OPEN_WINDOWS) {
                return false;
            }
            windowOffset = ring.windowStart(offsetBehind, read.window().bytes);
            offsetBehind = windowOffset + read.window().bytes;
            window = read.window();
            unitsLeft.put(
                    window.region, stage.units().chunksTouching(window.region).elements());
        }
        return true;
    }

    /** {@return the unit with this index, begun if there is room; else null} */
    private @Nullable Unit unit(ReadPlan.Window in, long[] index) {
        ChunkGrid grid = stage.units();
        long ordinal = grid.ordinal(index);
        Unit unit = units.get(ordinal);
        if (unit == null) {
            Region region = grid.region(index);
            long bytes = region.elements() * itemSize;
            long place = ring.place(windowOffset + in.layout.offset(index) * itemSize, bytes);
            if (!ring.isFree(place, bytes)) {
                return null;
            }
            unit = new Unit(in, region, ordinal, itemSize, place, ring.take(place, bytes));
            units.put(ordinal, unit);
        }
        return unit;
    }

    /** Gives back the place of a unit. */
    void end(Unit unit) {
        ring.release(unit.place);
        units.remove(unit.ordinal);
    }

    /** Counts one unit of a window as written; {@return whether it was the last} */
    boolean wasLast(Region ofWindow) {
        long left = unitsLeft.merge(ofWindow, -1L, Long::sum);
        if (left == 0) {
            unitsLeft.remove(ofWindow);
        }
        return left == 0;
    }
}
