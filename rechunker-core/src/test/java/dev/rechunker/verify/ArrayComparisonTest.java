package dev.rechunker.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Difference;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Comparison of arrays within any maxMem, with the first difference as the result. */
class ArrayComparisonTest {
    /**
     * Compares arrays with random shapes, chunks, bounds and kinds of readers, without differences and with some of
     * which the first is expected.
     */
    @Test
    void findsTheFirstDifferenceWithinAnyMaxMem() throws IOException, InterruptedException {
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            int rank = random.nextInt(5);
            long[] shape = random.longs(rank, 1, 9).toArray();
            ArraySpec specA = ArraySpec.builder(
                            ChunkGrid.regular(
                                    Shape.of(shape),
                                    Shape.of(random.longs(rank, 1, 11).toArray())),
                            DataType.INT32)
                    .build();
            ArraySpec specB = specA.toBuilder()
                    .chunks(ChunkGrid.regular(
                            Shape.of(shape), Shape.of(random.longs(rank, 1, 11).toArray())))
                    .build();
            byte[] elements = count(specA);
            byte[] changed = elements.clone();
            int first = Integer.MAX_VALUE;
            for (int i = random.nextInt(3); i > 0; i--) {
                int at = random.nextInt(elements.length / 4);
                ByteBuffer.wrap(changed).order(specB.byteOrder()).putInt(4 * at, -5);
                first = Math.min(first, at);
            }
            long least = 4
                    + 4
                            * Math.max(
                                    specA.chunks().chunkShape().elements(),
                                    specB.chunks().chunkShape().elements());
            try (MemoryStore a = store(random);
                    MemoryStore b = store(random);
                    ArrayReader readerA = a.put("", specA, elements).openReader("");
                    ArrayReader readerB = b.put("", specB, changed).openReader("")) {
                long scratch = Math.max(
                        readerA.traits().scratchBytes(), readerB.traits().scratchBytes());
                ByteSize bound = ByteSize.of(least + scratch + random.nextInt(400));
                MemoryBudget budget = MemoryBudget.of(bound);
                ArrayComparison comparison = ArrayComparison.plan(
                        specA, readerA.traits(), specB, readerB.traits(), bound, 1 + random.nextInt(2), 1);
                ArrayComparison.Result result = comparison.run(readerA, readerB, budget);
                Optional<Difference> found = result.difference();
                assertEquals(0, budget.held());
                assertTrue(budget.highWater() == comparison.bytes() && comparison.bytes() <= bound.bytes());
                assertTrue(found.isPresent() || result.elements() == elements.length / 4);
                List<Long> expected = first == Integer.MAX_VALUE
                        ? null
                        : Longs.asList(ChunkGrid.regular(
                                        Shape.of(shape),
                                        Shape.of(random.longs(rank, 1, 2).toArray()))
                                .index(first));
                assertEquals(expected, found.map(Difference::index).orElse(null), "seed " + seed);
            }
        }
    }

    private static final List<Granularity> GRANULARITIES = List.of(Granularity.values());

    private static MemoryStore store(Random random) {
        return MemoryStore.builder()
                .granularity(GRANULARITIES.get(random.nextInt(GRANULARITIES.size())))
                .blockBytes(random.nextInt(60))
                .paddedEdges(random.nextBoolean())
                .build();
    }

    private static byte[] count(ArraySpec spec) {
        ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes()).order(spec.byteOrder());
        for (int i = 1; elements.hasRemaining(); i++) {
            elements.putInt(i);
        }
        return elements.array();
    }

    /** With little memory each window reads whole chunks, so fewer windows are compared. */
    @Test
    void aSampleReadsAboutAsMuchAsIsAllowed() throws IOException, InterruptedException {
        ArraySpec rows = ArraySpec.builder(ChunkGrid.regular(Shape.of(500, 500), Shape.of(1, 500)), DataType.INT32)
                .build();
        ArraySpec columns = rows.toBuilder()
                .chunks(ChunkGrid.regular(Shape.of(500, 500), Shape.of(500, 1)))
                .build();
        byte[] elements = count(rows);
        ByteSize bound = ByteSize.of(2_500);
        MemoryStore one = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        MemoryStore other = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        try (FaultyStore a = new FaultyStore(one.put("", rows, elements));
                FaultyStore b = new FaultyStore(other.put("", columns, elements))) {
            try (ArrayReader readerA = a.openReader("");
                    ArrayReader readerB = b.openReader("")) {
                ArrayComparison comparison =
                        ArrayComparison.plan(rows, readerA.traits(), columns, readerB.traits(), bound, 1, 0.5);
                ArrayComparison less = comparison.readingAtMost(200_000);
                assertTrue(less.run(readerA, readerB, MemoryBudget.of(bound)).elements() > 0);
                long reads = a.count(Operation.READ) + b.count(Operation.READ);
                assertTrue(reads > 10 && reads <= 120, reads + " reads of 2,000 bytes");
                assertSame(comparison, comparison.readingAtMost(1e9));
            }
        }
    }

    /** Memory of an earlier copy is reused, unless it is more than the run has had in use. */
    @Test
    void memoryOfEarlierRunIsReused() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(10, 10), Shape.of(5, 5)), DataType.INT32)
                .build();
        try (ArrayReader reader = MemoryStore.of(spec, count(spec)).openReader("")) {
            ArrayComparison comparison =
                    ArrayComparison.plan(spec, reader.traits(), spec, reader.traits(), ByteSize.of(1000), 2, 1);
            for (int size : new int[] {(int) comparison.bytes() - 1, (int) comparison.bytes(), 1000, 1001}) {
                MemoryBudget budget = MemoryBudget.of(ByteSize.of(1000));
                budget.reserve(1000).close();
                WorkspaceRecycler recycler = new WorkspaceRecycler();
                Workspace left = new Workspace(size, size, 0);
                recycler.leave(left);
                assertTrue(comparison
                        .run(reader, reader, budget, recycler, bytes -> {})
                        .difference()
                        .isEmpty());
                boolean used = left.buffer(0, 4).getInt() != 0;
                assertEquals(size >= comparison.bytes() && size <= 1000, used, size + " bytes");
            }
        }
    }

    @Test
    void tooSmallMaxMemIsRefusedWithTheLeastPossible() {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(10, 10), Shape.of(5, 5)), DataType.INT32)
                .build();
        ReadTraits traits = ReadTraits.of(Granularity.CHUNK)
                .withScratchBytes(30)
                .withNativeBytes(20)
                .withHeldBytes(7);
        long least = 100 + 30 + 20 + 2 * 7 + 4;
        InfeasiblePlanException refusal = assertThrows(
                InfeasiblePlanException.class,
                () -> ArrayComparison.plan(spec, traits, spec, traits, ByteSize.of(least - 1), 3, 1));
        assertEquals(least, refusal.minimumMemory());
        assertEquals(
                least,
                ArrayComparison.plan(spec, traits, spec, traits, ByteSize.of(least), 3, 1)
                        .bytes());
    }

    @Test
    void emptyArraysAreEqual() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(3, 0), Shape.of(2, 2)), DataType.INT32)
                .build();
        try (ArrayReader reader = MemoryStore.of(spec, new byte[0]).openReader("")) {
            ArrayComparison comparison =
                    ArrayComparison.plan(spec, reader.traits(), spec, reader.traits(), ByteSize.of(1000), 2, 1);
            assertEquals(
                    new ArrayComparison.Result(Optional.empty(), 0),
                    comparison.run(reader, reader, MemoryBudget.of(ByteSize.of(1000))));
        }
    }

    @Test
    void arraysThatCannotBeComparedAreRefused() {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(10), Shape.of(5)), DataType.INT32)
                .build();
        ReadTraits traits = ReadTraits.of(Granularity.CHUNK);
        ByteSize bound = ByteSize.of(1000);
        for (ArraySpec other : List.of(
                spec.toBuilder().dataType(DataType.FLOAT32).build(),
                spec.toBuilder()
                        .chunks(ChunkGrid.regular(Shape.of(11), Shape.of(5)))
                        .build())) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ArrayComparison.plan(spec, traits, other, traits, bound, 1, 1));
        }
    }
}
