package dev.rechunker.io.jobs;

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
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sweep has tasks for several workers, and makes the same bytes as that of one. */
class CutSweepTest {
    @TempDir
    Path directory;

    private final Data data =
            Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(703, 6000), Shape.of(10, 6000)), DataType.INT32)
                    .codecs(CodecSpec.parse("gzip:level=1"))
                    .build());

    private Rechunker.Job job(ChunkStore source, ChunkStore target, String chunks) throws IOException {
        return Rechunker.from(source)
                .to(target)
                .chunks(chunks)
                .maxMem("2MB")
                .threads(1)
                .noSpill();
    }

    private ChunkStore source() throws IOException {
        ChunkStore source = Zarr.create(directory.resolve("source.zarr"));
        data.write(source, "");
        return source;
    }

    @ParameterizedTest
    @CsvSource({"'7,6000'", "'13,3000'"})
    void tasksInAnyOrderMakeTheSameBytes(String chunks) throws Exception {
        Path one = directory.resolve("one.zarr");
        Path many = directory.resolve("many.zarr");
        Path alone = directory.resolve("alone.zarr");
        Path file = directory.resolve("plan.json");
        try (ChunkStore source = source();
                ChunkStore first = Zarr.create(one);
                ChunkStore second = Zarr.create(many);
                ChunkStore third = Zarr.create(alone)) {
            Plan undisturbed = job(source, first, chunks).plan();
            assertEquals("Sweep", undisturbed.arrays().get(0).copy().strategy(), undisturbed::explain);
            undisturbed.execute();
            Plan plan = job(source, second, chunks).workers(8).plan();
            PlannedCopy copy = plan.arrays().get(0).copy();
            assertEquals("Sweep", copy.strategy(), plan::explain);
            assertTrue(copy.tasks() >= 6, plan::explain);
            JobFile.save(plan, file);
            for (long task = copy.tasks() - 1; task >= 0; task--) {
                try (JobFile job = JobFile.open(file)) {
                    Report report = job.run(0, task, task + 1);
                    assertTrue(report.measuredMemory() <= report.projectedMemory(), plan::explain);
                }
            }
            try (JobFile job = JobFile.open(file)) {
                job.finish();
            }
            Report report = job(source, third, chunks).workers(8).verify().execute();
            assertEquals(copy.tasks(), report.tasks());
            assertTrue(report.measuredMemory() <= report.projectedMemory(), plan::explain);
        }
        assertEquals(List.of(), FileTrees.differences(one, many));
        assertEquals(List.of(), FileTrees.differences(one, alone));
    }

    /** A plan that spills says that one task would have to assemble each unit. */
    @Test
    void aPlanSaysWhyItSpills() throws Exception {
        try (ChunkStore source = source();
                ChunkStore target = Zarr.create(directory.resolve("target.zarr"))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks("703,60")
                    .maxMem("2MB")
                    .threads(1)
                    .workers(50)
                    .plan();
            assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
            assertTrue(
                    plan.explain().contains("tasks for 50 workers, as one task assembles each write unit"),
                    plan::explain);
        }
    }
}
