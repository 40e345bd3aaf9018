package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Temporary files are compressed if the cost model says that their device is slow. */
@Timeout(120)
class CompressedSpillTest {
    private static final CostModel SLOW = CostModel.parse("ssd:read=1,spill=1e6,spill-ratio=3,request=0");
    private static final CostModel PLAIN = CostModel.parse("ssd:read=1,spill=1e6,request=0");
    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(1500, 2000), Shape.of(1, 2000)), DataType.INT32)
            .codecs(CodecSpec.parse("zlib:level=1"))
            .build();
    private static final Data DATA = Data.of(SPEC);

    @TempDir
    Path directory;

    private Path source;
    private Path target;
    private Path spill;

    @BeforeEach
    void write() throws IOException {
        source = directory.resolve("source.zarr");
        target = directory.resolve("target.zarr");
        spill = directory.resolve("spill");
        try (ChunkStore store = Zarr.create(source)) {
            DATA.write(store, "");
        }
    }

    private Rechunker.Job job(ChunkStore to, CostModel model) throws IOException {
        return Rechunker.from(source)
                .to(to)
                .chunks(1500, 3)
                .maxMem("3MB")
                .threads(2)
                .spill(spill)
                .costModel(model);
    }

    private void assertArrived() throws IOException {
        try (ChunkStore store = Zarr.open(target)) {
            DATA.check(store, "");
        }
        assertEquals(List.of(), List.copyOf(FileTrees.files(spill).keySet()));
    }

    @Test
    void everyElementArrivesWithinTheLimit() throws Exception {
        try (ChunkStore to = Zarr.create(target)) {
            Plan plan = job(to, SLOW).plan();
            assertTrue(plan.explain().contains("compressed by blosc (lz4), to about 1/3"), plan::explain);
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), plan::explain);
            assertTrue(plan.projectedMemory().bytes() <= 3_000_000, plan::explain);
            assertEquals(1500, report.sourceChunkReads());
            assertEquals(2 * SPEC.bytes(), report.bytesRead(), "uncompressed, with the spill");
        }
        assertArrived();
    }

    /** Replaces the source by one that compresses well; {@return its elements} */
    private byte[] smooth() throws Exception {
        ByteBuffer elements = ByteBuffer.allocate((int) SPEC.bytes()).order(ByteOrder.nativeOrder());
        for (int row = 0; row < 1500; row++) {
            for (int column = 0; column < 2000; column++) {
                elements.putInt(row + 3 * column);
            }
        }
        source = directory.resolve("smooth.zarr");
        try (ChunkStore memory = new MemoryStore().put("", SPEC, elements.array());
                ChunkStore store = Zarr.create(source)) {
            Rechunker.from(memory).to(store).chunks(1, 2000).maxMem("1MB").execute();
        }
        return elements.array();
    }

    /** Temporary files have the length of uncompressed data, but only the compressed bytes are written. */
    @Test
    void compressedBytesAreWrittenAndAFailedRunIsResumed() throws Exception {
        byte[] elements = smooth();
        try (ChunkStore to = Zarr.create(target);
                FaultyStore faulty = new FaultyStore(to).failFrom(Operation.WRITE, 5)) {
            assertThrows(TaskFailedException.class, () -> job(faulty, SLOW).execute());
        }
        long written = 0;
        long zeros = 0;
        for (Path file : List.copyOf(FileTrees.files(spill).keySet()).stream()
                .map(spill::resolve)
                .toList()) {
            for (byte b : Files.readAllBytes(file)) {
                written++;
                zeros += b == 0 ? 1 : 0;
            }
        }
        assertTrue(written >= SPEC.bytes(), "the files are shorter than the data: " + written);
        assertTrue(zeros > written / 2, zeros + " zeros in " + written);
        try (ChunkStore to = Zarr.create(target)) {
            RefusedException refused = assertThrows(
                    RefusedException.class, () -> job(to, PLAIN).resume().execute());
            assertTrue(String.valueOf(refused.getMessage()).contains("compressed"), refused::getMessage);
            Report report = job(to, SLOW).resume().execute();
            assertTrue(report.tasksDoneBefore() > 0, report::toString);
            assertEquals(0, report.sourceChunkReads(), "the source was read again");
            MemoryStore all = new MemoryStore();
            Rechunker.from(to).to(all).chunks(1500, 2000).maxMem("100MB").execute();
            assertArrayEquals(elements, all.elements(""));
        }
        assertEquals(List.of(), List.copyOf(FileTrees.files(spill).keySet()));
    }

    @Test
    void processesShareACompressedSpill() throws Exception {
        Map<String, @Nullable Object> description;
        try (ChunkStore to = Zarr.create(target);
                SharedRun run = SharedRun.of(job(to, SLOW).workers(2).plan())) {
            assertTrue(run.plan().explain().contains("compressed by"), run.plan()::explain);
            run.begin();
            description = run.description();
            for (int stage = 0; stage < run.tasks().size(); stage++) {
                for (long task = run.tasks().get(stage) - 1; task >= 0; task--) {
                    try (SharedRun worker = SharedRun.open(description)) {
                        worker.run(stage, task, task + 1);
                    }
                }
            }
            run.finish();
        }
        assertArrived();
    }
}
