package dev.rechunker.plan;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;

/** Plans copies of arrays whose axes have very many chunks. */
final class PlannerHeapMain {
    private PlannerHeapMain() {}

    public static void main(String[] args) throws Exception {
        for (Granularity granularity : new Granularity[] {Granularity.CHUNK, Granularity.BYTES}) {
            MemoryStore source = MemoryStore.builder().granularity(granularity).build();
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(200_003, 20_003, 3_001), Shape.of(1, 9, 9)), DataType.UINT8)
                    .build();
            try (ArrayWriter writer = source.create("", spec, false)) {
                writer.commit();
            }
            Rechunker.from(source)
                    .to(new MemoryStore())
                    .chunks(9, 2, 2)
                    .maxMem("200GB")
                    .plan();
        }
    }
}
