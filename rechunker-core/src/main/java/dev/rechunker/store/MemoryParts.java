package dev.rechunker.store;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The incomplete write units of an array: each becomes a unit of the array when its last part arrives. */
final class MemoryParts {
    private final MemoryArray array;
    private final Map<Region, Incomplete> units = new HashMap<>();

    /** An incomplete unit; its elements are null until a part is written that is not omitted. */
    private static final class Incomplete {
        final Set<Region> arrived = new HashSet<>();
        byte @Nullable [] elements;
    }

    MemoryParts(MemoryArray array) {
        this.array = array;
    }

    /**
     * Adds a part.
     *
     * @param data its elements, or null if it is omitted
     */
    synchronized void put(Region part, @Nullable ByteBuffer data) {
        ChunkGrid grid = array.parts();
        if (grid.equals(array.spec().writeUnits())) {
            throw new UnsupportedOperationException(array.name() + " writes whole units");
        }
        Region unit = array.unitOfPart(part);
        Incomplete incomplete = units.computeIfAbsent(unit, region -> new Incomplete());
        if (data != null) {
            if (incomplete.elements == null) {
                incomplete.elements = array.filled(unit);
            }
            array.place(part, data, unit, incomplete.elements);
        }
        incomplete.arrived.add(part);
        if (incomplete.arrived.size() == grid.chunksTouching(unit).elements()) {
            units.remove(unit);
            if (incomplete.elements != null) {
                array.setUnit(unit, incomplete.elements);
            }
        }
    }

    /** Refuses a commit while a unit is incomplete. */
    synchronized void requireNone() {
        units.forEach((unit, incomplete) -> {
            throw new IllegalStateException(array.name() + ": " + unit + " has received "
                    + incomplete.arrived.size() + " of its "
                    + array.parts().chunksTouching(unit).elements() + " parts");
        });
    }
}
