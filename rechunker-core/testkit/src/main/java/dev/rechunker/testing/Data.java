package dev.rechunker.testing;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.LongPredicate;

/**
 * The elements of an array as a function of their position, so that an element at a wrong place shows.
 *
 * <p>Positions are linear, in C order. Nothing here is fast or clever: what it says is to be believed. Arrays of any
 * size can be written and checked, as only one chunk or write unit is held at a time, but for {@link #elements()} and
 * {@link #readAll}.
 */
public final class Data {
    private final ArraySpec spec;
    private final Elements elements;

    /** Makes the element at a position. */
    @FunctionalInterface
    public interface Elements {
        /** Puts the bytes of the element at a linear position. */
        void get(long position, byte[] element);
    }

    private Data(ArraySpec spec, Elements elements) {
        this.spec = spec;
        this.elements = elements;
    }

    /** {@return position-coded elements: the position mixed by a hash, as many bytes of it as an element has} */
    public static Data of(ArraySpec spec) {
        return of(spec, 0);
    }

    /** {@return position-coded elements that differ from those with another salt} */
    public static Data of(ArraySpec spec, long salt) {
        return of(spec, (position, element) -> {
            for (int i = 0; i < element.length; i += 8) {
                long mixed = mix(position ^ mix(salt + i));
                for (int j = i; j < Math.min(i + 8, element.length); j++, mixed >>>= 8) {
                    element[j] = (byte) mixed;
                }
            }
        });
    }

    /** {@return the elements that a function makes} */
    public static Data of(ArraySpec spec, Elements elements) {
        return new Data(spec, elements);
    }

    /** One-to-one, so that elements of 8 bytes are all different. */
    private static long mix(long z) {
        long x = z + 0x9E3779B97F4A7C15L;
        x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }

    /**
     * {@return those of a region, as the elements of an array of their own}
     *
     * @param part an array of the region's shape
     */
    public Data part(Region region, ArraySpec part) {
        return of(part, (position, element) -> {
            long[] index = new long[region.rank()];
            long rest = position;
            for (int axis = index.length - 1; axis >= 0; axis--) {
                index[axis] = region.start(axis) + rest % region.extent(axis);
                rest /= region.extent(axis);
            }
            elements.get(position(spec.shape(), index), element);
        });
    }

    /** {@return the array they are the elements of} */
    public ArraySpec spec() {
        return spec;
    }

    /** {@return all elements, dense, in C order} */
    public byte[] elements() {
        return elements(Region.whole(spec.shape()));
    }

    /** {@return the elements of a region, dense, in C order} */
    public byte[] elements(Region region) {
        return elements(region, ordinal -> true);
    }

    /** {@return the elements of a region, the fill value in write units whose ordinal {@code written} rejects} */
    public byte[] elements(Region region, LongPredicate written) {
        int itemSize = spec.dataType().itemSize();
        byte[] dense = new byte[Math.toIntExact(region.elements() * itemSize)];
        byte[] element = new byte[itemSize];
        byte[] fill = spec.fillValue().element(itemSize);
        long[] index = region.origin();
        for (int at = 0; at < dense.length; at += itemSize) {
            boolean there = written.test(unitOf(index));
            elements.get(position(spec.shape(), index), element);
            System.arraycopy(there ? element : fill, 0, dense, at, itemSize);
            advance(index, region);
        }
        return dense;
    }

    private long unitOf(long[] index) {
        ChunkGrid units = spec.writeUnits();
        long[] unit = new long[index.length];
        for (int axis = 0; axis < unit.length; axis++) {
            unit[axis] = units.axis(axis).indexOf(index[axis]);
        }
        return units.ordinal(unit);
    }

    /** Creates an array at a path, writes all its units and commits it. */
    public void write(ChunkStore store, String path) throws IOException {
        write(store, path, ordinal -> true);
    }

    /** Creates an array at a path, writes the units whose ordinal {@code written} accepts, and commits it. */
    public void write(ChunkStore store, String path, LongPredicate written) throws IOException {
        try (ArrayWriter writer = store.create(path, store.resolve(spec), false)) {
            for (long ordinal = 0; ordinal < spec.writeUnits().count(); ordinal++) {
                if (written.test(ordinal)) {
                    writeUnit(writer, ordinal);
                }
            }
            writer.commit();
        }
    }

    /** Writes one unit, from a buffer that starts anywhere and with no more scratch than the writer declares. */
    public void writeUnit(ArrayWriter writer, long ordinal) throws IOException {
        Region unit = spec.writeUnits().regionAt(ordinal);
        ByteBuffer data = unit(unit, writer.traits().paddedEdges());
        writer.write(unit, data, scratch(writer.traits().scratchBytes()));
    }

    /** {@return a unit as a writer takes it, in a direct buffer with other bytes around it} */
    public ByteBuffer unit(Region unit, boolean padded) {
        Shape layout = padded ? nominalShape(spec.writeUnits(), unit) : unit.shape();
        byte[] dense = elements(unit);
        ByteBuffer data = odd(layout.elements() * spec.dataType().itemSize());
        byte[] fill = spec.fillValue().element(spec.dataType().itemSize());
        for (int at = data.position(); at < data.limit(); at += fill.length) {
            data.put(at, fill);
        }
        embed(dense, unit, layout, (at, from) -> data.put(data.position() + at, dense, from, fill.length));
        return data;
    }

    /**
     * Reads every chunk and compares it.
     *
     * @throws AssertionError that names the first element that is wrong, by index and chunk
     */
    public void check(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            check(reader, ordinal -> true);
        }
    }

    /**
     * Reads every chunk and compares it; write units whose ordinal {@code written} rejects must be missing, and of the
     * others those chunks may be that have nothing but the fill value.
     */
    public void check(ArrayReader reader, LongPredicate written) throws IOException {
        for (long ordinal = 0; ordinal < reader.spec().chunks().count(); ordinal++) {
            Region chunk = reader.spec().chunks().regionAt(ordinal);
            boolean expected = written.test(unitOf(chunk.origin()));
            byte[] target =
                    new byte[Math.toIntExact(chunk.elements() * spec.dataType().itemSize())];
            boolean found = read(reader, chunk, target);
            if (found != expected && !(expected && isFill(chunk))) {
                throw new AssertionError(
                        "chunk " + chunk + (found ? " is there, but was never written" : " is missing"));
            }
            if (found) {
                assertSame(chunk, elements(chunk), target);
            }
        }
    }

    /** Reads every chunk in random parts, which a reader of {@link Granularity#BYTES} can, and compares them. */
    public void checkParts(ArrayReader reader, Random random) throws IOException {
        for (long ordinal = 0; ordinal < reader.spec().chunks().count(); ordinal++) {
            Region chunk = reader.spec().chunks().regionAt(ordinal);
            long[] origin = chunk.origin();
            long[] extents = new long[chunk.rank()];
            for (int axis = 0; axis < extents.length; axis++) {
                extents[axis] = 1 + (long) (random.nextDouble() * chunk.extent(axis));
                origin[axis] += (long) (random.nextDouble() * (chunk.extent(axis) - extents[axis] + 1));
            }
            Region part = Region.of(origin, Shape.of(extents));
            byte[] target =
                    new byte[Math.toIntExact(part.elements() * spec.dataType().itemSize())];
            boolean found = read(reader, part, target);
            if (!found && !isFill(part)) {
                throw new AssertionError("part " + part + " of chunk " + chunk + " is missing");
            }
            if (found) {
                assertSame(part, elements(part), target);
            }
        }
    }

    private boolean isFill(Region region) {
        return Arrays.equals(elements(region), elements(region, unit -> false));
    }

    /** {@return all elements of an array, read chunk by chunk; the fill value where chunks are missing} */
    public static byte[] readAll(ArrayReader reader) throws IOException {
        ArraySpec spec = reader.spec();
        int itemSize = spec.dataType().itemSize();
        byte[] all = new byte[Math.toIntExact(spec.bytes())];
        byte[] fill = spec.fillValue().element(itemSize);
        for (long ordinal = 0; ordinal < spec.chunks().count(); ordinal++) {
            Region chunk = spec.chunks().regionAt(ordinal);
            byte[] dense = new byte[Math.toIntExact(chunk.elements() * itemSize)];
            boolean found = read(reader, chunk, dense);
            long[] index = chunk.origin();
            for (int at = 0; at < dense.length; at += itemSize) {
                int to = Math.toIntExact(position(spec.shape(), index) * itemSize);
                System.arraycopy(found ? dense : fill, found ? at : 0, all, to, itemSize);
                advance(index, chunk);
            }
        }
        return all;
    }

    /**
     * Reads a region into a buffer that starts anywhere, with no more scratch than the reader declares.
     *
     * @param dense takes the region's elements, dense, in C order
     * @return whether it was there
     */
    public static boolean read(ArrayReader reader, Region region, byte[] dense) throws IOException {
        int itemSize = reader.spec().dataType().itemSize();
        boolean padded = reader.traits().paddedEdges();
        Shape layout = padded ? nominalShape(reader.spec().chunks(), region) : region.shape();
        ByteBuffer target = odd(layout.elements() * itemSize);
        int start = target.position();
        int limit = target.limit();
        if (!reader.read(region, target, scratch(reader.traits().scratchBytes()))) {
            return false;
        }
        if (target.get(start - 1) != GUARD || (limit < target.capacity() && outside(target, limit) != GUARD)) {
            throw new AssertionError("reading " + region + " changed bytes outside of the buffer's position and limit");
        }
        ByteBuffer read = target.duplicate().clear();
        embed(dense, region, layout, (at, to) -> read.get(start + at, dense, to, itemSize));
        if (reader.traits().granularity() == Granularity.STREAM) {
            requireSameStream(
                    reader,
                    region,
                    target.duplicate().limit(limit).position(start).slice(),
                    padded);
        }
        return true;
    }

    /** {@return the elements from the first of a region to its last, in a chunk as it is streamed} */
    static long streamed(ChunkGrid grid, Region chunk, Region region, boolean padded) {
        Region layout = layout(grid, chunk, padded);
        return layout.ordinalAfter(region) - layout.ordinal(region.origin());
    }

    private static Region layout(ChunkGrid grid, Region chunk, boolean padded) {
        return padded ? Region.of(chunk.origin(), nominalShape(grid, chunk)) : chunk;
    }

    /** Streams a chunk, and what of it can be streamed by itself: on each axis the first half, and the second. */
    private static void requireSameStream(ArrayReader reader, Region chunk, ByteBuffer whole, boolean padded)
            throws IOException {
        requireSameStream(reader, chunk, chunk, whole, padded);
        for (int axis = 0; reader.traits().blockBytes() > 0 && axis < chunk.rank(); axis++) {
            long[] origin = chunk.origin();
            long[] extents = chunk.shape().toArray();
            for (int before = 0; before < axis; before++) {
                origin[before] += extents[before] / 3;
                extents[before] = 1;
            }
            long half = extents[axis] / 2;
            if (half > 0) {
                extents[axis] = half;
                requireSameStream(reader, Region.of(origin, Shape.of(extents)), chunk, whole, padded);
                origin[axis] += half;
                extents[axis] = chunk.extent(axis) - half;
                requireSameStream(reader, Region.of(origin, Shape.of(extents)), chunk, whole, padded);
            }
        }
    }

    /** A stream is what is read at once; of padding, which may be anything, only the size is compared. */
    private static void requireSameStream(
            ArrayReader reader, Region region, Region chunk, ByteBuffer whole, boolean padded) throws IOException {
        int itemSize = reader.spec().dataType().itemSize();
        Region layout = layout(reader.spec().chunks(), chunk, padded);
        boolean clipped = !layout.equals(chunk);
        ByteBuffer rest = whole.slice(
                (int) layout.ordinal(region.origin()) * itemSize,
                (int) streamed(reader.spec().chunks(), chunk, region, padded) * itemSize);
        boolean found = reader.stream(
                region,
                run -> {
                    int bytes = run.remaining();
                    if (bytes % itemSize != 0 || bytes > rest.remaining()) {
                        throw new AssertionError(
                                "a run of " + bytes + " bytes, where " + rest.remaining() + " are left");
                    }
                    ByteBuffer expected = rest.slice(rest.position(), bytes);
                    if (!clipped && expected.mismatch(run) >= 0) {
                        throw new AssertionError("the stream of " + region + " differs from what is read, in the "
                                + bytes + " bytes at " + rest.position());
                    }
                    rest.position(rest.position() + bytes);
                },
                scratch(reader.traits().scratchBytes()));
        if (!found || rest.hasRemaining()) {
            throw new AssertionError("the stream of " + region + " lacks " + rest.remaining() + " bytes");
        }
    }

    private static byte outside(ByteBuffer buffer, int at) {
        return buffer.duplicate().clear().get(at);
    }

    /**
     * {@return the shape in which a padded chunk or unit is exchanged: the step where an axis is cut regularly, the
     * part's own size elsewhere}
     */
    public static Shape nominalShape(ChunkGrid grid, Region part) {
        long[] extents = part.shape().toArray();
        for (int axis = 0; axis < extents.length; axis++) {
            Partition partition = grid.axis(axis);
            extents[axis] = partition.isRegular() ? partition.step() : extents[axis];
        }
        return Shape.of(extents);
    }

    /** {@return a scratch of exactly this size} */
    public static Scratch scratch(long bytes) {
        return Scratch.allocate(Math.toIntExact(bytes));
    }

    /** Compares elements of a region; names the first that differs. */
    public void assertSame(Region region, byte[] expected, byte[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at < 0) {
            return;
        }
        if (expected.length != actual.length) {
            throw new AssertionError(
                    region + " has " + expected.length + " bytes, but " + actual.length + " were found");
        }
        int itemSize = spec.dataType().itemSize();
        int element = at / itemSize * itemSize;
        long[] index = region.origin();
        for (int i = 0; i < element; i += itemSize) {
            advance(index, region);
        }
        byte[] found = Arrays.copyOfRange(actual, element, element + itemSize);
        throw new AssertionError("element " + Shape.of(index) + ", in " + region + ", should be "
                + hex(Arrays.copyOfRange(expected, element, element + itemSize)) + " but is " + hex(found)
                + whose(found));
    }

    private String whose(byte[] found) {
        Shape shape = spec.shape();
        if (found.length < 3 || shape.elements() > 1 << 20) {
            return "";
        }
        long[] index = new long[shape.rank()];
        byte[] element = new byte[found.length];
        for (long position = 0; position < shape.elements(); position++) {
            elements.get(position, element);
            if (Arrays.equals(element, found)) {
                return ", which belongs to " + Shape.of(index);
            }
            advance(index, Region.whole(shape));
        }
        return ", which is no element of this array";
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static final byte GUARD = 0x5A;

    /** {@return a direct buffer that starts and ends inside a larger one, full of guard bytes} */
    private static ByteBuffer odd(long bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Math.toIntExact(bytes + 16));
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, GUARD);
        }
        return buffer.position(3).limit(Math.toIntExact(3 + bytes));
    }

    @FunctionalInterface
    private interface Move {
        void move(int inLayout, int inDense);
    }

    /** Calls with the offsets of every element of a region, in a layout from its origin and in its dense bytes. */
    private static void embed(byte[] dense, Region region, Shape layout, Move move) {
        if (dense.length == 0) {
            return;
        }
        int itemSize = Math.toIntExact(dense.length / region.elements());
        long[] index = new long[region.rank()];
        for (int at = 0; at < dense.length; at += itemSize) {
            move.move(Math.toIntExact(position(layout, index) * itemSize), at);
            advance(index, Region.whole(region.shape()));
        }
    }

    private static long position(Shape shape, long[] index) {
        long position = 0;
        for (int axis = 0; axis < index.length; axis++) {
            position = position * shape.extent(axis) + index[axis];
        }
        return position;
    }

    /** Goes to the next index of a region in C order, from the last one to the first. */
    static void advance(long[] index, Region region) {
        for (int axis = index.length - 1; axis >= 0; axis--) {
            if (++index[axis] < region.end(axis)) {
                return;
            }
            index[axis] = region.start(axis);
        }
    }
}
