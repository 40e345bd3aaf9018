package dev.rechunker.geometry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.Cases;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PartitionTest {
    private static final int CASES = 5000;
    private static final long HUGE = (1L << 62) - 1;

    /** {@return the cuts of a partition by definition, including both ends of the axis; only 0 if the axis is empty} */
    private static NavigableSet<Long> cuts(Partition p) {
        NavigableSet<Long> cuts = new TreeSet<>(List.of(0L, p.length()));
        for (long at = 1; at < p.length(); at++) {
            if (p.indexOf(at) != p.indexOf(at - 1)) {
                cuts.add(at);
            }
        }
        return cuts;
    }

    private static void assertCuts(NavigableSet<Long> expected, Partition p) {
        assertEquals(expected, cuts(p), p.toString());
        assertEquals(expected.size() - 1, p.count(), p.toString());
        long index = 0;
        for (long start : expected.headSet(p.length())) {
            assertEquals(start, p.start(index));
            assertEquals(expected.higher(start), p.end(index));
            index++;
        }
    }

    @Test
    void partsCoverTheAxisInOrder() {
        Cases.check(CASES, random -> {
            Partition p = random.partition(random.between(0, 60));
            long at = 0;
            long largest = 0;
            for (long index = 0; index < p.count(); index++) {
                assertEquals(at, p.start(index));
                assertTrue(p.size(index) > 0);
                assertTrue(p.size(index) <= p.step());
                largest = Math.max(largest, p.size(index));
                assertTrue(p.isBoundary(at));
                for (; at < p.end(index); at++) {
                    assertEquals(index, p.indexOf(at));
                    assertEquals(at == p.start(index), p.isBoundary(at));
                }
            }
            assertEquals(p.length(), at);
            assertEquals(largest, p.maxSize());
            assertTrue(p.isBoundary(p.length()));
            assertThrows(IndexOutOfBoundsException.class, () -> p.indexOf(p.length()));
            assertThrows(IndexOutOfBoundsException.class, () -> p.indexOf(-1));
        });
    }

    @Test
    void regularCutsAreTheMultiplesOfTheStep() {
        Cases.check(CASES, random -> {
            long length = random.between(0, 60);
            long step = random.between(1, 70);
            Partition p = Partition.regular(length, step);
            NavigableSet<Long> expected = new TreeSet<>(List.of(0L, length));
            for (long at = step; at < length; at += step) {
                expected.add(at);
            }
            assertCuts(expected, p);
            assertTrue(p.isRegular());
            assertEquals(step, p.step());
        });
    }

    @Test
    void sizesAreKeptAndRegularOnesAreRecognized() {
        Cases.check(CASES, random -> {
            long[] sizes = random.random()
                    .longs(random.between(0, 6), 1, random.between(2, 5))
                    .toArray();
            Partition p = Partition.ofSizes(sizes);
            boolean regular = true;
            for (int i = 0; i < sizes.length; i++) {
                assertEquals(sizes[i], p.size(i));
                regular &= i == sizes.length - 1 ? sizes[i] <= sizes[0] : sizes[i] == sizes[0];
            }
            assertEquals(sizes.length, p.count());
            assertEquals(regular, p.isRegular());
        });
    }

    @Test
    void groupsConsistOfConsecutiveParts() {
        Cases.check(CASES, random -> {
            Partition p = random.partition(random.between(0, 60));
            long parts = random.between(1, 9);
            NavigableSet<Long> expected = new TreeSet<>(List.of(0L, p.length()));
            for (long index = 0; index < p.count(); index += parts) {
                expected.add(p.start(index));
            }
            assertCuts(expected, p.group(parts));
            assertEquals(p.count() == 0 ? 0 : 1, p.group(Long.MAX_VALUE).count());
        });
    }

    @Test
    void slicesHaveTheCutsInside() {
        Cases.check(CASES, random -> {
            Partition p = random.partition(random.between(0, 60));
            long from = random.between(0, p.length());
            long to = random.between(from, p.length());
            NavigableSet<Long> expected = new TreeSet<>(List.of(0L, to - from));
            for (long cut : cuts(p)) {
                if (cut > from && cut < to) {
                    expected.add(cut - from);
                }
            }
            Partition slice = p.slice(from, to);
            assertCuts(expected, slice);
            boolean isWhole = from == 0 && to == p.length();
            long step = p.count() == 1 && !isWhole && from < to ? to - from : p.step();
            assertEquals(step, slice.step(), p + " from " + from + " to " + to);
            assertEquals(isWhole ? p : slice, slice);
        });
        Partition regular = Partition.regular(Long.MAX_VALUE, 4);
        assertEquals(Partition.regular(Long.MAX_VALUE - 8, 4), regular.slice(8, Long.MAX_VALUE));
        assertThrows(ArithmeticException.class, () -> regular.slice(7, Long.MAX_VALUE));
        for (long[] range : new long[][] {{-1, 5}, {5, 4}, {0, 11}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Partition.regular(10, 4).slice(range[0], range[1]));
        }
    }

    @Test
    void refinementsPiecesAndCommonCuts() {
        Cases.check(4 * CASES, random -> {
            long length = random.between(0, 60);
            Partition a = random.partition(length);
            Partition b = random.partition(length);
            NavigableSet<Long> all = cuts(a);
            all.addAll(cuts(b));
            NavigableSet<Long> common = cuts(a);
            common.retainAll(cuts(b));
            common.removeAll(List.of(0L, length));
            assertEquals(common.size(), a.commonCuts(b), a + " and " + b);
            assertEquals(all.size() - 1, a.pieces(b), a + " and " + b);
            assertEquals(cuts(a).containsAll(cuts(b)), a.refines(b), a + " and " + b);
            assertCuts(all, a.refine(b));
            assertCuts(all, b.refine(a));
            if (cuts(a).equals(cuts(b))) { // the smaller nominal size
                assertEquals(Math.min(a.step(), b.step()), a.refine(b).step(), a + " and " + b);
            }
        });
    }

    @Test
    void finerPartitionIsItsRefinementAndNotListed() {
        long length = 10_000_000_000L;
        Partition irregular = Partition.ofSizes(30, length - 70, 40);
        Partition finer = Partition.regular(length, 10);
        assertEquals(finer, irregular.refine(finer));
        assertEquals(finer, finer.refine(irregular));
        assertThrows(
                ArithmeticException.class, () -> Partition.regular(length, 4).refine(irregular));
    }

    @Test
    void coupledBlocksConsistOfWholeParts() {
        Cases.check(CASES, random -> {
            long length = random.between(0, 60);
            Partition a = random.partition(length);
            Partition b = random.partition(length);
            long coupled = a.coupledSize(b);
            assertEquals(coupled, b.coupledSize(a));
            if (!a.isRegular() || !b.isRegular()) {
                assertEquals(length, coupled);
                return;
            }
            long least = 1;
            while (least < length && (least % a.step() != 0 || least % b.step() != 0)) {
                least++;
            }
            assertEquals(Math.min(length, least), coupled, a + " and " + b);
        });
    }

    @Test
    void hugeAxesDoNotOverflow() {
        for (long length : new long[] {HUGE, HUGE + 1, Long.MAX_VALUE}) {
            for (long step : new long[] {1, 2, 3, 1L << 31, length / 2, length / 2 + 1, length - 1, length}) {
                Partition p = Partition.regular(length, step);
                long last = p.count() - 1;
                assertEquals(length, p.end(last));
                assertEquals(last, p.indexOf(length - 1));
                assertTrue(p.start(last) < length && p.size(last) > 0 && p.size(last) <= step);
                assertEquals(p.count(), p.pieces(p));
                assertEquals(p.count() - 1, p.commonCuts(p));
                assertEquals(p, p.refine(p));
                assertEquals(step, p.coupledSize(p));
                assertEquals(1, p.group(p.count()).count());
                assertEquals(length, p.group(last + 1).end(0));
                if (last > 0) {
                    Partition two = p.group(last);
                    assertEquals(2, two.count());
                    assertEquals(p.start(last), two.start(1));
                }
            }
            Partition a = Partition.regular(length, length - 1);
            Partition b = Partition.regular(length, length - 2);
            assertEquals(length, a.coupledSize(b));
            assertEquals(3, a.pieces(b));
            assertEquals(List.of(length - 2, 1L, 1L), sizes(a.refine(b)));
            Partition ones = Partition.regular(length, 1);
            assertEquals(length, ones.pieces(Partition.regular(length, 2)));
            assertEquals(length, ones.pieces(Partition.ofSizes(5, length - 5)));
            assertEquals(
                    Partition.ofSizes(5, length - 5),
                    Partition.regular(length, length).refine(Partition.ofSizes(5, length - 5)));
            assertThrows(
                    ArithmeticException.class,
                    () -> Partition.regular(length, 3).refine(Partition.regular(length, 2)));
        }
        assertThrows(ArithmeticException.class, () -> Partition.ofSizes(Long.MAX_VALUE, 1));
        Partition nominal = Partition.regular(10, Long.MAX_VALUE);
        assertEquals(1, nominal.count());
        assertEquals(10, nominal.end(0));
        assertEquals(10, nominal.maxSize());
        assertEquals(Long.MAX_VALUE, nominal.step());
        assertEquals(Partition.regular(10, 4), nominal.refine(Partition.regular(10, 4)));
    }

    private static List<Long> sizes(Partition p) {
        return LongStream.range(0, p.count()).map(p::size).boxed().toList();
    }

    @Test
    void invalidArgumentsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Partition.regular(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> Partition.regular(1, 0));
        assertThrows(IllegalArgumentException.class, () -> Partition.ofSizes(1, 0));
        assertThrows(
                IllegalArgumentException.class, () -> Partition.regular(5, 2).group(0));
        Partition five = Partition.regular(5, 2);
        Partition six = Partition.regular(6, 2);
        assertThrows(IllegalArgumentException.class, () -> five.refine(six));
        assertThrows(IllegalArgumentException.class, () -> five.commonCuts(six));
        assertThrows(IllegalArgumentException.class, () -> five.refines(six));
        assertThrows(IllegalArgumentException.class, () -> five.coupledSize(six));
        assertThrows(
                IllegalArgumentException.class, () -> Partition.ofSizes(1, 3, 1).pieces(six));
        assertThrows(
                IllegalArgumentException.class, () -> Partition.regular(0, 1).pieces(six));
    }

    @Test
    void partsCanBeNominallyLarger() {
        Partition months = Partition.ofNominalSizes(59, 31, 28);
        assertFalse(months.isRegular());
        assertEquals(28, months.nominalSize(1));
        assertFalse(months.isClipped());
        assertNotEquals(Partition.regular(59, 31), months);
        assertEquals(Partition.regular(10, 4), Partition.ofNominalSizes(10, 4, 4, 4));
        assertEquals(Partition.regular(8, 4), Partition.ofNominalSizes(8, 4, 4, 9, 9));
        assertEquals(Partition.regular(0, 3), Partition.ofNominalSizes(0, 3, 5));

        Partition clipped = Partition.ofNominalSizes(8, 5, 9);
        assertEquals(List.of(3L, 9L), List.of(clipped.size(1), clipped.nominalSize(1)));
        assertEquals(List.of(5L, 9L), List.of(clipped.maxSize(), clipped.step()));
        assertTrue(clipped.isClipped() && Partition.regular(5, 2).isClipped());
        assertNotEquals(Partition.ofNominalSizes(8, 5, 8), clipped);
        assertEquals(Partition.ofNominalSizes(6, 3, 9), clipped.slice(2, 8));
        assertEquals(2, clipped.slice(2, 7).nominalSize(1));
        assertThrows(IllegalArgumentException.class, () -> Partition.ofNominalSizes(8, 5, 2));
        assertThrows(IllegalArgumentException.class, () -> Partition.ofNominalSizes(8, 5, 0, 3));
    }

    @Test
    void theFirstPartsOfAGrownPartitionAreTheSame() {
        Partition months = Partition.ofSizes(31, 28, 31);
        assertEquals(Partition.ofSizes(31, 28, 31, 30), months.grown(120, 1));
        assertEquals(Partition.ofSizes(31, 28, 31, 31, 31, 3), months.grown(155, 1));
        assertEquals(months, months.grown(90, 7));
        assertEquals(Partition.regular(90, 31), Partition.regular(59, 31).grown(90, 1));
        Partition clipped = Partition.ofNominalSizes(8, 5, 9);
        assertEquals(Partition.ofNominalSizes(12, 5, 9), clipped.grown(12, 1));
        assertEquals(Partition.ofSizes(5, 9, 2), clipped.grown(16, 1));
        assertEquals(Partition.ofNominalSizes(16, 5, 10, 5), clipped.grown(16, 5));
        assertThrows(IllegalArgumentException.class, () -> months.grown(89, 1));
    }

    @Test
    void sizesAreListedInRuns() {
        assertEquals("4", Partition.regular(10, 4).text());
        assertEquals("[31,28x2,9]", Partition.ofNominalSizes(90, 31, 28, 28, 9).text());
        Partition many = Partition.ofSizes(1, 2, 3, 4, 4, 5, 6, 7);
        assertEquals("[1,2,3,4x2,5,6,7]", many.text());
        assertEquals("32 by [1,2,3,4x2,5,...]", many.toString());
    }

    @Test
    void equalityIsOfLengthStepAndCuts() {
        assertEquals(Partition.regular(10, 4), Partition.ofSizes(4, 4, 2));
        assertEquals(
                Partition.regular(10, 4).hashCode(), Partition.ofSizes(4, 4, 2).hashCode());
        assertNotEquals(Partition.regular(10, 10), Partition.regular(10, 11));
        assertEquals(Partition.ofSizes(1, 3), Partition.ofSizes(1, 3));
        assertNotEquals(Partition.ofSizes(1, 3), Partition.ofSizes(2, 3));
        assertFalse(Partition.ofSizes(1, 3).isRegular());
        assertEquals("4 by [1,3]", Partition.ofSizes(1, 3).toString());
        assertEquals("10 by 4", Partition.regular(10, 4).toString());
    }
}
