package dev.rechunker.io.zarr;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.PartTraits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts the write units of an array together from parts that come in any order, from any number of threads. A unit is
 * seen by readers when its last part has come.
 */
final class UnitAssembly implements Closeable {
    /** What a unit in the making holds besides the places of its parts, at most: its names, mostly. */
    private static final long UNIT_BYTES = 2048;

    private final StoredArray array;
    private final UnitForm form;
    private final int itemSize;
    private final byte[] fill;
    private final Shape counts;
    private final ConcurrentMap<String, Incomplete> units = new ConcurrentHashMap<>();

    /** A unit in the making; its fields are guarded by itself. */
    private static final class Incomplete {
        final long[] places;
        final int[] sizes;
        /** Parts that have not come. */
        long left;

        long end;
        /** Where it goes; none as long as all of its parts were left out. */
        @Nullable
        ByteSink sink;

        Incomplete(int parts, long left, long start) {
            places = new long[parts];
            sizes = new int[parts];
            Arrays.fill(places, UnitForm.OMITTED);
            Arrays.fill(sizes, -1);
            this.left = left;
            this.end = start;
        }

        /** Notes where a part is, and that it has come. */
        synchronized boolean isLast(int part, long place, int size) {
            if (sizes[part] < 0) {
                left--;
            }
            places[part] = place;
            sizes[part] = size;
            return left == 0;
        }
    }

    UnitAssembly(StoredArray array, UnitForm form) {
        this.array = array;
        this.form = form;
        this.itemSize = array.layout().spec().dataType().itemSize();
        this.fill = array.layout().spec().fillValue().element(itemSize);
        this.counts = form.unit().combine(form.part(), (unit, part) -> (unit + part - 1) / part);
    }

    PartTraits traits() {
        Codec.Needs needs = form.needs();
        long part = Math.multiplyExact(form.part().elements(), (long) itemSize);
        return new PartTraits(
                form.grid(),
                part + Math.max(needs.scratchBytes(), form.headBytes()),
                needs.nativeBytes() + array.store().sourceBytes(),
                (Long.BYTES + Integer.BYTES) * counts.elements() + UNIT_BYTES);
    }

    /**
     * Takes a part.
     *
     * @param data its elements, dense, or null if it is left out
     */
    void put(Region part, @Nullable ByteBuffer data, Scratch scratch) throws IOException {
        String key = array.key(part);
        int mark = scratch.mark();
        try {
            Incomplete unit = units.computeIfAbsent(key, k -> begin(part));
            int index = index(part);
            Shape nominal = nominal(index);
            boolean last;
            if (data == null) {
                last = unit.isLast(index, UnitForm.OMITTED, 0);
            } else {
                ByteBuffer elements = data;
                if (!nominal.equals(part.shape())) {
                    elements = scratch.take(nominal.elements() * itemSize);
                    StridedCopy.pad(data.slice(), part.shape().toArray(), elements, nominal.toArray(), fill);
                }
                last = store(key, unit, index, elements, scratch);
            }
            scratch.release(mark);
            if (last) {
                finish(key, unit, scratch);
            }
        } catch (IOException e) {
            throw array.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    private Incomplete begin(Region part) {
        Region unit = array.layout()
                .spec()
                .writeUnits()
                .region(array.layout().spec().writeUnits().chunksTouching(part).origin());
        return new Incomplete(
                Math.toIntExact(counts.elements()),
                form.grid().chunksTouching(unit).elements(),
                form.start());
    }

    /** Encodes a part and puts it down; {@return whether it was the last} */
    private boolean store(String key, Incomplete unit, int part, ByteBuffer elements, Scratch scratch)
            throws IOException {
        ByteBuffer encoded = form.encode(elements, scratch);
        int size = encoded.remaining();
        long place;
        ByteSink sink;
        synchronized (unit) {
            if (unit.sink == null) {
                unit.sink = array.store().createShared(key);
            }
            sink = unit.sink;
            // What is written again goes to the place it had, or a unit could grow without a bound.
            boolean again = unit.places[part] != UnitForm.OMITTED && size <= unit.sizes[part];
            place = again ? unit.places[part] : form.place(part).orElse(unit.end);
            unit.end = Math.max(unit.end, place + size);
        }
        sink.write(place, encoded);
        return unit.isLast(part, place, size);
    }

    /** Fills in what was left out, and what lies outside of the array; makes the unit visible. */
    private void finish(String key, Incomplete unit, Scratch scratch) throws IOException {
        ByteSink sink = unit.sink;
        if (sink != null) {
            for (int part = 0; part < unit.places.length && !form.sparse(); part++) {
                if (unit.places[part] == UnitForm.OMITTED) {
                    int mark = scratch.mark();
                    store(key, unit, part, filled(nominal(part), scratch), scratch);
                    scratch.release(mark);
                }
            }
            ByteBuffer head = scratch.take(form.headBytes());
            long size = form.finish(sink, unit.places, unit.sizes, unit.end, head);
            sink.commit();
            array.stored(size);
        }
        units.remove(key);
    }

    private ByteBuffer filled(Shape shape, Scratch scratch) {
        ByteBuffer elements = scratch.take(shape.elements() * itemSize);
        long[] strides = StridedCopy.denseStrides(shape.toArray(), itemSize);
        StridedCopy.fill(elements, 0, strides, shape.toArray(), fill);
        return elements;
    }

    /** {@return the place of a part in its unit, in C order} */
    private int index(Region part) {
        long index = 0;
        for (int axis = 0; axis < part.rank(); axis++) {
            long inUnit = part.start(axis) % form.unit().extent(axis);
            index = index * counts.extent(axis) + inUnit / form.part().extent(axis);
        }
        return (int) index;
    }

    /** {@return the shape of a part as it is encoded} */
    private Shape nominal(int part) {
        long rest = part;
        long[] extents = new long[counts.rank()];
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            long start = rest % counts.extent(axis) * form.part().extent(axis);
            extents[axis] = Math.min(form.part().extent(axis), form.unit().extent(axis) - start);
            rest /= counts.extent(axis);
        }
        return Shape.of(extents);
    }

    /**
     * Refuses to end while a unit lacks parts.
     *
     * @throws IllegalStateException if one does
     */
    void requireComplete() {
        units.forEach((key, unit) -> {
            throw new IllegalStateException(
                    array.name() + ", chunk " + key + ": " + unit.left + " of its parts are missing");
        });
    }

    /** Removes what is incomplete, as far as that is possible; whoever writes there next removes the rest. */
    @Override
    public void close() {
        for (Incomplete unit : units.values()) {
            if (unit.sink != null) {
                discard(unit.sink);
            }
        }
        units.clear();
    }

    private static void discard(ByteSink sink) {
        try {
            sink.close();
        } catch (IOException e) {
            return;
        }
    }
}
