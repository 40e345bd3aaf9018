package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Puts the pieces of slabs together to values. */
final class SlabOutput extends UnitOutput {
    private final SlabValues.Writer writer;
    private final Map<Region, SlabParts> underWay = new HashMap<>();

    SlabOutput(SlabValues.Writer writer) {
        this.writer = writer;
    }

    @Override
    List<Parcel> add(Unit unit) {
        return underWay.computeIfAbsent(unit.window.region, writer::slab).add(unit);
    }

    @Override
    void remove(Parcel parcel) {
        underWay.values().removeIf(SlabParts::isPut);
    }

    @Override
    void omit(Unit unit, ByteBuffer lane) {
        throw new IllegalStateException("a slab is put whole");
    }

    /** Gives up what is not complete. */
    @Override
    void close() {
        underWay.values().forEach(SlabParts::close);
    }
}
