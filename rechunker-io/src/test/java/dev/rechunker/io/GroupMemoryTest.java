package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ArrayPlan;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays whose codecs need different amounts of native memory share one workspace within the limit. */
class GroupMemoryTest {
    private static final ChunkGrid MAPS = ChunkGrid.regular(Shape.of(128, 256, 256), Shape.of(1, 256, 256));
    private static final Map<String, String> CODECS =
            Map.of("plain", "none", "quick", "zstd:level=1", "old", "gzip:level=6");

    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"30MB", "32MB"})
    void nativeMemoryOfEachArrayFitsNextToTheSharedWorkspace(String maxMem) throws Exception {
        Map<String, Data> arrays = new TreeMap<>();
        for (Map.Entry<String, String> codec : CODECS.entrySet()) {
            ArraySpec spec = ArraySpec.builder(MAPS, DataType.INT32)
                    .codecs(CodecSpec.parse(codec.getValue()))
                    .build();
            arrays.put(codec.getKey(), Data.of(spec, codec.getKey().length()));
        }
        try (ChunkStore source = Zarr.create(directory.resolve("a.zarr"));
                ChunkStore target = Zarr.create(directory.resolve("b.zarr"))) {
            source.writeGroup("", Map.of());
            for (Map.Entry<String, Data> array : arrays.entrySet()) {
                array.getValue().write(source, array.getKey());
            }
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(64, 32, 32)
                    .maxMem(maxMem)
                    .threads(2)
                    .plan();
            long workspace = 0;
            long nativeBytes = 0;
            for (ArrayPlan array : plan.arrays()) {
                for (Stage stage : EnginePlans.of(array).stages()) {
                    workspace = Math.max(workspace, stage.memory().workspaceBytes());
                    nativeBytes = Math.max(
                            nativeBytes, stage.memory().lanes() * stage.memory().nativeBytes());
                }
            }
            assertTrue(workspace + nativeBytes <= plan.maxMem().bytes(), plan::explain);
            assertTrue(workspace + nativeBytes <= plan.projectedMemory().bytes(), plan::explain);
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), report::toString);
            for (Map.Entry<String, Data> array : arrays.entrySet()) {
                array.getValue().check(target, array.getKey());
            }
        }
    }
}
