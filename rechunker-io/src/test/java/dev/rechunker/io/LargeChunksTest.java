package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of arrays whose chunks do not fit into the memory limit, and are decoded front to back. */
class LargeChunksTest {
    @TempDir
    Path directory = Path.of("");

    private static Data data(Shape shape, Shape chunks, DataType type, String codec) {
        return Data.of(
                ArraySpec.builder(ChunkGrid.regular(shape, chunks), type)
                        .codecs(List.of(CodecSpec.of(codec)))
                        .build(),
                7);
    }

    private ChunkStore create(String format) {
        return switch (format) {
            case "zarr2" -> Zarr.create(directory.resolve("large.zarr"), ZarrFormat.V2);
            case "zarr3" -> Zarr.create(directory.resolve("large.zarr"), ZarrFormat.V3);
            default -> Hdf5.create(directory.resolve("large.h5"));
        };
    }

    /** Chunks of 8 MB, the last of which ends after the array. */
    @ParameterizedTest
    @CsvSource({"zarr2, gzip", "zarr2, zlib", "zarr3, gzip", "hdf5, gzip"})
    void chunksOfInflatedStreamsAreNotHeld(String format, String codec) throws Exception {
        Data data = data(Shape.of(250, 300, 100), Shape.of(200, 100, 100), DataType.INT32, codec);
        requireCopied(format, data, "2500kB");
    }

    /** Chunks of 48 MB. */
    @Test
    void chunksOfZstdAreNotHeld() throws Exception {
        Data data = data(Shape.of(300, 200, 200), Shape.of(300, 200, 200), DataType.INT32, "zstd");
        requireCopied("zarr3", data, "22MB");
    }

    private void requireCopied(String format, Data data, String maxMem) throws Exception {
        String array = format.equals("hdf5") ? "data" : "";
        try (ChunkStore store = create(format)) {
            data.write(store, array);
            store.finish(false);
        }
        try (ChunkStore store = Stores.open(directory.resolve(format.equals("hdf5") ? "large.h5" : "large.zarr"));
                ArrayReader reader = store.openReader(array);
                MemoryStore target = new MemoryStore()) {
            assertEquals(Granularity.STREAM, reader.traits().granularity());
            Plan plan = Rechunker.from(store.at(array))
                    .to(target)
                    .chunks(25, 50, 100)
                    .maxMem(maxMem)
                    .threads(1)
                    .spill(directory)
                    .plan();
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), plan::explain);
            long chunk = data.spec().chunks().chunkShape().elements() * Integer.BYTES;
            assertTrue(plan.projectedMemory().bytes() < chunk, plan::explain);
            data.check(target, "");
        }
    }

    @Test
    void chunksThatAreCutOffAreRefused() throws Exception {
        Data data = data(Shape.of(300, 200, 200), Shape.of(300, 200, 200), DataType.INT32, "zstd");
        try (ChunkStore store = create("zarr3")) {
            data.write(store, "");
        }
        Path chunk = directory.resolve("large.zarr/c/0/0/0");
        byte[] whole = Files.readAllBytes(chunk);
        for (int left : List.of(whole.length - 1, whole.length / 2, 20, 5)) {
            Files.write(chunk, Arrays.copyOf(whole, left));
            try (ChunkStore store = Stores.open(directory.resolve("large.zarr"));
                    MemoryStore target = new MemoryStore()) {
                Rechunker.Job job = Rechunker.from(store)
                        .to(target)
                        .chunks(100, 100, 100)
                        .maxMem("30MB")
                        .spill(directory);
                String message = refusal(job);
                assertTrue(message.contains("cut off") && message.contains("c/0/0/0"), message);
            }
        }
    }

    private static String refusal(Rechunker.Job job) {
        return String.valueOf(
                assertThrows(TaskFailedException.class, job::execute).getMessage());
    }
}
