package dev.rechunker.testing;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;

/**
 * A generator of random arrays from a seed, for property tests.
 *
 * <p>Arrays have 0 to 6 axes, and some have no elements. Chunks have one element, the whole axis, coprime sizes, or
 * more than the array. Some grids are irregular, and some arrays have shards.
 *
 * <p>{@link #check} tests a property for many seeds and names the seed that failed; {@link #replay} tests one seed.
 */
public final class Cases {
    private static final List<DataType> TYPES = List.of(
            DataType.UINT8,
            DataType.INT16,
            DataType.bytes(3),
            DataType.FLOAT32,
            DataType.COMPLEX64,
            DataType.INT64,
            DataType.bytes(7),
            DataType.unicode(3),
            DataType.COMPLEX128,
            DataType.opaque(17, ""));

    private final long seed;
    private final Random random;
    private final long mostElements;

    private Cases(long seed, long mostElements) {
        this.seed = seed;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.mostElements = mostElements;
        random.nextLong();
    }

    /** A property that must hold for every case. */
    @FunctionalInterface
    public interface Property {
        /** Throws if the property does not hold for a case. */
        void test(Cases random) throws Exception;
    }

    /**
     * Tests a property for the seeds 0, 1, ..., {@code cases - 1}.
     *
     * @throws AssertionError if a case fails; the message has its seed
     */
    public static void check(int cases, Property property) {
        for (long seed = 0; seed < cases; seed++) {
            replay(seed, property);
        }
    }

    /**
     * Tests a property for one seed.
     *
     * @throws AssertionError if the case fails
     */
    @SuppressWarnings("CatchingUnchecked") // the message needs the seed, whatever was thrown
    public static void replay(long seed, Property property) {
        try {
            property.test(of(seed));
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /** {@return the case of a seed, whose arrays have at most 3000 elements} */
    public static Cases of(long seed) {
        return new Cases(seed, 3000);
    }

    /** {@return the seed} */
    public long seed() {
        return seed;
    }

    /** {@return the random numbers of this case} */
    public Random random() {
        return random;
    }

    /** {@return a random number from {@code least} to {@code most}, both inclusive} */
    public long between(long least, long most) {
        return least + (long) (random.nextDouble() * (most - least + 1));
    }

    /** {@return one of the choices} */
    @SafeVarargs
    public final <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** {@return a shape of 0 to 6 axes} */
    public Shape shape() {
        return shape(random.nextInt(7));
    }

    /** {@return a shape of {@code rank} axes; one in twenty has no elements} */
    public Shape shape(int rank) {
        long[] extents = new long[rank];
        double share = Math.pow((double) mostElements, 1.0 / Math.max(1, rank));
        for (int axis = 0; axis < rank; axis++) {
            extents[axis] = between(1, Math.max(1, (long) share));
        }
        if (rank > 0 && random.nextInt(20) == 0) {
            extents[random.nextInt(rank)] = 0;
        }
        return Shape.of(extents);
    }

    /** {@return a regular partition of an axis} */
    public Partition regular(long length) {
        return Partition.regular(
                length,
                switch (random.nextInt(5)) {
                    case 0 -> 1;
                    case 1 -> Math.max(1, length);
                    case 2 -> length + between(1, 5);
                    case 3 -> Math.max(1, length - 1);
                    default -> between(1, Math.max(1, length));
                });
    }

    /**
     * {@return a partition of an axis into parts of random sizes, which may happen to be regular; the last part may be
     * nominally larger}
     */
    public Partition irregular(long length) {
        List<Long> sizes = new ArrayList<>();
        long most = between(1, Math.max(1, length));
        for (long left = length; left > 0; left -= sizes.get(sizes.size() - 1)) {
            sizes.add(between(1, Math.min(left, most)));
        }
        long[] parts = sizes.stream().mapToLong(Long::longValue).toArray();
        if (parts.length > 0 && random.nextInt(3) == 0) {
            parts[parts.length - 1] += between(0, 3);
            return Partition.ofNominalSizes(length, parts);
        }
        return Partition.ofSizes(parts);
    }

    /** {@return a partition of an axis, one in four irregular} */
    public Partition partition(long length) {
        return random.nextInt(4) == 0 ? irregular(length) : regular(length);
    }

    /** {@return a grid; about half of the grids are regular} */
    public ChunkGrid grid(Shape shape) {
        return random.nextBoolean() ? regularGrid(shape) : grid(shape, this::partition);
    }

    /** {@return a regular grid} */
    public ChunkGrid regularGrid(Shape shape) {
        return grid(shape, this::regular);
    }

    private static ChunkGrid grid(Shape shape, LongFunction<Partition> cut) {
        return ChunkGrid.of(Arrays.stream(shape.toArray()).mapToObj(cut).toList());
    }

    /** {@return a grid of shards, each of which is a whole number of chunks} */
    public ChunkGrid shards(ChunkGrid chunks) {
        return ChunkGrid.of(
                chunks.axes().stream().map(axis -> axis.group(between(1, 4))).toList());
    }

    /** {@return an element type of 1 to 17 bytes} */
    public DataType dataType() {
        return TYPES.get(random.nextInt(TYPES.size()));
    }

    /** {@return an array of any shape, grid, type, byte order and fill value, one in three with shards} */
    public ArraySpec spec() {
        return spec(grid(shape()), dataType());
    }

    /** {@return an array in these chunks, of any byte order and fill value, one in three with shards} */
    public ArraySpec spec(ChunkGrid chunks, DataType type) {
        byte[] fill = new byte[type.itemSize()];
        random.nextBytes(fill);
        return ArraySpec.builder(chunks, type)
                .shards(random.nextInt(3) == 0 ? shards(chunks) : null)
                .byteOrder(oneOf(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN))
                .fillValue(oneOf(FillValue.UNDEFINED, FillValue.zero(fill.length), FillValue.of(fill)))
                .build();
    }
}
