package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a store is asked for as many bytes as the plan says. */
class StoredBytesTest {
    private static final CodecSpec BLOSC =
            CodecSpec.of("blosc").with("cname", "lz4").with("clevel", 5);
    private static final long MB = 1_000_000;

    @TempDir
    Path temp = Path.of("");

    private int number;
    private final Set<String> strategies = new TreeSet<>();
    private final Map<List<Object>, Path> sources = new HashMap<>();

    private static ArraySpec spec(long[] shape, long[] chunks, List<CodecSpec> codecs) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunks)), DataType.UINT32)
                .codecs(codecs)
                .build();
    }

    /** Elements that are compressed to about a third. */
    private static Data data(ArraySpec spec) {
        return Data.of(spec, (position, element) -> {
            long noise = position * 0x9E3779B97F4A7C15L;
            element[0] = (byte) (((noise ^ (noise >>> 29)) * 0xBF58476D1CE4E5B9L) >>> 40);
            element[1] = (byte) (position >> 9);
            element[2] = (byte) (position >> 17);
        });
    }

    /** {@return an array with these elements, which is written once} */
    private CountingKeys written(String format, ArraySpec spec) throws IOException {
        Path path = sources.get(List.of(format, spec));
        if (path == null) {
            path = temp.resolve("source" + number++);
            data(spec).write(store(format, new CountingKeys(new DirectoryKeys(path)), true), "");
            sources.put(List.of(format, spec), path);
        }
        return new CountingKeys(new DirectoryKeys(path));
    }

    private static ChunkStore store(String format, CountingKeys keys, boolean creates) throws IOException {
        if (format.equals("n5")) {
            return creates ? N5.create(keys.keys()) : N5.open(keys.keys());
        }
        return creates
                ? Zarr.create(keys.keys(), format.equals("zarr2") ? ZarrFormat.V2 : ZarrFormat.V3)
                : Zarr.open(keys.keys());
    }

    private void check(String format, ArraySpec spec, long[] chunks, long maxMem, CostModel model, boolean spill)
            throws IOException, InterruptedException {
        CountingKeys from = written(format, spec);
        CountingKeys to = new CountingKeys(new DirectoryKeys(temp.resolve("target" + number++)));
        Rechunker.Job job = Rechunker.from(store(format, from, false))
                .to(store(format, to, true))
                .chunks(chunks)
                .maxMem(ByteSize.of(maxMem))
                .costModel(model)
                .executor(new ForkJoinExecutor(maxMem < MB ? 1 : 2))
                .spill(temp.resolve("spill"));
        Plan plan = (spill ? job : job.noSpill()).plan();
        PlannedCopy copy = plan.arrays().get(0).copy();
        long looked = from.read();
        Report report = plan.execute();
        PlannedCopy.Cost cost = copy.cost();
        String what = format + " " + spec.chunks() + " to " + List.of(chunks.length) + " " + maxMem + "\n"
                + plan.explain() + "read " + from.read() + ", written " + to.written() + "\n" + report;
        strategies.add(
                copy.strategy() + (copy.stages().size() > 2 ? copy.stages().size() - 1 : ""));
        double spilled = cost.spillBytes();
        double read = cost.storedBytesRead().orElseThrow() - spilled;
        assertTrue(from.read() - looked <= read * 1.05 + 4096, what);
        assertTrue(report.storedBytesRead() <= cost.storedBytesRead().orElseThrow() * 1.05 + 4096, what);
        if (spilled == 0) {
            assertTrue(report.readRequests() + report.writeRequests() <= cost.requests() * 1.05, what);
        }
        long stored = to.written();
        if (cost.sourceReadsPerChunk() <= 1 && copy.stages().get(0).source().equals(spec.chunks())) {
            long all = stored(format, from, spec);
            assertTrue(read <= all * 1.1 && read >= all * 0.9, () -> all + " are stored: " + what);
        }
        if (cost.storedBytesWritten().isPresent()) {
            double written = cost.storedBytesWritten().getAsDouble() - spilled;
            double factor = cost.isStoredBytesWrittenEstimate() ? 1.5 : 1.05;
            assertTrue(stored <= written * factor + 4096 && stored * factor >= written - 4096, what);
        }
        data(spec.toBuilder()
                        .chunks(ChunkGrid.regular(spec.shape(), Shape.of(chunks)))
                        .build())
                .check(store(format, to, false), "");
    }

    private static long stored(String format, CountingKeys from, ArraySpec spec) throws IOException {
        try (var reader = store(format, from, false).openReader("")) {
            assertEquals(spec.chunks(), reader.spec().chunks());
            return reader.storedSize(Long.MAX_VALUE).orElseThrow().bytes();
        }
    }

    @Test
    void everyStrategyReadsWhatItsPlanSays() throws IOException, InterruptedException {
        long[] cube = {40, 100, 300};
        long[] planes = {1, 100, 300};
        long[] columns = {40, 20, 30};
        for (List<CodecSpec> codecs : List.of(List.of(BLOSC), List.of(CodecSpec.of("gzip")), List.<CodecSpec>of())) {
            ArraySpec spec = spec(cube, planes, codecs);
            for (long maxMem : new long[] {2 * MB, 3 * MB, 9 * MB}) {
                check("zarr3", spec, columns, maxMem, CostModel.SSD, true);
                check("zarr2", spec, columns, maxMem, CostModel.SSD, false);
            }
            check("zarr3", spec, planes, 5 * MB, CostModel.SSD, true);
        }
        check(
                "zarr2",
                spec(new long[] {1024, 1024}, new long[] {4, 1024}, List.of()),
                new long[] {1024, 4},
                124_000,
                CostModel.parse("hdd:request=0.05"),
                true);
        check(
                "zarr2",
                spec(cube, new long[] {20, 10, 300}, List.of(CodecSpec.of("gzip"))),
                new long[] {10, 20, 300},
                2 * MB,
                CostModel.SSD,
                false);
        check("n5", spec(cube, planes, List.of(CodecSpec.of("gzip"))), columns, 8 * MB, CostModel.SSD, true);
        assertTrue(
                strategies.containsAll(Set.of("CopyEncoded", "Window", "Sweep", "Spill", "Spill2")),
                () -> strategies.toString());
    }

    /** Chunks of several blocks, which are read in stretches. */
    @Test
    void stretchesReadWhatThePlanSays() throws IOException, InterruptedException {
        ArraySpec spec = spec(new long[] {4, 360, 1440}, new long[] {2, 360, 1440}, List.of(BLOSC));
        for (long maxMem : new long[] {10 * MB, 12 * MB}) {
            check("zarr2", spec, new long[] {4, 72, 72}, maxMem, CostModel.SSD, false);
        }
        assertTrue(strategies.contains("Sweep"), strategies::toString);
    }

    @Test
    void anyCopyReadsWhatItsPlanSays() throws IOException, InterruptedException {
        Random random = new Random(5);
        for (int run = 0; run < 12; run++) {
            long[] shape = new long[2 + random.nextInt(2)];
            long[] chunks = new long[shape.length];
            long[] target = new long[shape.length];
            long left = 500_000;
            for (int axis = 0; axis < shape.length; axis++) {
                shape[axis] = axis == shape.length - 1 ? left : 20 + random.nextInt(200);
                left = Math.max(1, left / shape[axis]);
                chunks[axis] = Math.max(1, shape[axis] / (1 + random.nextInt(8)));
                target[axis] = Math.max(1, shape[axis] / (1 + random.nextInt(8)));
            }
            List<CodecSpec> codecs = random.nextBoolean() ? List.of(BLOSC) : List.of(CodecSpec.of("gzip"));
            check(
                    random.nextBoolean() ? "zarr2" : "zarr3",
                    spec(shape, chunks, codecs),
                    target,
                    8 * MB + random.nextInt((int) (8 * MB)),
                    CostModel.SSD,
                    random.nextBoolean());
        }
    }
}
