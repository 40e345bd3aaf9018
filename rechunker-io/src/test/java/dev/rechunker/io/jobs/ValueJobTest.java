package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans of views of values, which several processes run. */
class ValueJobTest {
    private static final int COUNT = 300;

    @TempDir
    Path directory;

    private Path source;
    private Path target;
    private Path file;

    @BeforeEach
    void setUp() throws Exception {
        source = directory.resolve("source.zarr");
        target = directory.resolve("target.zarr");
        file = directory.resolve("plan.json");
        Random random = new Random(48);
        ByteBuffer elements = ByteBuffer.allocate(COUNT * 8).order(ByteOrder.LITTLE_ENDIAN);
        while (elements.hasRemaining()) {
            elements.putDouble(random.nextGaussian());
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(COUNT), Shape.of(50)), DataType.FLOAT64)
                .build();
        try (ChunkStore store = Zarr.create(source)) {
            Rechunker.from(MemoryStore.of(spec, elements.array()))
                    .to(store)
                    .chunks(50)
                    .maxMem("1MB")
                    .execute();
        }
    }

    private Rechunker.Job job(ChunkStore from, ChunkStore to) {
        return Rechunker.from(from)
                .to(to)
                .chunks(7)
                .maxMem("1MB")
                .cast("float32:round=stochastic,seed=7")
                .bitRound("auto")
                .pack("int16")
                .verify()
                .executor(new SerialExecutor());
    }

    private byte[] elements(Path store) throws Exception {
        MemoryStore read = new MemoryStore();
        try (ChunkStore from = Zarr.open(store)) {
            Rechunker.from(from).to(read).chunks(COUNT).maxMem("1MB").execute();
        }
        return read.elements("");
    }

    /** What was found when the plan was made is in the plan: the chunk with the largest number may be damaged then. */
    @Test
    void processesDoNotLookAtTheValuesAgain() throws Exception {
        Path alone = directory.resolve("alone.zarr");
        try (ChunkStore from = Zarr.open(source);
                ChunkStore to = Zarr.create(alone)) {
            job(from, to).execute();
        }
        try (ChunkStore from = Zarr.open(source);
                ChunkStore to = Zarr.create(target)) {
            JobFile.save(job(from, to).workers(2).plan(), file);
        }
        String plan = Files.readString(file);
        assertTrue(plan.contains("scale="), plan);
        Path chunk = Files.exists(source.resolve("c/3")) ? source.resolve("c/3") : source.resolve("3");
        Path moved = Files.move(chunk, directory.resolve("moved"));
        Files.writeString(chunk, "damaged");
        try (JobFile opened = JobFile.open(file)) {
            assertTrue(opened.tasks().get(0) > 0);
        }
        Files.delete(chunk);
        Files.move(moved, chunk);
        for (int stage = 0, stages = 1; stage < stages; stage++) {
            try (JobFile opened = JobFile.open(file)) {
                stages = opened.tasks().size();
                for (long task = 0; task < opened.tasks().get(stage); task++) {
                    opened.run(stage, task, task + 1);
                }
            }
        }
        try (JobFile opened = JobFile.open(file)) {
            opened.finish();
        }
        assertEquals(COUNT * 2, elements(target).length);
        assertArrayEquals(elements(alone), elements(target));
    }
}
