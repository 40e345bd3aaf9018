package dev.rechunker.geometry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChunkGridTest {
    /** {@return every index of a shape, in row-major order} */
    private static List<long[]> indices(Shape shape) {
        List<long[]> all = List.of(new long[0]);
        for (int axis = 0; axis < shape.rank(); axis++) {
            List<long[]> longer = new ArrayList<>();
            for (long[] head : all) {
                for (long i = 0; i < shape.extent(axis); i++) {
                    long[] index = Arrays.copyOf(head, axis + 1);
                    index[axis] = i;
                    longer.add(index);
                }
            }
            all = longer;
        }
        return all;
    }

    private static boolean isIn(Region region, long[] index) {
        for (int axis = 0; axis < index.length; axis++) {
            if (index[axis] < region.start(axis) || index[axis] >= region.end(axis)) {
                return false;
            }
        }
        return true;
    }

    private static Region region(Cases random, Shape inside) {
        long[] origin = new long[inside.rank()];
        long[] extents = new long[inside.rank()];
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] = random.between(0, inside.extent(axis));
            extents[axis] = random.between(0, inside.extent(axis) - origin[axis]);
        }
        return Region.of(origin, Shape.of(extents));
    }

    @Test
    void chunksCoverEveryElementOnceInOrder() {
        Cases.check(1000, random -> {
            ChunkGrid grid = random.grid(random.shape());
            List<long[]> chunks = indices(grid.counts());
            assertEquals(chunks.size(), grid.count());
            int[] covered = new int[(int) grid.shape().elements()];
            long largest = 0;
            for (int ordinal = 0; ordinal < chunks.size(); ordinal++) {
                long[] index = chunks.get(ordinal);
                assertArrayEquals(index, grid.index(ordinal));
                assertEquals(ordinal, grid.ordinal(index));
                Region region = grid.region(index);
                assertEquals(region, grid.regionAt(ordinal));
                assertTrue(Region.whole(grid.shape()).contains(region));
                largest = Math.max(largest, region.elements());
                for (long[] offset : indices(region.shape())) {
                    long position = 0;
                    for (int axis = 0; axis < offset.length; axis++) {
                        position = position * grid.shape().extent(axis) + region.start(axis) + offset[axis];
                    }
                    covered[(int) position]++;
                }
            }
            for (int n : covered) {
                assertEquals(1, n);
            }
            assertTrue(largest <= grid.largestChunk().elements());
            assertThrows(IndexOutOfBoundsException.class, () -> grid.index(chunks.size()));
            assertThrows(IndexOutOfBoundsException.class, () -> grid.index(-1));
            for (int axis = 0; axis < grid.rank(); axis++) {
                long[] outside = new long[grid.rank()];
                outside[axis] = grid.counts().extent(axis);
                assertThrows(IndexOutOfBoundsException.class, () -> grid.region(outside));
                outside[axis] = -1;
                assertThrows(IndexOutOfBoundsException.class, () -> grid.region(outside));
            }
        });
    }

    @Test
    void chunksTouchingShareAnElement() {
        Cases.check(2000, random -> {
            ChunkGrid grid = random.grid(random.shape(random.random().nextInt(4)));
            Region region = region(random, grid.shape());
            if (region.elements() == 0) {
                return;
            }
            Region touching = grid.chunksTouching(region);
            for (long[] index : indices(grid.counts())) {
                boolean touches = grid.region(index).intersect(region).isPresent();
                assertEquals(touches, isIn(touching, index));
            }
        });
        ChunkGrid grid = ChunkGrid.regular(Shape.of(5), Shape.of(2));
        assertThrows(
                IndexOutOfBoundsException.class, () -> grid.chunksTouching(Region.of(new long[] {4}, Shape.of(2))));
    }

    @Test
    void intersectionAndContainmentAgreeWithElements() {
        Cases.check(3000, random -> {
            Shape shape =
                    Shape.of(random.random().longs(random.between(0, 3), 1, 7).toArray());
            Region a = region(random, shape);
            Region b = region(random, shape);
            Optional<Region> both = a.intersect(b);
            assertEquals(both, b.intersect(a));
            boolean contained = true;
            boolean shared = false;
            for (long[] index : indices(shape)) {
                boolean inBoth = isIn(a, index) && isIn(b, index);
                shared |= inBoth;
                contained &= isIn(a, index) || !isIn(b, index);
                assertEquals(inBoth, both.isPresent() && isIn(both.get(), index));
            }
            assertEquals(shared, both.isPresent());
            if (b.elements() > 0) {
                assertEquals(contained, a.contains(b));
            }
            assertTrue(Region.whole(shape).contains(a));
        });
    }

    @Test
    void combiningWorksAxisByAxis() {
        Cases.check(1000, random -> {
            Shape shape = random.shape();
            ChunkGrid a = random.grid(shape);
            ChunkGrid b = random.grid(shape);
            ChunkGrid refined = a.combine(b, Partition::refine);
            for (int axis = 0; axis < shape.rank(); axis++) {
                assertEquals(a.axis(axis).refine(b.axis(axis)), refined.axis(axis));
            }
            assertEquals(shape, refined.shape());
        });
        ChunkGrid one = ChunkGrid.regular(Shape.of(5), Shape.of(2));
        ChunkGrid two = ChunkGrid.regular(Shape.of(5, 5), Shape.of(2, 2));
        assertThrows(IllegalArgumentException.class, () -> one.combine(two, Partition::refine));
        assertThrows(IllegalArgumentException.class, () -> two.combine(one, Partition::refine));
    }

    @Test
    void hugeGridsDoNotOverflowSilently() {
        long much = 1L << 62;
        Shape shape = Shape.of(much, much);
        assertThrows(ArithmeticException.class, shape::elements);
        assertFalse(shape.isEmpty());
        assertTrue(Shape.of(much, much, 0).isEmpty());
        assertEquals(0, Shape.of(much, much, 0).elements());
        ChunkGrid few = ChunkGrid.regular(shape, Shape.of(much / 2, much));
        assertEquals(2, few.count());
        assertEquals(much, few.regionAt(1).end(0));
        ChunkGrid many = ChunkGrid.regular(shape, Shape.of(1, 1));
        assertThrows(ArithmeticException.class, many::count);
        assertThrows(ArithmeticException.class, () -> many.ordinal(much - 1, much - 1));
        assertEquals(Region.of(new long[] {much - 1, 5}, Shape.of(1, 1)), many.region(much - 1, 5));
        ChunkGrid line = ChunkGrid.regular(Shape.of(Long.MAX_VALUE), Shape.of(1));
        assertEquals(Long.MAX_VALUE - 1, line.ordinal(line.index(Long.MAX_VALUE - 1)));
        assertThrows(ArithmeticException.class, () -> Region.of(new long[] {much * 2 - 1}, Shape.of(1)));
        assertThrows(ArithmeticException.class, () -> Region.of(new long[] {much + 1}, Shape.of(much)));
    }

    @Test
    void invalidArgumentsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Shape.of(1, -1));
        assertThrows(IllegalArgumentException.class, () -> ChunkGrid.regular(Shape.of(1, 1), Shape.of(1)));
        assertThrows(IllegalArgumentException.class, () -> ChunkGrid.regular(Shape.of(1), Shape.of(0)));
        assertThrows(IllegalArgumentException.class, () -> Region.of(new long[] {-1}, Shape.of(1)));
        assertThrows(IllegalArgumentException.class, () -> Region.of(new long[] {1}, Shape.of(1, 1)));
        Region line = Region.whole(Shape.of(1));
        Region plane = Region.whole(Shape.of(1, 1));
        assertThrows(IllegalArgumentException.class, () -> line.intersect(plane));
        assertThrows(IllegalArgumentException.class, () -> line.contains(plane));
        assertThrows(IllegalArgumentException.class, () -> Shape.of(1).combine(Shape.of(1, 1), Math::addExact));
        ChunkGrid grid = ChunkGrid.regular(Shape.of(5), Shape.of(2));
        assertThrows(IllegalArgumentException.class, () -> grid.region(1, 1));
        assertThrows(IllegalArgumentException.class, () -> grid.ordinal(1, 1));
    }

    @Test
    void shapesAndRegionsAreValues() {
        long[] extents = {2, 3};
        Shape shape = Shape.of(extents);
        extents[0] = 9;
        shape.toArray()[0] = 9;
        assertEquals(Shape.of(2, 3), shape);
        assertEquals(Shape.of(2, 3).hashCode(), shape.hashCode());
        assertNotEquals(Shape.of(3, 2), shape);
        assertEquals("(2, 3)", shape.toString());
        long[] origin = {1, 1};
        Region region = Region.of(origin, shape);
        origin[0] = 9;
        region.origin()[0] = 9;
        assertEquals("[1:3, 1:4]", region.toString());
        assertEquals(Shape.of(4, 9), shape.combine(shape, Math::multiplyExact));
        assertEquals(1, Shape.of().elements());
        assertEquals(1, ChunkGrid.regular(Shape.of(), Shape.of()).count());
        assertEquals(
                Region.whole(Shape.of()),
                ChunkGrid.regular(Shape.of(), Shape.of()).region());
        assertEquals(
                "(5) in chunks of (2)",
                ChunkGrid.regular(Shape.of(5), Shape.of(2)).toString());
    }

    @Test
    void piecesAndRefinementsAreThoseOfTheAxes() {
        Cases.check(1000, random -> {
            Shape shape = random.shape();
            ChunkGrid a = random.grid(shape);
            ChunkGrid b = random.grid(shape);
            double pieces = 1;
            boolean refines = true;
            boolean regular = true;
            for (int axis = 0; axis < shape.rank(); axis++) {
                pieces *= a.axis(axis).pieces(b.axis(axis));
                refines &= a.axis(axis).refines(b.axis(axis));
                regular &= a.axis(axis).isRegular();
            }
            assertEquals(pieces, a.pieces(b));
            assertEquals(refines, a.refines(b), a + " and " + b);
            assertEquals(regular, a.isRegular());
            assertEquals(a.axes().equals(b.axes()), a.equals(b));
            assertEquals(a, ChunkGrid.of(a.axes()));
            assertEquals(a.hashCode(), ChunkGrid.of(a.axes()).hashCode());
        });
        assertNotEquals(ChunkGrid.regular(Shape.of(3), Shape.of(1)), (Object) "a grid");
        assertThrows(
                IllegalArgumentException.class,
                () -> ChunkGrid.regular(Shape.of(3), Shape.of(1)).chunksTouching(Region.whole(Shape.of(1, 1))));
    }
}
