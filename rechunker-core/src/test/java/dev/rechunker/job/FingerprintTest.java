package dev.rechunker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.EnginePlans;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The fingerprint of a plan, on which processes must agree, depends on nothing but the plan. */
class FingerprintTest {
    private static Fingerprint of(List<String> order) throws IOException {
        Map<String, String> hints = new LinkedHashMap<>();
        order.forEach(name -> hints.put(name, "value of " + name));
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(8), Shape.of(2)), DataType.INT32)
                .hints(hints)
                .build();
        MemoryStore source = MemoryStore.of(spec, new byte[32]);
        Plan plan = Rechunker.from(source)
                .to(new MemoryStore())
                .chunks(4)
                .maxMem("1MB")
                .plan();
        return Fingerprint.of(EnginePlans.of(plan).arrays());
    }

    /** Some maps of the JDK have a different order in each process. */
    @Test
    void orderOfHintsDoesNotMatter() throws IOException {
        assertEquals(Optional.empty(), of(List.of("a.x", "b.y")).difference(of(List.of("b.y", "a.x"))));
    }
}
