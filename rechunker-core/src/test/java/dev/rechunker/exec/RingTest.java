package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.memory.Workspace;
import dev.rechunker.testing.Cases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Units in use never overlap, and the next window in order can always be allocated. */
class RingTest {
    /** A unit in use. */
    private record Used(long place, long length) {
        boolean overlaps(Used other) {
            return place < other.place + other.length && other.place < place + length;
        }
    }

    /** A unit that is not allocated yet. */
    private record Wanted(long offset, long length) {}

    @Test
    void slotsInUseNeverOverlap() {
        Cases.check(500, cases -> {
            long largest = cases.between(1, 20);
            long size = largest + cases.between(0, 100);
            Ring ring = new Ring(new Workspace(size + largest, Workspace.MAX_BUFFER, 0), size);
            Deque<Wanted> wanted = units(cases, ring, size, largest);
            List<Used> used = new ArrayList<>();
            int stuck = 0;
            while (!wanted.isEmpty()) {
                Wanted next = wanted.element();
                long place = ring.place(next.offset, next.length);
                assertTrue(place >= 0 && place + next.length <= size + largest, "outside of the workspace");
                Used candidate = new Used(place, next.length);
                boolean free = used.stream().noneMatch(candidate::overlaps);
                assertEquals(free, ring.isFree(place, next.length), () -> candidate + " beside " + used);
                if (free && cases.random().nextInt(3) > 0) {
                    ring.take(place, Math.toIntExact(next.length));
                    assertEquals(next.length, ring.buffer(place, next.length).remaining());
                    assertFalse(ring.isFree(place, next.length));
                    used.add(candidate);
                    wanted.remove();
                } else if (!used.isEmpty()) {
                    // Units are written in any order.
                    ring.release(used.remove(cases.random().nextInt(used.size())).place);
                }
                assertTrue(stuck++ < 100_000, "the next window cannot be allocated");
            }
        });
    }

    /** {@return the units of some windows, one after the other} */
    private static Deque<Wanted> units(Cases cases, Ring ring, long size, long largest) {
        Deque<Wanted> units = new ArrayDeque<>();
        long end = 0;
        for (int window = 0; window < 8; window++) {
            List<Long> lengths = new ArrayList<>();
            for (long count = cases.between(1, 12); count > 0; count--) {
                lengths.add(cases.between(1, largest));
            }
            long bytes = lengths.stream().mapToLong(Long::longValue).sum();
            long start = ring.windowStart(end, bytes);
            assertTrue(start >= end && start < end + size, "goes on");
            if (bytes <= size) {
                assertTrue(start % size + bytes <= size, "a window that fits is contiguous");
            }
            end = start + bytes;
            for (long length : lengths) {
                units.add(new Wanted(start, length));
                start += length;
            }
        }
        return units;
    }

    @Test
    void aUnitHasItsPlaceAfterTheEndOnlyIfItCrossesTheEnd() {
        Ring ring = new Ring(new Workspace(14, Workspace.MAX_BUFFER, 0), 10);
        assertEquals(6, ring.place(6, 4), "it ends where the ring ends");
        assertEquals(10, ring.place(7, 4));
        assertEquals(10, ring.place(29, 4));
        assertEquals(0, ring.place(30, 4));
        assertTrue(ring.isWhole(0, 14));
        Ring pieces = new Ring(new Workspace(14, 8, 0), 10);
        assertTrue(pieces.isWhole(0, 8));
        assertFalse(pieces.isWhole(5, 8));
    }
}
