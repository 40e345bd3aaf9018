package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.nio.ByteBuffer;

/** Reads an array whose elements are computed. */
record LineReader(Item.Line line) implements ArrayReader {
    @Override
    public ArraySpec spec() {
        return line.spec();
    }

    @Override
    public ReadTraits traits() {
        return ReadTraits.of(ReadTraits.Granularity.BYTES);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) {
        if (!Region.whole(spec().shape()).contains(region) || target.remaining() != region.elements() * itemSize()) {
            throw new IllegalArgumentException(
                    region + " of " + spec().shape() + " into " + target.remaining() + " bytes");
        }
        ByteBuffer to = target.slice().order(spec().byteOrder());
        long from = region.rank() == 0 ? 0 : region.start(0);
        for (long i = 0; i < region.elements(); i++) {
            double value = line.first() + (from + i) * line.step();
            if (spec().dataType().equals(DataType.FLOAT64)) {
                to.putDouble(value);
            } else {
                to.putInt((int) value);
            }
        }
        return true;
    }

    private int itemSize() {
        return spec().dataType().itemSize();
    }

    @Override
    public void close() {}
}
