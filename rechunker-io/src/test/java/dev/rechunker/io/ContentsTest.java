package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checksum of contents is the same for equal arrays in any format, with any chunks, codecs and byte order. */
class ContentsTest {
    private static final Shape SHAPE = Shape.of(70, 90);

    @TempDir
    Path directory = Path.of("");

    private Path source(String name, long salt, ByteOrder order) throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(30, 40)), DataType.FLOAT32)
                .byteOrder(order)
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        Path place = directory.resolve(name);
        try (ChunkStore store = Zarr.create(place, ZarrFormat.V2)) {
            Data.of(spec, salt).write(store, "");
        }
        return place;
    }

    private String contents(Path source, ChunkStore target, String path, String chunks, String memory)
            throws IOException, InterruptedException {
        return contents(source, target, path, chunks, memory, "gzip:level=3");
    }

    private String contents(Path source, ChunkStore target, String path, String chunks, String memory, String codec)
            throws IOException, InterruptedException {
        try (ChunkStore from = Zarr.open(source);
                target) {
            Plan plan = Rechunker.from(from)
                    .to(target.at(path))
                    .chunks(chunks)
                    .maxMem(memory)
                    .threads(2)
                    .option("codec", codec)
                    .checksumContents()
                    .plan();
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= report.projectedMemory(), report::toString);
            assertEquals(Set.of(""), report.contents().keySet());
            return report.contents().get("") + "";
        }
    }

    @Test
    void equalArraysHaveEqualChecksums() throws IOException, InterruptedException {
        Path source = source("source.zarr", 1, ByteOrder.LITTLE_ENDIAN);
        Set<String> found = new HashSet<>();
        found.add(contents(source, Zarr.create(directory.resolve("a"), ZarrFormat.V3), "", "7,90", "10MB"));
        found.add(contents(source, Zarr.create(directory.resolve("b"), ZarrFormat.V2), "", "70,3", "400kB"));
        found.add(contents(source, Zarr.create(directory.resolve("c"), ZarrFormat.V3), "", "keep", "10MB"));
        for (String codec : new String[] {"none", "blosc:cname=lz4,clevel=5", "zstd"}) {
            Path place = directory.resolve(codec.substring(0, 4));
            found.add(contents(source, Zarr.create(place), "", "keep", "10MB", codec));
        }
        found.add(contents(source, N5.create(directory.resolve("d.n5")), "x", "11,13", "10MB"));
        found.add(contents(source, Hdf5.create(directory.resolve("e.h5")), "x", "64,64", "10MB"));
        assertEquals(1, found.size(), found::toString);
        Path other = source("other.zarr", 2, ByteOrder.LITTLE_ENDIAN);
        String different = contents(other, Zarr.create(directory.resolve("f")), "", "7,90", "10MB");
        assertNotEquals(found, Set.of(different));
    }

    @Test
    void theLimitIsKept() throws IOException, InterruptedException {
        try (ChunkStore from = Zarr.open(source("source.zarr", 1, ByteOrder.BIG_ENDIAN));
                ChunkStore target = Zarr.create(directory.resolve("a"))) {
            Rechunker.To to = Rechunker.from(from).to(target);
            InfeasiblePlanException refusal = assertThrows(
                    InfeasiblePlanException.class,
                    () -> to.chunks("keep").maxMem("1kB").checksumContents().plan());
            String least = refusal.minimumMemory() + "B";
            Report report =
                    to.chunks("keep").maxMem(least).checksumContents().plan().execute();
            assertEquals(1, report.contents().size());
        }
    }
}
