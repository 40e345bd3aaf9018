package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Assembles values from the pieces of slabs. */
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
        underWay.values().removeIf(SlabParts::isWritten);
    }

    @Override
    void omit(Unit unit, ByteBuffer lane) {
        throw new IllegalStateException("slabs are written as a whole");
    }

    /** Discards incomplete values. */
    @Override
    void close() {
        underWay.values().forEach(SlabParts::close);
    }
}
