package dev.rechunker.testing;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
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
 * The elements of an array as a function of their position, so that misplaced elements are detected.
 *
 * <p>Positions are linear, in C order. The code is simple rather than fast, so that its results can be trusted. Arrays
 * of any size can be written and checked, as only one chunk or write unit is in memory at a time, except by
 * {@link #elements()} and {@link #readAll}.
 */
public final class Data {
    private final ArraySpec spec;
    private final Elements elements;

    /** A function from positions to elements. */
    @FunctionalInterface
    public interface Elements {
        /** Stores the bytes of the element at a linear position in {@code element}. */
        void get(long position, byte[] element);
    }

    private Data(ArraySpec spec, Elements elements) {
        this.spec = spec;
        this.elements = elements;
    }

    /** {@return data whose elements are hashes of their positions, truncated or extended to the size of an element} */
    public static Data of(ArraySpec spec) {
        return of(spec, 0);
    }

    /** {@return data whose elements are hashes of their positions and {@code salt}} */
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

    /** {@return data whose elements are computed by a function} */
    public static Data of(ArraySpec spec, Elements elements) {
        return new Data(spec, elements);
    }

    /** {@return a hash of a number; one-to-one, so that all elements of 8 bytes are different} */
    private static long mix(long z) {
        long x = z + 0x9E3779B97F4A7C15L;
        x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }

    /**
     * {@return the elements of a region, as data of an array of the region's shape}
     *
     * @param part the spec of that array
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

    /** {@return the spec of the array} */
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

    /** {@return the elements of a region, with the fill value in write units whose ordinal {@code written} rejects} */
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

    /** Creates an array at a path, writes all of its units and commits it. */
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

    /** Writes one unit, from a buffer at an odd offset and with exactly the scratch that the writer declares. */
    public void writeUnit(ArrayWriter writer, long ordinal) throws IOException {
        Region unit = spec.writeUnits().regionAt(ordinal);
        ByteBuffer data = unit(unit, writer.traits().paddedEdges());
        writer.write(unit, data, scratch(writer.traits().scratchBytes()));
    }

    /** {@return a unit in the layout that a writer takes, in a direct buffer with other bytes before and after it} */
    public ByteBuffer unit(Region unit, boolean padded) {
        Shape layout = padded ? spec.writeUnits().nominalShape(unit) : unit.shape();
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
     * Reads every chunk of an array and compares it with this data.
     *
     * @throws AssertionError if an element is wrong; the message has its index and chunk
     */
    public void check(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            check(reader, ordinal -> true);
        }
    }

    /**
     * Reads every chunk of an array and compares it with this data. Write units whose ordinal {@code written} rejects
     * must be missing. Chunks of other units may be missing if all of their elements have the fill value.
     *
     * @throws AssertionError if an element is wrong; the message has its index and chunk
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

    /**
     * Reads a random part of every chunk with a reader of {@link Granularity#BYTES}, and compares it with this data.
     */
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

    /** {@return all elements of an array, read chunk by chunk, with the fill value in missing chunks} */
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
     * Reads a region into a buffer at an odd offset, with exactly the scratch that the reader declares.
     *
     * @param dense receives the elements of the region, dense, in C order
     * @return whether the region was ever written
     * @throws AssertionError if bytes outside of the buffer's range change, or a stream differs from what is read
     */
    public static boolean read(ArrayReader reader, Region region, byte[] dense) throws IOException {
        int itemSize = reader.spec().dataType().itemSize();
        boolean padded = reader.traits().paddedEdges();
        Shape layout = padded ? reader.spec().chunks().nominalShape(region) : region.shape();
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

    /** {@return the number of elements from the first to the last one of a region in the stream of a chunk} */
    static long streamed(ChunkGrid grid, Region chunk, Region region, boolean padded) {
        Region layout = layout(grid, chunk, padded);
        return layout.ordinalAfter(region) - layout.ordinal(region.origin());
    }

    private static Region layout(ChunkGrid grid, Region chunk, boolean padded) {
        return padded ? Region.of(chunk.origin(), grid.nominalShape(chunk)) : chunk;
    }

    /**
     * Streams a chunk, and if it has blocks both halves on each axis, and compares them with the chunk that was read.
     */
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

    /**
     * Streams a region and compares it with the chunk that was read. Padding may have any values, but the right size.
     */
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
                                "the stream has a run of " + bytes + " bytes, but " + rest.remaining() + " are left");
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

    /** {@return a scratch of exactly {@code bytes} bytes} */
    public static Scratch scratch(long bytes) {
        return Scratch.allocate(Math.toIntExact(bytes));
    }

    /**
     * Compares the elements of a region.
     *
     * @throws AssertionError if an element differs; the message has its index, and where its value belongs
     */
    public void assertSame(Region region, byte[] expected, byte[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at < 0) {
            return;
        }
        if (expected.length != actual.length) {
            throw new AssertionError(
                    region + " has " + expected.length + " bytes, but " + actual.length + " bytes were read");
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
        return ", which is not an element of this array";
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static final byte GUARD = 0x5A;

    /** {@return a direct buffer whose position and limit are inside a larger range of guard bytes} */
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

    /** Calls {@code move} for each element of a region with its offsets in a padded layout and in dense bytes. */
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

    /** Advances an index to the next one of a region in C order; the last index is followed by the first. */
    static void advance(long[] index, Region region) {
        for (int axis = index.length - 1; axis >= 0; axis--) {
            if (++index[axis] < region.end(axis)) {
                return;
            }
            index[axis] = region.start(axis);
        }
    }
}
