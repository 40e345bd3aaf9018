package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Problem;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies of random joined arrays: every element is copied, the memory bound holds, and members are read as often as
 * planned.
 */
class ConcatRechunkTest {
    /** A cost model with which a spill is best. */
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    @TempDir
    Path spills;

    /** A random member, and its region in the joined array. */
    private record Member(
            long start, ArraySpec spec, Data data, LongPredicate written, CountingStore counts, StrictStore strict) {}

    /** A random joined array and its members. */
    private static final class Joined {
        final Cases cases;
        final boolean stacked;
        final int axis;
        final Data whole;
        final List<Member> members = new ArrayList<>();
        final OpenerCount opener = new OpenerCount();
        final int limit;
        /**
         * The number of readers of joined arrays that may be open at the same time, each with at most {@link #limit}
         * members.
         */
        int readers = 1;

        ChunkStore store = new MemoryStore();

        Joined(Cases cases) throws Exception {
            this.cases = cases;
            Shape shape = cases.shape(1 + cases.random().nextInt(4));
            axis = cases.random().nextInt(shape.rank());
            stacked = shape.extent(axis) > 0 && cases.random().nextInt(4) == 0;
            limit = cases.random().nextInt(3) == 0 ? 100 : 1 + cases.random().nextInt(4);
            DataType type = cases.dataType();
            ArraySpec base = cases.spec(cases.regularGrid(shape), type).toBuilder()
                    .shards(null)
                    .build();
            whole = Data.of(base, cases.seed());
            boolean oneGrid = cases.random().nextInt(3) != 0;
            boolean oneKind = cases.random().nextBoolean();
            Granularity granularity = cases.oneOf(Granularity.values());
            long length = shape.extent(axis);
            for (long start = 0; start < length || members.isEmpty(); ) {
                long extent = stacked
                        ? 1
                        : cases.random().nextInt(8) == 0 ? 0 : cases.between(Math.min(1, length), length - start);
                ChunkGrid grid = oneGrid ? base.chunks() : cases.grid(shape);
                add(start, extent, grid, oneKind ? granularity : cases.oneOf(Granularity.values()), oneKind);
                start += extent;
            }
            join();
        }

        private void add(long start, long extent, ChunkGrid grid, Granularity granularity, boolean oneKind)
                throws Exception {
            ArraySpec base = whole.spec();
            ChunkGrid chunks = stacked ? Slices.without(grid, axis) : Slices.with(grid, axis, cases.partition(extent));
            ArraySpec.Builder builder = base.toBuilder().chunks(chunks);
            int word = base.dataType().wordSize();
            boolean swap = !oneKind && word > 1 && cases.random().nextInt(3) == 0;
            ArraySpec straight = builder.build();
            if (swap) {
                builder.byteOrder(
                        base.byteOrder().equals(ByteOrder.BIG_ENDIAN) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
                builder.fillValue(base.fillValue().swapped(word));
            }
            if (!oneKind && cases.random().nextInt(3) == 0) {
                byte[] fill = new byte[base.dataType().itemSize()];
                cases.random().nextBytes(fill);
                builder.fillValue(cases.oneOf(FillValue.of(fill), FillValue.UNDEFINED));
            }
            ArraySpec spec = builder.build();
            Data data = stacked ? Slices.entry(whole, axis, start, straight) : Slices.of(whole, axis, start, straight);
            data = Slices.swapped(data, spec, swap ? word : 1);
            LongPredicate written =
                    cases.random().nextBoolean() ? unit -> true : unit -> (unit * 7 + cases.seed() + start) % 3 != 0;
            MemoryStore memory = MemoryStore.builder()
                    .name("member " + members.size())
                    .granularity(granularity)
                    .paddedEdges(cases.random().nextBoolean())
                    .build();
            data.write(memory, "", written);
            StrictStore strict = new StrictStore(memory).allowMissing();
            members.add(new Member(start, spec, data, written, new CountingStore(strict), strict));
        }

        private void join() throws Exception {
            List<Source> sources = members.stream()
                    .map(member -> opener.count(Source.of(member.counts().at(""))))
                    .toList();
            Concat.Options options = Concat.options().atMostOpen(limit);
            if (stacked) {
                store = options.stack("new", axis, sources);
            } else if (sources.size() > 2 && cases.random().nextInt(3) == 0) {
                readers = Math.min(2, limit);
                int half = sources.size() / 2;
                ChunkStore left = options.along(axis, sources.subList(0, half));
                ChunkStore right = options.along(axis, sources.subList(half, sources.size()));
                store = options.along(axis, Concat.sources(left.at(""), right.at("")));
            } else {
                store = options.along(axis, sources);
            }
        }

        /** {@return all elements, in the byte order of the first member} */
        byte[] expected() {
            ArraySpec first = members.get(0).spec();
            ArraySpec joined = whole.spec();
            int itemSize = joined.dataType().itemSize();
            byte[] all = new byte[(int) joined.bytes()];
            long stride = itemSize;
            for (int i = axis + 1; i < joined.shape().rank(); i++) {
                stride *= joined.shape().extent(i);
            }
            long row = stride * joined.shape().extent(axis);
            for (Member member : members) {
                boolean same = member.spec().byteOrder().equals(first.byteOrder());
                Region box = Region.whole(member.spec().shape());
                byte[] part = member.data().elements(box, member.written());
                int word = same ? 1 : joined.dataType().wordSize();
                for (int i = 0; i + word <= part.length && word > 1; i += word) {
                    for (int j = 0; j < word / 2; j++) {
                        byte held = part[i + j];
                        part[i + j] = part[i + word - 1 - j];
                        part[i + word - 1 - j] = held;
                    }
                }
                long extent = stacked ? 1 : member.spec().shape().extent(axis);
                int run = (int) (stride * extent);
                for (int from = 0, to = (int) (member.start() * stride);
                        run > 0 && from < part.length;
                        from += run, to += (int) row) {
                    System.arraycopy(part, from, all, to, run);
                }
            }
            return all;
        }
    }

    @Test
    void everyElementIsCopiedOnceWithinTheBound() {
        Map<String, Integer> strategies = new LinkedHashMap<>();
        Cases.check(600, cases -> strategies.merge(copy(cases), 1, Integer::sum));
        for (String name : List.of("Window", "Sweep", "Spill")) {
            assertTrue(strategies.getOrDefault(name, 0) > 30, "too few of " + name + ": " + strategies);
        }
    }

    private String copy(Cases cases) throws Exception {
        Joined joined = new Joined(cases);
        assertEquals(0, joined.opener.openNow(), "open after joining");
        assertTrue(joined.opener.mostOpen() <= 1, "more than one open at once while joining");
        joined.opener.reset();
        joined.members.forEach(member -> assertEquals(0, member.counts().reads(), "read while joining"));
        CountingStore source = new CountingStore(new StrictStore(joined.store).allowMissing());
        ChunkGrid wanted = cases.regularGrid(joined.whole.spec().shape());
        MemoryStore result = MemoryStore.builder()
                .granularity(Granularity.CHUNK)
                .paddedEdges(cases.random().nextBoolean())
                .build();
        StrictStore target = new StrictStore(result);
        Executor executor = cases.random().nextBoolean()
                ? new SerialExecutor()
                : new ForkJoinExecutor(1 + cases.random().nextInt(4));
        CostModel model = cases.random().nextBoolean() ? CostModel.SSD : SLOW_TO_READ;
        long enough = 64 + 3 * joined.whole.spec().bytes() + 1000;
        long minimum = plan(source, target, wanted, enough * 100, executor, model)
                .arrays()
                .get(0)
                .copy()
                .minimumMemory();
        long maxMem = cases.random().nextInt(3) == 0
                ? minimum
                : minimum + (long) (cases.random().nextDouble() * cases.random().nextDouble() * enough);
        Plan plan = plan(source, target, wanted, maxMem, executor, model);
        CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
        // Each plan looks at the encodings of the members if their chunks could be kept as they are.
        int openings = wanted.equals(plan.arrays().get(0).source().chunks()) ? 2 : 0;
        joined.opener
                .opened()
                .forEach((name, count) -> assertTrue(count <= openings, name + " was opened while planning"));

        Report report = plan.execute();

        assertTrue(report.measuredMemory() <= copy.projectedMemory(), () -> "measured more than projected:\n" + plan);
        assertTrue(copy.projectedMemory() <= maxMem, () -> "projected more than the bound:\n" + plan);
        joined.whole.assertSame(Region.whole(joined.whole.spec().shape()), joined.expected(), result.elements(""));
        if (copy.problem().reading() == Problem.Reading.WHOLE_CHUNKS) {
            ChunkGrid grid = plan.arrays().get(0).source().chunks();
            assertEquals(
                    Math.round(copy.cost().sourceReadsPerChunk() * grid.count()),
                    report.sourceChunkReads(),
                    () -> "reads of chunks, of\n" + plan);
            requireReads(joined, grid, source.reads(""));
        }
        assertEquals(0, joined.opener.openNow(), "open after the run");
        assertTrue(joined.opener.mostOpen() <= joined.readers * joined.limit, "more open than allowed");
        target.assertClosed();
        joined.members.forEach(member -> member.strict().assertClosed());
        try (Stream<Path> left = Files.list(spills)) {
            assertEquals(List.of(), left.toList(), "spill files are left");
        }
        return copy.strategy().name();
    }

    /** A chunk of a member is read as often as the chunk of the joined array that contains it. */
    private static void requireReads(Joined joined, ChunkGrid grid, Map<Long, Long> reads) {
        for (Member member : joined.members) {
            ChunkGrid chunks = member.spec().chunks();
            if (readsChunks(member)) {
                Map<Long, Long> expected = new TreeMap<>();
                for (long ordinal = 0; ordinal < chunks.count(); ordinal++) {
                    long[] origin = chunks.regionAt(ordinal).origin();
                    long[] place = joined.stacked ? new long[origin.length + 1] : origin;
                    if (joined.stacked) {
                        System.arraycopy(origin, 0, place, 0, joined.axis);
                        System.arraycopy(origin, joined.axis, place, joined.axis + 1, origin.length - joined.axis);
                        place[joined.axis] = member.start();
                    } else {
                        place[joined.axis] += member.start();
                    }
                    for (int i = 0; i < place.length; i++) {
                        place[i] = grid.axis(i).indexOf(place[i]);
                    }
                    expected.put(ordinal, reads.getOrDefault(grid.ordinal(place), 0L));
                }
                assertEquals(
                        expected,
                        member.counts().reads(""),
                        "reads of chunks of " + member.strict().name());
            }
        }
    }

    /** For members that can read parts of a chunk, the parts are counted. */
    private static boolean readsChunks(Member member) {
        try (ArrayReader reader = member.strict().openReader("")) {
            return reader.traits().granularity() == Granularity.CHUNK;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Plan plan(
            ChunkStore source, ChunkStore target, ChunkGrid wanted, long maxMem, Executor executor, CostModel model)
            throws Exception {
        return Rechunker.from(source)
                .to(target)
                .chunks((path, spec) -> Optional.of(wanted))
                .maxMem(ByteSize.of(maxMem))
                .executor(executor)
                .costModel(model)
                .spill(spills)
                .plan();
    }
}
