package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share a copy take the lengths of elements from the plan, and do not measure them again. */
class VariableJobTest {
    private static final int COUNT = 60;

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
        try (ChunkStore store = Zarr.create(source, ZarrFormat.V2)) {
            Rechunker.from(texts(40))
                    .to(store)
                    .chunks(20)
                    .maxMem("32MB")
                    .codec("gzip")
                    .execute();
        }
    }

    /** {@return texts of different lengths, the longest of which has {@code longest} bytes} */
    private static MemoryStore texts(int longest) {
        DataType type = DataType.text().upTo(longest);
        ByteBuffer elements = ByteBuffer.allocate(COUNT * type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < COUNT; i++) {
            String text = i == COUNT - 1 ? "z".repeat(longest) : "text " + i;
            byte[] contents = text.getBytes(StandardCharsets.UTF_8);
            elements.position(i * type.itemSize()).putInt(contents.length).put(contents);
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(COUNT), Shape.of(20)), type)
                .codecs(CodecSpec.parse("gzip"))
                .build();
        return MemoryStore.of(spec, elements.array());
    }

    private void save() throws Exception {
        try (ChunkStore from = Zarr.open(source);
                ChunkStore to = Zarr.create(target)) {
            JobFile.save(
                    Rechunker.from(from)
                            .to(to)
                            .chunks(7)
                            .maxMem("32MB")
                            .verify()
                            .workers(3)
                            .plan(),
                    file);
        }
    }

    @Test
    void opensWithoutReadingTheSource() throws Exception {
        save();
        Path moved = Files.move(source.resolve("2"), directory.resolve("moved"));
        Files.writeString(source.resolve("2"), "damaged");
        try (JobFile job = JobFile.open(file)) {
            assertTrue(job.tasks().get(0) > 0);
        }
        Files.delete(source.resolve("2"));
        Files.move(moved, source.resolve("2"));
        for (int stage = 0, stages = 1; stage < stages; stage++) {
            try (JobFile job = JobFile.open(file)) {
                stages = job.tasks().size();
                for (long task = 0; task < job.tasks().get(stage); task++) {
                    job.run(stage, task, task + 1);
                }
            }
        }
        try (JobFile job = JobFile.open(file)) {
            job.finish();
        }
        MemoryStore read = new MemoryStore();
        try (ChunkStore store = Zarr.open(target)) {
            Rechunker.from(store).to(read).chunks(COUNT).maxMem("32MB").execute();
        }
        assertArrayEquals(texts(40).elements(""), read.elements(""));
    }

    @Test
    void refusesElementsThatHaveBecomeLonger() throws Exception {
        save();
        try (ChunkStore store = Zarr.create(source, ZarrFormat.V2)) {
            Rechunker.from(texts(41))
                    .to(store)
                    .chunks(20)
                    .maxMem("32MB")
                    .codec("gzip")
                    .overwrite()
                    .execute();
        }
        try (JobFile job = JobFile.open(file)) {
            assertEquals(1, job.tasks().size());
            TaskFailedException failed = assertThrows(
                    TaskFailedException.class, () -> job.run(0, 0, job.tasks().get(0)));
            assertTrue(failed.toString().contains("make a new plan"), failed.toString());
        }
    }
}
