package dev.rechunker.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Scratch;
import dev.rechunker.testing.Cases;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes, budgets, workspaces and scratch. */
@Timeout(60)
class MemoryTest {
    // ------------------------------------------------------------------ sizes

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "65536, 65536",
        "17B, 17",
        "1kB, 1000",
        "1 KiB, 1024",
        "2GB, 2000000000",
        "2gb, 2000000000",
        "2G, 2000000000",
        "512MiB, 536870912",
        "512mib, 536870912",
        "1.5 GiB, 1610612736",
        "0.5kB, 500",
        "3TB, 3000000000000",
        "3TiB, 3298534883328",
        "2PB, 2000000000000000",
        "9223372036854770000, 9223372036854770000",
        "' 7 MB ', 7000000"
    })
    void sizesAreParsed(String text, long bytes) {
        assertEquals(bytes, ByteSize.parse(text).bytes());
        assertEquals(ByteSize.of(bytes), ByteSize.parse(text));
    }

    @Test
    void shareOfTheHeapIsParsed() {
        long heap = Runtime.getRuntime().maxMemory();
        assertEquals(heap, ByteSize.parse("100%").bytes());
        assertEquals(heap / 2, ByteSize.parse("50 %").bytes());
        assertEquals(0, ByteSize.parse("0%").bytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "GB", "-1GB", "2XB", "2 G B", "1e9", "1,5GB", "2GBs", "1.GB", "NaN", "0x10", "2iB", "1i"})
    void invalidSizeTextsAreRefused(String text) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> ByteSize.parse(text));
        assertTrue(String.valueOf(e.getMessage()).startsWith("\"" + text + "\" is not a size; write "), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "9224PB", "99999999999999999999GB", "8192PiB"})
    void sizesBeyondLongAreRefused(String text) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> ByteSize.parse(text));
        assertEquals("\"" + text + "\" is more than 2^63 bytes", e.getMessage());
    }

    @Test
    void invalidSizesAreRefused() {
        assertEquals(
                "\"101%\" is more than the whole heap",
                assertThrows(IllegalArgumentException.class, () -> ByteSize.parse("101%"))
                        .getMessage());
        assertEquals(
                "a size of -5 bytes is negative",
                assertThrows(IllegalArgumentException.class, () -> ByteSize.of(-5))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "999, 999 B",
        "1000, 1.00 kB",
        "9994, 9.99 kB",
        "10000, 10.0 kB",
        "123456, 123 kB",
        "999499, 999 kB",
        "999500, 1.00 MB",
        "2490000000, 2.49 GB",
        "1500000000000, 1.50 TB",
        "9223372036854775807, 9223 PB"
    })
    void sizesArePrinted(long bytes, String text) {
        assertEquals(text, ByteSize.of(bytes).toString());
    }

    @Test
    void printedSizesAreParsedToAboutTheSame() {
        Cases.check(2_000, cases -> {
            long bytes = (long) Math.pow(2, cases.random().nextDouble() * 62.9);
            long parsed = ByteSize.parse(ByteSize.of(bytes).toString()).bytes();
            assertTrue(Math.abs(bytes - parsed) <= bytes / 190 + 1, () -> bytes + " became " + parsed);
        });
    }

    // ------------------------------------------------------------------ budgets

    @Test
    void sizesAreRoundedUpToWhatIsPrinted() {
        assertEquals(999, ByteSize.of(999).roundedUp().bytes());
        assertEquals(1_010, ByteSize.of(1_001).roundedUp().bytes());
        assertEquals(1_000_000, ByteSize.of(999_001).roundedUp().bytes());
        assertEquals(Long.MAX_VALUE, ByteSize.of(Long.MAX_VALUE).roundedUp().bytes());
        Cases.check(2_000, cases -> {
            long bytes = (long) Math.pow(2, cases.random().nextDouble() * 62.9);
            ByteSize rounded = ByteSize.of(bytes).roundedUp();
            assertTrue(rounded.bytes() >= bytes && rounded.bytes() - bytes < Math.max(1, bytes / 100 + 1));
            assertEquals(rounded, ByteSize.parse(rounded.toString()));
        });
    }

    @Test
    void budgetCountsReservedMemory() throws Exception {
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(100));
        assertEquals(100, budget.capacity());
        MemoryBudget.Reservation all = budget.reserve(60);
        MemoryBudget.Reservation rest = budget.reserve(40);
        assertEquals(100, budget.held());
        assertEquals(60, all.bytes());
        all.close();
        all.close();
        assertEquals(0, all.bytes());
        assertEquals(40, budget.held());
        rest.close();
        assertEquals(0, budget.held());
        assertEquals(100, budget.highWater());
        budget.reserve(0).close();
        assertEquals(0, budget.held());
    }

    @Test
    void impossibleReservationIsRefused() {
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(100));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> budget.reserve(101));
        assertEquals("101 bytes cannot be reserved: the budget is 100 bytes in all", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> budget.reserve(-1));
        assertEquals(0, budget.held());
    }

    @Test
    void reservationWaitsForMemory() throws Exception {
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(100));
        MemoryBudget.Reservation first = budget.reserve(60);
        FutureTask<MemoryBudget.Reservation> second = new FutureTask<>(() -> budget.reserve(41));
        Thread thread = new Thread(second);
        thread.start();
        waitUntil(() -> thread.getState() == Thread.State.WAITING);
        assertFalse(second.isDone());
        assertEquals(60, budget.held());
        first.close();
        second.get(20, TimeUnit.SECONDS).close();
        assertEquals(0, budget.held());
    }

    @Test
    void waitingReservationCanBeInterrupted() throws Exception {
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(100));
        MemoryBudget.Reservation first = budget.reserve(100);
        FutureTask<String> second = new FutureTask<>(() -> {
            try {
                return "reserved " + budget.reserve(1).bytes();
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        Thread thread = new Thread(second);
        thread.start();
        waitUntil(() -> thread.getState() == Thread.State.WAITING);
        thread.interrupt();
        assertEquals("interrupted", second.get(20, TimeUnit.SECONDS));
        first.close();
        assertEquals(0, budget.held());
    }

    private static void waitUntil(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            Thread.sleep(1);
        }
    }

    @Test
    void threadsNeverReserveMoreThanTheCapacity() throws Exception {
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(1000));
        AtomicLong held = new AtomicLong();
        AtomicLong most = new AtomicLong();
        List<FutureTask<Boolean>> runs = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            Cases cases = Cases.of(t);
            FutureTask<Boolean> run = new FutureTask<>(() -> {
                for (int i = 0; i < 2_000; i++) {
                    long bytes = cases.between(0, 700);
                    try (MemoryBudget.Reservation reservation = budget.reserve(bytes)) {
                        most.accumulateAndGet(held.addAndGet(reservation.bytes()), Math::max);
                        Thread.onSpinWait();
                        held.addAndGet(-bytes);
                    }
                }
                return true;
            });
            runs.add(run);
            new Thread(run).start();
        }
        for (FutureTask<Boolean> run : runs) {
            assertTrue(run.get());
        }
        assertTrue(most.get() <= 1000, "held " + most);
        assertTrue(budget.highWater() <= 1000 && budget.highWater() >= most.get(), "high water " + budget.highWater());
        assertEquals(0, budget.held());
    }

    // ------------------------------------------------------------------ workspaces

    @Test
    void buffersAreAtTheirOffsets() {
        Cases.check(300, cases -> {
            long size = cases.between(1, 400);
            long segment = cases.between(8, 100);
            long largest = cases.between(1, segment);
            Workspace workspace = new Workspace(size, segment, largest, (int) cases.between(1, 3));
            assertEquals(size, workspace.size());
            // Adjacent buffers of random lengths do not share bytes.
            List<ByteBuffer> buffers = new ArrayList<>();
            for (long at = 0; at < size; ) {
                long length = Math.min(size - at, cases.between(1, largest));
                ByteBuffer buffer = workspace.buffer(at, length);
                assertEquals(length, buffer.remaining());
                assertEquals(0, buffer.position());
                assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.order());
                assertTrue(buffer.isDirect());
                for (int i = 0; i < length; i++) {
                    buffer.put(i, (byte) buffers.size());
                }
                buffers.add(buffer);
                at += length;
            }
            for (int b = 0; b < buffers.size(); b++) {
                for (int i = 0; i < buffers.get(b).capacity(); i++) {
                    assertEquals((byte) b, buffers.get(b).get(i), "buffer " + b);
                }
            }
        });
    }

    @Test
    void sameBufferIsReturnedAgain() {
        Workspace workspace = new Workspace(100, 40, 16);
        // The second one is in two segments.
        for (long offset : new long[] {0, 36, 40, 84}) {
            workspace.buffer(offset, 16).putLong(3, 42 + offset);
            assertEquals(42 + offset, workspace.buffer(offset, 16).getLong(3));
        }
    }

    @Test
    void bytesAreCopiedAcrossSegments() {
        Cases.check(300, cases -> {
            int size = (int) cases.between(1, 400);
            Workspace workspace = new Workspace(size, cases.between(1, 100), 0, (int) cases.between(1, 3));
            int from = (int) cases.between(0, size - 1);
            byte[] bytes = new byte[(int) cases.between(0, size - from)];
            cases.random().nextBytes(bytes);
            ByteBuffer zeros = ByteBuffer.allocate(size);
            workspace.put(0, zeros);
            assertEquals(0, zeros.remaining());
            ByteBuffer data = ByteBuffer.allocateDirect(bytes.length + 2)
                    .put(1, bytes)
                    .position(1)
                    .limit(bytes.length + 1);
            workspace.put(from, data);
            assertEquals(0, data.remaining());
            ByteBuffer all = ByteBuffer.allocate(size + 1).position(1);
            workspace.get(0, all);
            assertEquals(0, all.remaining());
            byte[] expected = new byte[size + 1];
            System.arraycopy(bytes, 0, expected, from + 1, bytes.length);
            assertArrayEquals(expected, all.array());
        });
    }

    @Test
    void rangesOutsideOfWorkspaceAreRefused() {
        Workspace workspace = new Workspace(100, 40, 16);
        assertEquals(0, workspace.buffer(100, 0).remaining());
        assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(90, 11));
        assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(-1, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(5, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(0, 1L << 31));
        assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(Long.MAX_VALUE, 1));
        IndexOutOfBoundsException e = assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(101, 1));
        assertEquals("1 bytes at 101 are not in a workspace of 100 bytes", e.getMessage());
    }

    @Test
    void sparesAreCounted() {
        assertEquals(0, Workspace.bytesFor(0, 40, 16));
        assertEquals(40, Workspace.bytesFor(40, 40, 16));
        assertEquals(41 + 16, Workspace.bytesFor(41, 40, 16));
        assertEquals(100 + 2 * 16, Workspace.bytesFor(100, 40, 16));
        assertEquals(100, Workspace.bytesFor(100, 40, 0));
        assertEquals(0, new Workspace(0, 40, 16).size());
    }

    // ------------------------------------------------------------------ scratch

    @Test
    void scratchIsTakenAndReleased() {
        Scratch scratch = Scratch.allocate(32);
        ByteBuffer first = scratch.take(10);
        int mark = scratch.mark();
        ByteBuffer second = scratch.take(22);
        first.put(9, (byte) 1);
        second.put(0, (byte) 2);
        assertEquals(1, first.get(9));
        assertEquals(ByteOrder.LITTLE_ENDIAN, second.order());
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> scratch.take(1));
        assertTrue(String.valueOf(e.getMessage()).contains("only 0 of 32 are left"), e.getMessage());
        assertThrows(IllegalStateException.class, () -> scratch.take(-1));
        scratch.release(mark);
        assertEquals(22, scratch.available());
        assertEquals(2, scratch.take(1).get(0));
        assertThrows(IllegalArgumentException.class, () -> scratch.release(12));
        assertThrows(IllegalArgumentException.class, () -> scratch.release(-1));
        scratch.release(0);
        assertEquals(32, scratch.available());
    }

    @Test
    void segmentsAreMultiplesOfTheirBorders() {
        for (long border : new long[] {1, 3, 1000, Workspace.MAX_BUFFER / 2 + 1, Workspace.MAX_BUFFER}) {
            long segment = Workspace.segmentBytes(border);
            assertEquals(0, segment % border);
            assertTrue(segment <= Workspace.MAX_BUFFER && segment > Workspace.MAX_BUFFER - border, "" + border);
        }
    }

    /** A buffer of exactly the space is in it, and one that ends at a border does not cross it. */
    @Test
    void buffersReachTheEndOfSegmentsAndOfTheSpace() {
        Workspace workspace = new Workspace(25, 10, 4);
        assertTrue(workspace.isWhole(10, 10));
        assertFalse(workspace.isWhole(11, 10));
        assertFalse(workspace.isWhole(0, Workspace.MAX_BUFFER + 1L));
        assertEquals(5, workspace.buffer(20, 5).capacity());
        assertEquals(4, workspace.buffer(18, 4).capacity());
        assertThrows(IndexOutOfBoundsException.class, () -> workspace.buffer(17, 5), "larger than a spare buffer");
        assertEquals(0, workspace.buffer(25, 0).capacity());
        assertEquals(25 + 2 * 4, Workspace.bytesFor(25, 10, 4));
        assertEquals(20 + 4, Workspace.bytesFor(20, 10, 4));
        assertEquals(0, Workspace.bytesFor(0, 10, 4));
    }

    /** Content at each place is still there when the whole space is read again. */
    @Test
    void everyByteOfTheSpaceIsItsOwn() {
        Workspace workspace = new Workspace(25, 10, 4);
        byte[] bytes = new byte[25];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        workspace.put(0, ByteBuffer.wrap(bytes));
        byte[] again = new byte[25];
        workspace.get(0, ByteBuffer.wrap(again));
        assertArrayEquals(bytes, again);
        byte[] rest = new byte[18];
        workspace.get(7, ByteBuffer.wrap(rest));
        assertArrayEquals(Arrays.copyOfRange(bytes, 7, 25), rest);
    }

    @Test
    void workspacesOfTheSameLayoutAreRecycled() {
        WorkspaceRecycler recycler = new WorkspaceRecycler();
        Workspace first = recycler.take(25, 10, 4, 1);
        recycler.leave(first);
        for (long[] other : new long[][] {{24, 10, 4}, {25, 11, 4}, {25, 10, 5}}) {
            assertNotSame(first, recycler.take(other[0], other[1], other[2], 1));
        }
        assertSame(first, recycler.take(25, 10, 4, 2));
        assertNotSame(first, recycler.take(25, 10, 4, 2), "it is in use");
    }

    @Test
    void segmentsOfFittingSizeAreRecycled() {
        WorkspaceRecycler recycler = new WorkspaceRecycler();
        recycler.leave(new Workspace(100, 10, 4));
        assertEquals(50, recycler.takeSegment(50, 200).size(), "one with borders is not a segment");
        Workspace segment = recycler.takeSegment(100, 100);
        assertEquals(100, segment.size());
        recycler.leave(segment);
        assertNotSame(segment, recycler.takeSegment(101, 200));
        assertNotSame(segment, recycler.takeSegment(10, 99));
        assertSame(segment, recycler.takeSegment(100, 100));
    }
}
