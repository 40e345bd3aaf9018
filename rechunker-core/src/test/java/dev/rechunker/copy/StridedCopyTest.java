package dev.rechunker.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.Cases;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StridedCopyTest {
    /** A layout of a box: the offset of the first element, the strides, and the size in bytes. */
    private record Layout(long offset, List<Long> strides, int bytes) {
        long[] strideArray() {
            return strides.stream().mapToLong(Long::longValue).toArray();
        }
    }

    /** {@return axes in any order, with gaps between elements and rows, in either direction} */
    private static Layout layout(Cases random, long[] extents, int itemSize) {
        List<Integer> order = new ArrayList<>();
        for (int axis = 0; axis < extents.length; axis++) {
            order.add(axis);
        }
        if (random.random().nextInt(3) > 0) {
            Collections.shuffle(order, random.random());
        }
        boolean gaps = random.random().nextBoolean();
        Long[] strides = new Long[extents.length];
        long stride = itemSize + (random.random().nextInt(4) == 0 ? random.between(1, 5) : 0);
        long offset = random.between(0, 9);
        for (int i = order.size() - 1; i >= 0; i--) {
            int axis = order.get(i);
            boolean backwards = random.random().nextInt(8) == 0;
            strides[axis] = backwards ? -stride : stride;
            offset += backwards ? stride * Math.max(0, extents[axis] - 1) : 0;
            stride = stride * Math.max(1, extents[axis]) + (gaps ? random.between(0, 3) * itemSize : 0);
        }
        return new Layout(offset, List.of(strides), (int) (stride + 20));
    }

    private static ByteBuffer buffer(Cases random, int bytes) {
        byte[] content = new byte[bytes];
        random.random().nextBytes(content);
        ByteBuffer buffer = switch (random.random().nextInt(3)) {
            case 0 -> ByteBuffer.allocateDirect(bytes);
            case 1 -> ByteBuffer.allocate(bytes);
            default -> ByteBuffer.allocate(bytes + 7).slice(5, bytes);
        };
        return buffer.put(content)
                .order(random.oneOf(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN))
                .position(random.random().nextInt(bytes));
    }

    private static byte[] content(ByteBuffer buffer) {
        byte[] content = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(content);
        return content;
    }

    private static long[] extents(Cases random, int most) {
        int rank = random.random().nextInt(6);
        long[] extents = new long[rank];
        double edge = Math.pow(most, 1.0 / Math.max(1, rank));
        for (int axis = 0; axis < rank; axis++) {
            extents[axis] = random.random().nextInt(4) == 0 ? 1 : random.between(1, (long) (1.7 * edge));
        }
        if (rank > 0 && random.random().nextInt(30) == 0) {
            extents[random.random().nextInt(rank)] = 0;
        }
        return extents;
    }

    /** Calls an action with the offsets of each element, in C order. */
    private interface Visit {
        void element(int source, int target);
    }

    private static void visit(long[] extents, Layout source, Layout target, Visit visit) {
        visit(extents, 0, source.offset, source.strideArray(), target.offset, target.strideArray(), visit);
    }

    private static void visit(
            long[] extents, int axis, long from, long[] fromStrides, long to, long[] toStrides, Visit visit) {
        if (axis == extents.length) {
            visit.element((int) from, (int) to);
            return;
        }
        for (long i = 0; i < extents[axis]; i++) {
            visit(
                    extents,
                    axis + 1,
                    from + i * fromStrides[axis],
                    fromStrides,
                    to + i * toStrides[axis],
                    toStrides,
                    visit);
        }
    }

    private static int swapWord(Cases random, int itemSize) {
        int word = random.oneOf(1, 1, 2, 4, 8);
        return itemSize % word == 0 ? word : 1;
    }

    private static void checkCopy(Cases random, long[] extents, int itemSize) {
        int word = swapWord(random, itemSize);
        Layout from = layout(random, extents, itemSize);
        Layout to = layout(random, extents, itemSize);
        ByteBuffer source = buffer(random, from.bytes);
        ByteBuffer target = buffer(random, to.bytes);
        byte[] bytes = content(source);
        byte[] expected = content(target);
        visit(extents, from, to, (s, t) -> {
            for (int i = 0; i < itemSize; i++) {
                expected[t + i] = bytes[s + i / word * word + (word - 1 - i % word)];
            }
        });
        int position = target.position();
        ByteBuffer input = random.random().nextBoolean() ? source : source.asReadOnlyBuffer();
        StridedCopy.copy(
                input, from.offset, from.strideArray(), target, to.offset, to.strideArray(), extents, itemSize, word);
        String what = Arrays.toString(extents) + " of " + itemSize + " bytes, words of " + word + ", from "
                + from.strides + " to " + to.strides;
        assertArrayEquals(expected, content(target), what);
        assertEquals(position, target.position());
        assertArrayEquals(bytes, content(source));
    }

    @Test
    void copiesLikeALoopOverElements() {
        Cases.check(12_000, random -> checkCopy(random, extents(random, 200), (int) random.between(1, 17)));
    }

    @Test
    void copiesLargePlanesLikeALoopOverElements() {
        Cases.check(300, random -> {
            long[] extents = {random.between(1, 3), random.between(1, 200), random.between(1, 200)};
            checkCopy(random, extents, random.oneOf(1, 2, 3, 4, 8, 12, 16, 32));
        });
    }

    @Test
    void copiesLongRunsLikeALoopOverElements() {
        Cases.check(1000, random -> {
            long[] extents = {random.between(1, 5), random.between(1, 700)};
            checkCopy(random, extents, (int) random.between(1, 17));
        });
    }

    @Test
    void sourceStridesMayBeZero() {
        ByteBuffer source = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
        ByteBuffer target = ByteBuffer.allocate(12);
        StridedCopy.copy(source, 0, new long[] {0, 2}, target, 0, new long[] {4, 2}, new long[] {3, 2}, 2, 1);
        assertArrayEquals(new byte[] {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}, target.array());
    }

    @Test
    void nothingOutsideTheLimitIsTouched() {
        for (int itemSize : new int[] {1, 2, 3, 4, 5, 8, 12, 16}) {
            for (long[] extents : new long[][] {{4, 4}, {40, 40}, {1, 64}, {2, 200}}) {
                long[] strides = StridedCopy.denseStrides(extents, itemSize);
                int bytes = (int) (extents[0] * extents[1] * itemSize);
                ByteBuffer full = ByteBuffer.allocateDirect(bytes);
                ByteBuffer less = ByteBuffer.allocate(bytes).limit(bytes - 1);
                long[] across = {itemSize, extents[0] * itemSize};
                for (long[] other : new long[][] {strides, across}) {
                    assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> StridedCopy.copy(full, 0, strides, less, 0, other, extents, itemSize, 1));
                    assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> StridedCopy.copy(less, 0, other, full, 0, strides, extents, itemSize, 1));
                }
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> StridedCopy.fill(less, 0, strides, extents, new byte[itemSize]));
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> StridedCopy.isFilled(less, 0, bytes, new byte[itemSize]));
            }
        }
    }

    @Test
    void invalidArgumentsAreRefused() {
        ByteBuffer b = ByteBuffer.allocate(24);
        long[] one = {6};
        long[] two = {6, 6};
        assertThrows(IllegalArgumentException.class, () -> StridedCopy.copy(b, 0, one, b, 0, two, one, 6, 1));
        assertThrows(IllegalArgumentException.class, () -> StridedCopy.copy(b, 0, two, b, 0, one, one, 6, 1));
        for (int word : new int[] {-1, 0, 3, 4, 6, 16}) {
            assertThrows(IllegalArgumentException.class, () -> StridedCopy.copy(b, 0, one, b, 0, one, one, 6, word));
        }
        assertThrows(IllegalArgumentException.class, () -> StridedCopy.fill(b, 0, one, two, new byte[6]));
        assertThrows(IllegalArgumentException.class, () -> StridedCopy.fill(b, 0, one, one, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> StridedCopy.isFilled(b, 0, 5, new byte[2]));
        assertThrows(IllegalArgumentException.class, () -> StridedCopy.isFilled(b, 0, 0, new byte[0]));
        long huge = 1L << 62;
        assertThrows(ArithmeticException.class, () -> StridedCopy.denseStrides(new long[] {1, huge, huge}, 2));
        assertArrayEquals(new long[] {12, 4}, StridedCopy.denseStrides(new long[] {huge, 3}, 4));
    }

    @Test
    void fillsLikeALoopOverElements() {
        Cases.check(6000, random -> {
            int itemSize = (int) random.between(1, random.random().nextInt(50) == 0 ? 3000 : 17);
            long[] extents = extents(random, itemSize > 17 ? 4 : random.random().nextInt(10) == 0 ? 5000 : 200);
            Layout to = layout(random, extents, itemSize);
            ByteBuffer target = buffer(random, to.bytes);
            byte[] element = new byte[itemSize];
            if (random.random().nextBoolean()) {
                random.random().nextBytes(element);
            }
            byte[] expected = content(target);
            visit(extents, to, to, (s, t) -> System.arraycopy(element, 0, expected, t, itemSize));
            int position = target.position();
            StridedCopy.fill(target, to.offset, to.strideArray(), extents, element);
            assertArrayEquals(expected, content(target));
            assertEquals(position, target.position());
        });
    }

    @Test
    void findsEveryByteThatIsNotFilled() {
        Cases.check(6000, random -> {
            byte[] element = new byte[(int) random.between(1, 20)];
            random.random().nextBytes(element);
            int items = (int) random.between(0, 40);
            int from = random.random().nextInt(9);
            ByteBuffer data = buffer(
                    random, from + items * element.length + random.random().nextInt(9) + 1);
            for (int i = 0; i < items; i++) {
                data.put(from + i * element.length, element);
            }
            int length = items * element.length;
            assertTrue(StridedCopy.isFilled(data, from, length, element));
            if (length > 0) {
                int at = from + random.random().nextInt(length);
                data.put(at, (byte) (data.get(at) + 1));
                assertFalse(StridedCopy.isFilled(data, from, length, element));
            }
        });
    }

    @Test
    void wordsAreReversedInPlace() {
        Cases.check(100, random -> {
            int word = random.oneOf(1, 2, 4, 8);
            int bytes = word * (int) random.between(1, 20);
            ByteBuffer data = buffer(random, bytes);
            ByteBuffer expected = ByteBuffer.allocate(bytes);
            long[] extents = {bytes / word};
            long[] strides = {word};
            StridedCopy.copy(data, 0, strides, expected, 0, strides, extents, word, word);
            StridedCopy.swap(data, word);
            assertEquals(expected.clear(), data.clear());
        });
    }
}
