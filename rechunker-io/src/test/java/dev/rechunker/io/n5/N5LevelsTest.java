package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Levels in N5, with the names and attributes that its viewers expect. */
class N5LevelsTest {
    @TempDir
    Path temporary;

    private static ArraySpec array(ChunkStore store, String path) throws Exception {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    @Test
    void levelsHaveFactorsWithXFirst() throws Exception {
        MemoryStore source = new MemoryStore();
        ArraySpec spec = N5Specs.spec(DataType.UINT16, new long[] {5, 9, 13}, 2, 4, 4)
                .dimensionNames(List.of("z", "y", "x"))
                .attributes(
                        Map.of("pixelResolution", List.of(0.5, 0.5, 2.0), "element_size_um", List.of(2.0, 0.5, 0.25)))
                .build();
        Data.of(spec).write(source, "raw");
        Path out = temporary.resolve("out.n5");
        Rechunker.from(source)
                .to(N5.create(out))
                .chunks("keep")
                .maxMem("10MB")
                .strict()
                .levels(Levels.by("y=2, x=3", "z=2, y=2").count(3))
                .execute();
        ChunkStore written = N5.open(out);
        assertEquals(List.of("s0", "s1", "s2"), written.children("raw"));
        assertNull(array(written, "raw/s0").attributes().get("downsamplingFactors"));
        assertEquals(List.of(3L, 2L, 1L), array(written, "raw/s1").attributes().get("downsamplingFactors"));
        assertEquals(List.of(3L, 4L, 2L), array(written, "raw/s2").attributes().get("downsamplingFactors"));
        assertEquals(
                List.of(0.5, 0.5, 2.0), array(written, "raw/s2").attributes().get("pixelResolution"));
        assertEquals(
                List.of(2.0, 0.5, 0.25), array(written, "raw/s0").attributes().get("element_size_um"));
        assertEquals(
                List.of(4.0, 2.0, 0.75), array(written, "raw/s2").attributes().get("element_size_um"));
    }
}
