package dev.rechunker.examples;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.util.Arrays;

/** A fixture for unit tests: copies arrays of the heap in the calling thread, without files. */
public final class InMemory {
    private InMemory() {}

    /** Copies 100 x 100 bytes from rows to columns, and prints whether the copy is equal. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ArraySpec rows = ArraySpec.builder(ChunkGrid.regular(Shape.of(100, 100), Shape.of(1, 100)), DataType.UINT8)
                .build();
        byte[] elements = new byte[10_000];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = (byte) (i % 251);
        }

        MemoryStore columns = new MemoryStore();
        Rechunker.from(MemoryStore.of(rows, elements))
                .to(columns)
                .chunks(100, 1)
                .maxMem("2kB")
                .executor(new SerialExecutor())
                .execute();

        System.out.println(Arrays.equals(elements, columns.elements("")) ? "the same elements" : "different");
    }
}
