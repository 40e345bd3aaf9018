package dev.rechunker.store;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The write units of an array that have received some of their parts; they become its units with their last one. */
final class MemoryParts {
    private final MemoryArray array;
    private final Map<Region, Incomplete> units = new HashMap<>();

    /** A unit in the making; no elements as long as all of its parts were left out. */
    private static final class Incomplete {
        final Set<Region> arrived = new HashSet<>();
        byte @Nullable [] elements;
    }

    MemoryParts(MemoryArray array) {
        this.array = array;
    }

    /**
     * Takes a part.
     *
     * @param data its elements, or null if it is left out
     */
    synchronized void put(Region part, @Nullable ByteBuffer data) {
        ChunkGrid grid = array.parts();
        if (grid.equals(array.spec().writeUnits())) {
            throw new UnsupportedOperationException("write units of " + array.name() + " are written whole");
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

    /** Refuses to end while a unit still waits for some of its parts. */
    synchronized void requireNone() {
        units.forEach((unit, incomplete) -> {
            throw new IllegalStateException(array.name() + ": " + unit + " has received "
                    + incomplete.arrived.size() + " of its "
                    + array.parts().chunksTouching(unit).elements() + " parts");
        });
    }
}
