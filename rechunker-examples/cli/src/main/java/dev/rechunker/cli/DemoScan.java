package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An HDF5 file to try the tool with, like that of a microscope. */
final class DemoScan {
    private static final Shape SHAPE = Shape.of(64, 512, 512);

    private DemoScan() {}

    /** Writes 64 planes of 512 x 512 pixels, 34 MB, to the dataset {@code entry/data}, without chunks. */
    static void write(Path path) throws IOException, InterruptedException {
        ByteBuffer pixels =
                ByteBuffer.allocate(Math.toIntExact(2 * SHAPE.elements())).order(ByteOrder.LITTLE_ENDIAN);
        for (int z = 0; z < SHAPE.extent(0); z++) {
            for (int y = 0; y < SHAPE.extent(1); y++) {
                for (int x = 0; x < SHAPE.extent(2); x++) {
                    pixels.putShort((short) (1000 + 100 * z + 20 * Math.sin(y / 9.0) + (x ^ y) % 16));
                }
            }
        }
        ArraySpec image = ArraySpec.builder(ChunkGrid.regular(SHAPE, SHAPE), DataType.UINT16)
                .dimensionNames(List.of("z", "y", "x"))
                .attributes(Map.of("element_size_um", List.of(2.0, 0.5, 0.5)))
                .build();
        try (ChunkStore file = Hdf5.create(path)) {
            Rechunker.from(MemoryStore.of(image, pixels.array()))
                    .to(file.at("entry/data"))
                    .chunks("...=-1, z=1")
                    .maxMem("32MB")
                    .format("hdf5-contiguous")
                    .execute();
        }
    }
}
