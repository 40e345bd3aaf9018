package dev.rechunker.store;

import com.google.common.primitives.Ints;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one array in memory: the write units that were written, by ordinal, each dense, in C order and
 * clipped at the array's ends. Units are replaced, never changed, so readers need no lock.
 */
final class MemoryArray {
    /** The largest array that every JVM can allocate. */
    private static final int LARGEST = Integer.MAX_VALUE - 8;
    /** What readers deliver outside of the array. */
    private static final byte[] PADDING = {(byte) 0xA5};

    private final String name;
    private final ArraySpec spec;
    private final Behavior behavior;
    private final ConcurrentMap<Long, byte[]> units = new ConcurrentHashMap<>();

    /** How the store behaves; see {@link MemoryStore.Builder}. */
    record Behavior(
            String store,
            ReadTraits.Granularity granularity,
            long blockBytes,
            boolean paddedEdges,
            boolean encoded,
            boolean parts) {}

    MemoryArray(String name, ArraySpec spec, Behavior behavior) {
        this.name = name;
        this.spec = spec;
        this.behavior = behavior;
    }

    /** Checks that the store can hold an array. */
    static void requireHeld(ArraySpec spec, Behavior behavior) throws StoreException {
        ChunkGrid grid = spec.writeUnits();
        try {
            grid.count();
            spec.chunks().count();
            Shape largest = behavior.paddedEdges ? grid.chunkShape() : grid.largestChunk();
            if (bytes(largest, spec) > LARGEST) {
                throw new StoreException("write units of " + largest + " " + spec.dataType()
                        + " exceed 2^31 bytes and cannot be held by " + behavior.store);
            }
        } catch (ArithmeticException e) {
            throw new StoreException(spec + " has too many chunks, or too large ones, for " + behavior.store, e);
        }
        for (int axis = 0; axis < grid.rank(); axis++) {
            Partition shards = grid.axis(axis);
            Partition chunks = spec.chunks().axis(axis);
            if (shards.pieces(chunks) != chunks.count()) {
                throw new StoreException("shards do not hold whole chunks on axis " + axis + ": shards " + shards
                        + ", chunks " + chunks);
            }
        }
    }

    /** {@return an array with larger extents that holds the same units} */
    MemoryArray grown(ArraySpec larger) {
        MemoryArray grown = new MemoryArray(name, larger, behavior);
        units.forEach((ordinal, elements) -> {
            Region unit = spec.writeUnits().regionAt(ordinal);
            grown.units.put(ordinalOf(larger.writeUnits(), unit), grown.fitting(unit, elements));
        });
        return grown;
    }

    /** {@return the elements of a unit that may have become larger, the fill value where it grew} */
    private byte[] fitting(Region unit, byte[] elements) {
        Region larger = holder(spec.writeUnits(), unit);
        if (larger.equals(unit)) {
            return elements;
        }
        byte[] fill = spec.fillValue().element(spec.dataType().itemSize());
        ByteBuffer all = ByteBuffer.allocate(Ints.checkedCast(bytes(larger.shape(), spec)));
        long[] extents = {all.capacity() / fill.length};
        StridedCopy.fill(all, 0, new long[] {fill.length}, extents, fill);
        copy(ByteBuffer.wrap(elements), 0, unit, unit.shape(), all, 0, larger, larger.shape(), unit);
        return all.array();
    }

    String name() {
        return name;
    }

    ArraySpec spec() {
        return spec;
    }

    ReadTraits readTraits() {
        boolean padded = behavior.granularity != ReadTraits.Granularity.BYTES && behavior.paddedEdges;
        boolean stream = behavior.granularity == ReadTraits.Granularity.STREAM
                && !spec.shape().isEmpty();
        Shape chunk = padded ? spec.chunks().chunkShape() : spec.chunks().largestChunk();
        ReadTraits traits = ReadTraits.of(behavior.granularity)
                .withPaddedEdges(padded)
                .withScratchBytes(stream ? bytes(chunk, spec) : 0);
        return stream ? traits.withBlockBytes(behavior.blockBytes) : traits;
    }

    WriteTraits writeTraits() {
        WriteTraits traits = WriteTraits.PLAIN.withPaddedEdges(behavior.paddedEdges);
        if (behavior.encoded) {
            traits = traits.withEncoded(WriteTraits.EncodedTraits.of(encodingIdentity()));
        }
        if (behavior.encoded) {
            traits = traits.withEncodedChunks(WriteTraits.EncodedTraits.of(encodingIdentity()));
        }
        ChunkGrid parts = parts();
        return parts.equals(spec.writeUnits()) ? traits : traits.withParts(WriteTraits.PartTraits.of(parts));
    }

    /** {@return the grid of the parts of units; the grid of units if they are written whole} */
    ChunkGrid parts() {
        ChunkGrid units = spec.writeUnits();
        if (!behavior.parts || !units.isRegular() || spec.shards().isPresent()) {
            return behavior.parts ? spec.chunks() : units;
        }
        List<Partition> axes = new ArrayList<>(units.axes());
        for (int axis = 0; axis < axes.size(); axis++) {
            if (units.axis(axis).maxSize() > 1) {
                axes.set(axis, Partition.regular(units.axis(axis).length(), 1));
                break;
            }
        }
        return ChunkGrid.of(axes);
    }

    boolean encoded() {
        return behavior.encoded;
    }

    /** {@return the name of raw elements of one type and order} */
    String encodingIdentity() {
        return "raw " + spec.dataType() + " " + spec.byteOrder();
    }

    /** {@return the elements of the unit with this region, or null if it was not written} */
    byte @Nullable [] unit(Region unit) {
        return units.get(ordinal(spec.writeUnits(), unit));
    }

    /** {@return the elements of a chunk, or null if its unit was not written} */
    byte @Nullable [] chunk(Region chunk) {
        if (!holder(spec.chunks(), chunk).equals(chunk)) {
            throw new IllegalArgumentException(chunk + " is not a chunk of " + name + ": " + spec.chunks());
        }
        Region held = holder(spec.writeUnits(), chunk);
        byte[] unit = units.get(ordinalOf(spec.writeUnits(), chunk));
        if (unit == null) {
            return null;
        }
        byte[] elements = new byte[Ints.checkedCast(bytes(chunk.shape(), spec))];
        ByteBuffer target = ByteBuffer.wrap(elements);
        copy(ByteBuffer.wrap(unit), 0, held, held.shape(), target, 0, chunk, chunk.shape(), chunk);
        return elements;
    }

    void setUnit(Region unit, byte[] elements) {
        units.put(ordinal(spec.writeUnits(), unit), elements);
    }

    void erase(Region unit) {
        units.remove(ordinal(spec.writeUnits(), unit));
    }

    boolean read(Region region, ByteBuffer target) {
        ReadTraits traits = readTraits();
        ChunkGrid grid = spec.chunks();
        Region chunk = holder(grid, region);
        if (!chunk.contains(region)
                || (traits.granularity() != ReadTraits.Granularity.BYTES && !chunk.equals(region))) {
            throw new IllegalArgumentException(
                    region + " is not " + (traits.granularity() == ReadTraits.Granularity.BYTES ? "part of " : "")
                            + "one chunk of " + name + ": " + grid);
        }
        Shape layout = traits.paddedEdges() ? grid.nominalShape(region) : region.shape();
        requireSize(region, target, layout);
        byte[] unit = units.get(ordinalOf(spec.writeUnits(), region));
        if (unit == null) {
            return false;
        }
        int position = target.position();
        if (!layout.equals(region.shape())) {
            StridedCopy.fill(target, position, new long[] {1}, new long[] {target.remaining()}, PADDING);
        }
        Region held = holder(spec.writeUnits(), region);
        copy(ByteBuffer.wrap(unit), 0, held, held.shape(), target, position, region, layout, region);
        return true;
    }

    void write(Region unit, ByteBuffer data) {
        requireUnit(unit);
        Shape layout = writeTraits().paddedEdges() ? spec.writeUnits().nominalShape(unit) : unit.shape();
        requireSize(unit, data, layout);
        byte[] elements = new byte[Ints.checkedCast(bytes(unit.shape(), spec))];
        copy(data, data.position(), unit, layout, ByteBuffer.wrap(elements), 0, unit, unit.shape(), unit);
        setUnit(unit, elements);
    }

    /** {@return the unit that a part belongs to, if it is one of {@link #parts()}} */
    Region unitOfPart(Region part) {
        if (!holder(parts(), part).equals(part)) {
            throw new IllegalArgumentException(part + " is not a part of a write unit of " + name + ": " + parts());
        }
        return holder(spec.writeUnits(), part);
    }

    /** {@return the elements of a unit that contains only the fill value} */
    byte[] filled(Region unit) {
        byte[] elements = new byte[Ints.checkedCast(bytes(unit.shape(), spec))];
        StridedCopy.pad(
                ByteBuffer.allocate(0),
                new long[unit.rank()],
                ByteBuffer.wrap(elements),
                unit.shape().toArray(),
                spec.fillValue().element(spec.dataType().itemSize()));
        return elements;
    }

    /** Copies the elements of a part into those of its unit. */
    void place(Region part, ByteBuffer data, Region unit, byte[] elements) {
        requireSize(part, data, part.shape());
        copy(data, data.position(), part, part.shape(), ByteBuffer.wrap(elements), 0, unit, unit.shape(), part);
    }

    /** Writes all units from all elements. */
    void scatter(byte[] elements) {
        ChunkGrid grid = spec.writeUnits();
        Region whole = Region.whole(spec.shape());
        for (long ordinal = 0; ordinal < grid.count(); ordinal++) {
            Region unit = grid.regionAt(ordinal);
            byte[] held = new byte[Ints.checkedCast(bytes(unit.shape(), spec))];
            copy(
                    ByteBuffer.wrap(elements),
                    0,
                    whole,
                    whole.shape(),
                    ByteBuffer.wrap(held),
                    0,
                    unit,
                    unit.shape(),
                    unit);
            units.put(ordinal, held);
        }
    }

    /** {@return all elements, the fill value where nothing was written} */
    byte[] gather() {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(spec.bytes()));
        int itemSize = spec.dataType().itemSize();
        StridedCopy.fill(
                all,
                0,
                new long[] {itemSize},
                new long[] {all.capacity() / itemSize},
                spec.fillValue().element(itemSize));
        Region whole = Region.whole(spec.shape());
        units.forEach((ordinal, held) -> {
            Region unit = spec.writeUnits().regionAt(ordinal);
            copy(ByteBuffer.wrap(held), 0, unit, unit.shape(), all, 0, whole, whole.shape(), unit);
        });
        return all.array();
    }

    void requireUnit(Region unit) {
        Region expected = holder(spec.writeUnits(), unit);
        if (!expected.equals(unit)) {
            throw new IllegalArgumentException(unit + " is not a write unit of " + name + ": " + spec.writeUnits());
        }
    }

    private void requireSize(Region region, ByteBuffer buffer, Shape layout) {
        long expected = bytes(layout, spec);
        if (buffer.remaining() != expected) {
            throw new IllegalArgumentException("a buffer of " + buffer.remaining() + " bytes for " + region + " of "
                    + name + ", which takes " + expected);
        }
    }

    /** Copies {@code region} between two boxes in memory that start at their origins, in C order of their layouts. */
    private void copy(
            ByteBuffer source,
            int sourceStart,
            Region sourceBox,
            Shape sourceLayout,
            ByteBuffer target,
            int targetStart,
            Region targetBox,
            Shape targetLayout,
            Region region) {
        int itemSize = spec.dataType().itemSize();
        long[] from = StridedCopy.denseStrides(sourceLayout.toArray(), itemSize);
        long[] to = StridedCopy.denseStrides(targetLayout.toArray(), itemSize);
        long sourceOffset = sourceStart;
        long targetOffset = targetStart;
        for (int axis = 0; axis < region.rank(); axis++) {
            sourceOffset += (region.start(axis) - sourceBox.start(axis)) * from[axis];
            targetOffset += (region.start(axis) - targetBox.start(axis)) * to[axis];
        }
        long[] extents = region.shape().toArray();
        StridedCopy.copy(source, sourceOffset, from, target, targetOffset, to, extents, itemSize, 1);
    }

    /** {@return the cell of the grid in which a region starts} */
    private static Region holder(ChunkGrid grid, Region region) {
        return grid.region(indexOf(grid, region));
    }

    private static long ordinalOf(ChunkGrid grid, Region region) {
        return grid.ordinal(indexOf(grid, region));
    }

    private long ordinal(ChunkGrid grid, Region unit) {
        requireUnit(unit);
        return ordinalOf(grid, unit);
    }

    private static long[] indexOf(ChunkGrid grid, Region region) {
        if (region.rank() != grid.rank()) {
            throw new IllegalArgumentException(
                    region + " has " + region.rank() + " axes, but the array has " + grid.rank() + ": " + grid.shape());
        }
        long[] index = new long[grid.rank()];
        for (int axis = 0; axis < index.length; axis++) {
            index[axis] = grid.axis(axis).indexOf(region.start(axis));
        }
        return index;
    }

    private static long bytes(Shape shape, ArraySpec spec) {
        return Math.multiplyExact(shape.elements(), (long) spec.dataType().itemSize());
    }
}
