package dev.rechunker.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Positions of elements in regions, compared with listing all elements. */
class RegionTest {
    private static final int CASES = 2000;

    /** {@return a region with at least one element} */
    private static Region inside(Cases random, Region box) {
        long[] origin = new long[box.rank()];
        long[] extents = new long[box.rank()];
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] = random.between(box.start(axis), box.end(axis) - 1);
            extents[axis] = random.between(1, box.end(axis) - origin[axis]);
        }
        return Region.of(origin, Shape.of(extents));
    }

    private static Region box(Cases random) {
        int rank = (int) random.between(0, 3);
        long[] origin = new long[rank];
        long[] extents = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            origin[axis] = random.between(0, 4);
            extents[axis] = random.between(1, 4);
        }
        return Region.of(origin, Shape.of(extents));
    }

    /** {@return every index in a region, in row-major order} */
    private static List<List<Long>> indices(Region region) {
        List<List<Long>> all = List.of(List.of());
        for (int axis = 0; axis < region.rank(); axis++) {
            List<List<Long>> longer = new ArrayList<>();
            for (List<Long> head : all) {
                for (long i = region.start(axis); i < region.end(axis); i++) {
                    List<Long> index = new ArrayList<>(head);
                    index.add(i);
                    longer.add(index);
                }
            }
            all = longer;
        }
        return all;
    }

    private static long[] array(List<Long> index) {
        return index.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void ordinalsAreInRowMajorOrder() {
        Cases.check(CASES, random -> {
            Region box = box(random);
            List<List<Long>> all = indices(box);
            assertEquals(all.size(), box.elements());
            for (int i = 0; i < all.size(); i++) {
                assertEquals(i, box.ordinal(array(all.get(i))), box.toString());
            }
            Region part = inside(random, box);
            List<List<Long>> ofPart = indices(part);
            assertEquals(all.indexOf(ofPart.get(ofPart.size() - 1)) + 1, box.ordinalAfter(part));
        });
    }

    @Test
    void partsAreContiguousIfTheirElementsAre() {
        Cases.check(CASES, random -> {
            Region box = box(random);
            Region part = inside(random, box);
            List<List<Long>> all = indices(box);
            List<List<Long>> ofPart = indices(part);
            int first = all.indexOf(ofPart.get(0));
            boolean contiguous = all.subList(first, Math.min(all.size(), first + ofPart.size()))
                    .equals(ofPart);
            assertEquals(contiguous, part.isContiguousIn(box), part + " in " + box);
            long[] strides = new long[box.rank()];
            long stride = 1;
            for (int axis = box.rank() - 1; axis >= 0; axis--) {
                strides[axis] = stride;
                stride *= box.extent(axis);
                assertEquals(part.end(axis) - part.start(axis), part.extent(axis));
            }
            assertEquals(first, part.offsetIn(box, strides));
        });
        assertFalse(Region.whole(Shape.of(3)).isContiguousIn(Region.whole(Shape.of(2))));
    }

    @Test
    void movedRegionsHaveTheSameShape() {
        Cases.check(CASES, random -> {
            Region box = box(random);
            long[] by = new long[box.rank()];
            for (int axis = 0; axis < by.length; axis++) {
                by[axis] = random.between(-box.start(axis), 5);
            }
            Region moved = box.moved(by);
            assertEquals(box.shape(), moved.shape());
            for (int axis = 0; axis < by.length; axis++) {
                assertEquals(box.start(axis) + by[axis], moved.start(axis));
            }
        });
        Region three = Region.of(new long[] {2}, Shape.of(3));
        assertThrows(IllegalArgumentException.class, () -> three.moved(-3));
        assertThrows(ArithmeticException.class, () -> three.moved(Long.MAX_VALUE));
    }

    @Test
    void equalityIsOfOriginAndShape() {
        Region a = Region.of(new long[] {1, 2}, Shape.of(3, 4));
        assertEquals(a, Region.whole(Shape.of(3, 4)).moved(1, 2));
        assertEquals(a.hashCode(), Region.whole(Shape.of(3, 4)).moved(1, 2).hashCode());
        assertNotEquals(a, Region.whole(Shape.of(3, 4)));
        assertNotEquals(a, Region.of(new long[] {1, 2}, Shape.of(3, 5)));
        assertNotEquals(a, (Object) "[1:4, 2:6]");
        assertEquals("[1:4, 2:6]", a.toString());
        assertTrue(a.contains(a) && !a.contains(a.moved(0, 1)) && !a.contains(a.moved(-1, 0)));
    }
}
