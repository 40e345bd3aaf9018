package dev.rechunker.cli;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Small Zarr arrays whose elements are their positions. */
public final class Fixtures {
    private Fixtures() {}

    /** {@return the spec of a (12, 10, 14) array of int32 in chunks of (2, 10, 14)} */
    public static ArraySpec.Builder spec() {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(12, 10, 14), Shape.of(2, 10, 14)), DataType.INT32)
                .fillValue(FillValue.zero(4))
                .dimensionNames(List.of("t", "y", "x"))
                .attributes(Map.of("units", "m"))
                .codecs(CodecSpec.parse("zstd:level=1"));
    }

    /** {@return the elements 1, 2, 3 ... of a spec of 32-bit integers} */
    static byte[] count(ArraySpec spec) {
        ByteBuffer elements = ByteBuffer.allocate(Math.toIntExact(spec.bytes())).order(spec.byteOrder());
        for (int i = 1; elements.hasRemaining(); i++) {
            elements.putInt(i);
        }
        return elements.array();
    }

    /** Writes an array with these elements. */
    public static void write(Path store, String path, ArraySpec spec) throws IOException, InterruptedException {
        write(store, path, spec, count(spec));
    }

    static void write(Path store, String path, ArraySpec spec, byte[] elements)
            throws IOException, InterruptedException {
        try (ChunkStore target = Zarr.create(store)) {
            Rechunker.from(MemoryStore.of(spec, elements))
                    .to(target.at(path))
                    .chunks("keep")
                    .maxMem("64MB")
                    .executor(new SerialExecutor())
                    .execute();
        }
    }

    static void put(byte[] elements, ByteOrder order, int index, int value) {
        ByteBuffer.wrap(elements).order(order).putInt(4 * index, value);
    }
}
